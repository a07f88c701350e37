"""One Android device over adb: connect, observe, act, wait for stillness, and undo what was changed.

The package knows Android only through adb and uiautomator2; a phone, an emulator and the virtual phone look
the same from here. It imports `garabench.core` and `garabench.errors`. Start with `device.Device`, then
`adb.Adb`; `undo` keeps the journal of changes.
"""
