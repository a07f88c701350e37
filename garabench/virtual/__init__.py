"""The embedded virtual phone: an Android device behind a real ADB and uiautomator2 wire.

It may import `core` and `errors` only, and the rest of GaraBench reaches it over the wire; only commands
that start a phone import it. Start reading at `phone_process` (a phone in its own process), then
`phone_backend` (the phone behind adbd) and `android.phone` (its parts). ``docs/virtual-phone.md`` describes
it for users.
"""
