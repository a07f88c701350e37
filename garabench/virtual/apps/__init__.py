"""The apps of the virtual phone: the suite's eight stand-ins, system apps, and the companion app's twin.

An app is a package of activities on `virtual.kit.framework`. It may import `virtual.kit` and `virtual.ui`,
system apps also `virtual.android` and parts of `virtual.apps.settings`, but no app imports the wire. Start
with `catalog`, then a small app such as `board`.
"""
