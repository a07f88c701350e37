"""The camera: a viewfinder and the photos taken.

May import `virtual.kit` and `virtual.ui`. Start with `app`.
"""
