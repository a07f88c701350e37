"""The embedded virtual phone: an Android device behind a real ADB and uiautomator2 wire.

It may import `core` and `errors` only. A run reaches a phone over the wire; `garabench.proof.fuzz` and
`garabench.screens` drive one in their own process, and other packages import it to start phones and to read
the catalog of apps, device profiles and defects. Start reading at `phone_process` (a phone in its own
process), then `phone_backend` (the phone behind adbd) and `android.phone` (its parts); users read
``docs/virtual-phone.md``.
"""
