"""The YAML suite: load the files, resolve names, select tasks.

Imports `garabench.core` and `garabench.errors` only. Start with `suite`.
"""
