"""The camera: a viewfinder and the photos taken.

May import `virtual.kit`, `virtual.ui` and the rows of `virtual.apps.settings`. Start with `app`.
"""
