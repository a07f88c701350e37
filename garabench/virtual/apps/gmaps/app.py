"""The manifest of Google Maps."""

from __future__ import annotations

from garabench.virtual.apps.gmaps import names
from garabench.virtual.apps.gmaps.activity import MapsActivity
from garabench.virtual.apps.gmaps.state import state
from garabench.virtual.apps.gmaps.store import initial_data
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "地图", "en": "Maps"},
    activities={names.MAIN: MapsActivity},
    launcher=names.MAIN,
    version_name="11.130.0102",
    version_code=1068310244,
    icon_seed="gmaps",
    icon_color="#34A853",
    icon_glyph="icon:map_marker",
    permissions=(
        "android.permission.INTERNET",
        "android.permission.ACCESS_NETWORK_STATE",
        "android.permission.POST_NOTIFICATIONS",
        names.COARSE_LOCATION,
        names.FINE_LOCATION,
        "android.permission.RECORD_AUDIO",
        "android.permission.CAMERA",
        "android.permission.READ_EXTERNAL_STORAGE",
        "android.permission.WRITE_EXTERNAL_STORAGE",
        "android.permission.READ_MEDIA_IMAGES",
    ),
    granted=frozenset({names.COARSE_LOCATION, names.FINE_LOCATION}),
    initial_data=initial_data,
    state=state,
    target_sdk=33,
)
