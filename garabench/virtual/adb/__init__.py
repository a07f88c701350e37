"""The device's side of the ADB protocol: adbd's connections, streams and services.

It imports nothing else of GaraBench: `backend` declares what the services need of the phone, and only
`server` touches sockets. Start reading at `connection`, then `services`. ``docs/wire.md`` lists what is
answered.
"""
