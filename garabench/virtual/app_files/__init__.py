"""Apps of your own on the virtual phone: declared in YAML files, drawn by the toolkit of all other apps.

An app file is data, never code: `app_model` is its format, with its steps and widgets in `app_steps` and
`app_widgets`; `name_check` resolves the names in it, and `app_loader` reads it and makes an app of it.
`app_variables` evaluates values and conditions, `step_runner` performs steps, and `view_builder` builds
screens. It may import `virtual.kit`, `virtual.ui`, the built-in apps' catalog and the names of permissions.
Start with `app_model`, then `declared_activity`.
"""
