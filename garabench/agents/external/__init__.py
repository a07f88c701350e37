"""External agents: Python classes, programs, HTTP services, and autonomous agents that drive the device.

Their code is not trusted: every call has a deadline, every reply is validated, every process is terminated.
May import `core`, `records` and the agent interface. Start with `protocol`; `address` lists the forms of
their names.
"""
