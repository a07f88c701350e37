"""A stand-in for Google Maps: search, places, directions, saved lists, settings.

May import `virtual.kit`, `virtual.ui` and `virtual.apps.maps`. Start with `app`; `store` holds its lasting
state.
"""
