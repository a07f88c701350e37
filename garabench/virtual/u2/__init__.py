"""uiautomator2's on-device server: HTTP, JSON-RPC and the calls of UI Automator.

It reads the screen from `ui`, acts through `android`, and shares `http` and `adb.duplex` with the wire.
Start reading at `server`, then `server_session` (its state) and ``*_calls`` (the methods by subject).
"""
