"""The control panel of a virtual phone: a page on loopback, and the API that other programs control it by.

It imports `control`, `http` and `android`. Start reading at `routes`; `server` does the I/O.
"""
