"""Test doubles shipped with GaraBench: a fake model server that plays scripts, functions or whole solutions.

May import anything below `testing`, never a device. Start with `server` (`FakeModelServer`) and
`behaviour`; `follower` solves the suite's tasks in any dialect, `faults` lists the errors it can inject.
"""
