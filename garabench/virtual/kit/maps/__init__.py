"""Map library of the virtual phone's map apps: an atlas, its picture, search, and routes.

May import `virtual.kit` and `virtual.ui`. Start with `atlas`; `view` draws it as a widget.
"""
