"""The map library of the virtual phone's map apps: an atlas, map pictures, place search, and routes.

May import `virtual.kit` and `virtual.ui`. Start with `atlas`; `view` is the map widget.
"""
