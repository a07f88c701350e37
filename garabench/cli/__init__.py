"""The command line: parse options, call the library, print its results.

It may import every package, and nothing imports it; a command holds no logic that the library lacks. Start
with `main`, which lists the commands. Each command is in the module of its name: ``garabench tasks prove`` in
`tasks_prove`; only ``garabench view`` is in `viewer`.
"""
