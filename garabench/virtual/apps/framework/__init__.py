"""The framework's own package ``android``: the activity that asks which app to open.

May import `virtual.kit`, `virtual.ui`, `virtual.android` and `virtual.apps.settings`. Start with `app`.
"""
