"""The command line: parse options, call the library, print its results.

It may import every package, and nothing imports it; a command holds no logic that the library lacks. Start
with `main`, which lists the commands; each command or group has the module of its name, and `tasks_prove` has
``garabench tasks prove``.
"""
