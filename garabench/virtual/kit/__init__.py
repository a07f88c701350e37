"""The kit of the virtual phone's apps: app framework, loading pages, icons, servers, intent payloads, maps.

May import `virtual.ui`; it imports no app and nothing of `virtual.android`, which hosts the apps.
Start with `framework`: `App`, `Activity`, `Intent`, `Context`.
"""
