"""What the apps of the virtual phone share: the app framework, pages that load, icons, servers, payloads.

May import `virtual.ui`; it imports no app and nothing of `virtual.android`, which hosts the apps.
Start with `framework`: `App`, `Activity`, `Intent`, `Context`.
"""
