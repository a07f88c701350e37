"""One Android device over adb: connect, observe, act, wait until the screen is still, and undo changes.

The package knows Android only through adb and uiautomator2; a phone, an emulator and the virtual phone look
the same from here. It imports `garabench.core` and `garabench.errors`. Start with `device.Device`, then
`adb.Adb`; `undo` has the journal of changes.
"""
