"""A stand-in for Amap (高德地图): search, places, routes, navigation, favourites, settings.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `store` holds its persistent state.
"""
