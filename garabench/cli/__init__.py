"""The command line: parse options, call the library, print its results.

It may import every package, and nothing imports it; a command holds no logic that the library lacks. Start
with `main`, which lists the commands. A command is in the module of its name, as ``garabench tasks prove`` in
`tasks_prove`, or else in the module of its group, as ``garabench runs list`` in `runs`.
"""
