"""Package and activity names, as in the real app's manifest where known."""

from __future__ import annotations

PACKAGE = "com.autonavi.minimap"
MAIN = "com.autonavi.map.activity.NewMapActivity"
FINE_LOCATION = "android.permission.ACCESS_FINE_LOCATION"
COARSE_LOCATION = "android.permission.ACCESS_COARSE_LOCATION"
