"""uiautomator2's on-device server: HTTP, JSON-RPC and the calls of UI Automator.

It imports `ui` to read the screen, `android` and `kit` to act, `core` for geometry, and `http` and
`adb.duplex`, which the wire uses too. Start reading at `server`, then `server_session` (its state) and
``*_calls`` (the methods by subject).
"""
