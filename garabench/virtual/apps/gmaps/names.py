"""Package and activity names, as in the real app's manifest."""

from __future__ import annotations

PACKAGE = "com.google.android.apps.maps"
MAIN = "com.google.android.maps.MapsActivity"
FINE_LOCATION = "android.permission.ACCESS_FINE_LOCATION"
COARSE_LOCATION = "android.permission.ACCESS_COARSE_LOCATION"
