"""Find mistakes in the suite's YAML files and report them with file, line and column.

Imports `garabench.suite`, `garabench.core` and `garabench.errors`; touches no device. Start with
`suite_check`.
"""
