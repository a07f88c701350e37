"""A stand-in for Amap (高德地图): search, places, routes, navigation, favourites, settings."""
