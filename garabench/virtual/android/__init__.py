"""The Android system: activities, windows, packages, input, settings, hardware, faults.

It runs the apps written with `kit`, draws through `ui`, hosts `defects`, and imports neither `u2` nor
`commands`; of `adb` it uses only `adb.sync.FileStat`. Start reading at `phone`, which composes the services,
then `activity_manager` and `window_manager`.
"""
