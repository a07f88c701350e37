"""The manifest of Amap."""

from __future__ import annotations

from garabench.virtual.apps.amap import names
from garabench.virtual.apps.amap.activity import NewMapActivity
from garabench.virtual.apps.amap.state import state
from garabench.virtual.apps.amap.store import initial_data
from garabench.virtual.kit.framework import App

APP = App(
    package=names.PACKAGE,
    label={"zh": "高德地图", "en": "Amap"},
    activities={names.MAIN: NewMapActivity},
    launcher=names.MAIN,
    version_name="13.08.0",
    version_code=13080,
    icon_seed="amap",
    icon_color="#2E8BFF",
    icon_glyph="icon:navigation",
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
