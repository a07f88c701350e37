"""Tools for authors of rules, goals and tasks, and imports of other benchmarks' tasks.

The package may import the suite, its checks, the records and what performs on devices; only the command line
imports it. Start reading in `garabench.authoring.d_gara.import_suite` for an import.
"""
