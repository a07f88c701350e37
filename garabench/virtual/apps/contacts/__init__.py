"""The contacts: a list, a page for each, and a form for new ones.

May import `virtual.kit`, `virtual.ui` and the rows of `virtual.apps.settings`. Start with `app`.
"""
