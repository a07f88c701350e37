"""uiautomator2's on-device server: HTTP, JSON-RPC and the calls of UI Automator.

It reads the screen from `ui` and acts through `android`. Start reading at `server`, then `server_session`
(its state) and ``*_calls`` (the methods by subject).
"""
