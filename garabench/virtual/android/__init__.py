"""The Android system: activities, windows, packages, input, settings, hardware, faults.

It draws through `ui`, runs the apps of `apps`, and knows nothing of the wire (`adb`, `u2`) or of the
shell's commands. Start reading at `phone`, which composes the services, then `activity_manager` and
`window_manager`.
"""
