"""The clock: alarms and a stopwatch.

May import `virtual.kit`, `virtual.ui` and the rows of `virtual.apps.settings`. Start with `app`.
"""
