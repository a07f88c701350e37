"""The programs of the phone's shell, such as ``am``, ``pm``, ``dumpsys``, ``input`` and toybox's utilities.

Modules are named by their command; each has ``commands(phone)``, a table from name to function, and prints
what the phone's Android version prints. They import `android`, `shell`, `ui`, `kit` and `core`. Start reading
at `command_table`.
"""
