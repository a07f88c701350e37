"""Apps of one's own on the virtual phone: declared in a YAML file, drawn by the same toolkit as all others.

An app file is data, never code: `app_model` is its format, `name_check` resolves the names in it, `app_loader`
reads it and makes an `App`; `app_variables` evaluates its values and conditions, `step_runner` performs its
steps, and `view_builder` builds its screens. May import `virtual.kit` and `virtual.ui`. Start with
`app_model`, then `declared_activity`.
"""
