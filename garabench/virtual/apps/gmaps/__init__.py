"""A stand-in for Google Maps: search, places, directions, saved lists, settings.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `store` holds its persistent state.
"""
