"""Undo what GaraBench changes on a device: a journal on disk, leases, and the restore after a crash.

It imports `garabench.core`, `device.adb` and `device.console`. Start with `apply`, which records a change and
makes it, and `restore`, which undoes it; `lease` and `identity` say whose device it is.
"""
