"""The manifest of Settings: its activities under their real names."""

from __future__ import annotations

from typing import Any

from garabench.virtual.apps.settings import access, apps, display, home, location, network, power
from garabench.virtual.kit.framework import App

PACKAGE = "com.android.settings"
SETTINGS = f"{PACKAGE}.Settings"


def _initial_data() -> dict[str, Any]:
    return {"network": network.HOME_NETWORK, "saved": [network.HOME_NETWORK], "quiet": []}


APP = App(
    package=PACKAGE,
    label={"zh": "设置", "en": "Settings"},
    activities={
        SETTINGS: home.SettingsHomePage,
        f"{SETTINGS}$WifiSettingsActivity": network.Wifi,
        f"{SETTINGS}$NetworkDashboardActivity": network.NetworkDashboard,
        f"{SETTINGS}$DataUsageSummaryActivity": network.DataUsage,
        f"{SETTINGS}$BatterySaverSettingsActivity": power.BatterySaver,
        f"{SETTINGS}$PowerUsageSummaryActivity": power.BatteryPage,
        f"{SETTINGS}$DisplaySettingsActivity": display.DisplayPage,
        f"{SETTINGS}$LocationSettingsActivity": location.Location,
        f"{SETTINGS}$SoundSettingsActivity": display.Sound,
        f"{SETTINGS}$LocalePickerActivity": display.Languages,
        f"{SETTINGS}$ManageApplicationsActivity": apps.AppList,
        apps.DETAILS: apps.AppDetailsActivity,
        apps.NOTIFICATIONS: access.AppNotifications,
        f"{SETTINGS}$MyDeviceInfoActivity": home.About,
    },
    launcher=SETTINGS,
    version_name="14",
    version_code=34,
    icon_seed="settings",
    icon_color="#5F6368",
    icon_glyph="icon:settings",
    system=True,
    initial_data=_initial_data,
)
