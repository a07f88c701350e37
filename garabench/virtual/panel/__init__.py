"""The control panel of a virtual phone: a page on loopback, and an API for other programs.

It imports `control`, `http`, `ui` and `android`. Start reading at `routes`; `server` does the I/O.
"""
