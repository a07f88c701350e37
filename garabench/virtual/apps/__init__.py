"""The apps of the virtual phone: the suite's eight stand-ins, system apps, and the companion app's twin.

An app is a package of activities on `virtual.kit.framework`. It may import `virtual.kit` and `virtual.ui`,
but neither another app nor the wire; system apps also show the state of `virtual.android`. Start with
`catalog`, then a small app such as `board`.
"""
