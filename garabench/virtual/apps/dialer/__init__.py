"""The telephone: a keypad, calls, and the list of recent calls.

May import `virtual.kit`, `virtual.ui` and the rows of `virtual.apps.settings`. Start with `app`.
"""
