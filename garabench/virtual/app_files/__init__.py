"""Your own apps on the virtual phone: declared in YAML files, drawn by the toolkit of all other apps.

An app file is data, never code. It may import `virtual.kit`, `virtual.ui`, `core`, the built-in apps' catalog
and the names of permissions. Start with `app_model` (the format, with `app_steps` and `app_widgets`), then
`app_loader` (reads a file, with `name_check`) and `declared_activity` (the running app, with `app_variables`,
`step_runner` and `view_builder`).
"""
