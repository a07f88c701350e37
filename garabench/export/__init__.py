"""Export of runs to the formats of other tools.

Reads runs through `garabench.records` and writes files; may import `core`, `records` and `stats`, and never
touches a device. Packages that only some formats need (pyarrow) are imported when such a format is written.
Start with `export_run`; each format has a module.
"""
