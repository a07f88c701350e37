"""The manifest of Settings: its activities under their real names."""

from __future__ import annotations

from typing import Any

from garabench.virtual.apps.settings import (
    app_notifications,
    app_pages,
    battery_pages,
    display,
    home,
    keyboard_pages,
    location,
    network_pages,
    panels,
    request_pages,
    special_access,
    switch_pages,
    system_pages,
)
from garabench.virtual.apps.settings.state import state
from garabench.virtual.kit.framework import App

PACKAGE = "com.android.settings"
SETTINGS = f"{PACKAGE}.Settings"


def _initial_data() -> dict[str, Any]:
    return {"network": network_pages.HOME_NETWORK, "saved": [network_pages.HOME_NETWORK], "quiet": []}


APP = App(
    package=PACKAGE,
    label={"zh": "设置", "en": "Settings"},
    activities={
        SETTINGS: home.SettingsHomePage,
        f"{SETTINGS}$WifiSettingsActivity": network_pages.Wifi,
        f"{SETTINGS}$NetworkDashboardActivity": network_pages.NetworkDashboard,
        f"{SETTINGS}$DataUsageSummaryActivity": network_pages.DataUsage,
        f"{SETTINGS}$BatterySaverSettingsActivity": battery_pages.BatterySaver,
        f"{SETTINGS}$PowerUsageSummaryActivity": battery_pages.BatteryPage,
        f"{SETTINGS}$DisplaySettingsActivity": display.DisplayPage,
        f"{SETTINGS}$LocationSettingsActivity": location.Location,
        f"{SETTINGS}$SoundSettingsActivity": display.Sound,
        f"{SETTINGS}$LocalePickerActivity": display.Languages,
        f"{SETTINGS}$ManageApplicationsActivity": app_pages.AppList,
        app_pages.DETAILS: app_pages.AppDetailsActivity,
        app_pages.NOTIFICATIONS: app_notifications.AppNotifications,
        f"{SETTINGS}$MyDeviceInfoActivity": home.About,
        f"{SETTINGS}$AccessibilitySettingsActivity": switch_pages.Accessibility,
        f"{SETTINGS}$BluetoothSettingsActivity": switch_pages.Bluetooth,
        f"{SETTINGS}$ConnectedDeviceDashboardActivity": switch_pages.ConnectedDevices,
        f"{SETTINGS}$SecurityDashboardActivity": switch_pages.Security,
        f"{SETTINGS}$PrivacyDashboardActivity": switch_pages.Privacy,
        f"{SETTINGS}$StorageDashboardActivity": switch_pages.StoragePage,
        f"{SETTINGS}$ZenModeSettingsActivity": switch_pages.DoNotDisturb,
        f"{SETTINGS}$ConfigureNotificationSettingsActivity": switch_pages.NotificationsPage,
        f"{SETTINGS}$DevelopmentSettingsDashboardActivity": switch_pages.DeveloperOptions,
        f"{SETTINGS}$SystemDashboardActivity": switch_pages.System,
        f"{SETTINGS}$DateTimeSettingsActivity": system_pages.DateTime,
        f"{SETTINGS}$AvailableVirtualKeyboardActivity": system_pages.Keyboards,
        f"{SETTINGS}$MobileNetworkActivity": request_pages.MobileNetwork,
        f"{SETTINGS}$AdvancedConnectedDeviceActivity": request_pages.ConnectionPreferences,
        f"{SETTINGS}$VpnSettingsActivity": request_pages.Vpn,
        f"{SETTINGS}$WifiDisplaySettingsActivity": request_pages.Cast,
        f"{SETTINGS}$DreamSettingsActivity": request_pages.Dream,
        f"{SETTINGS}$CaptioningSettingsActivity": request_pages.Captioning,
        f"{SETTINGS}$UserDictionarySettingsActivity": request_pages.UserDictionary,
        f"{SETTINGS}$AccountDashboardActivity": request_pages.Accounts,
        f"{PACKAGE}.accounts.AddAccountSettings": request_pages.AddAccount,
        f"{SETTINGS}$HomeSettingsActivity": request_pages.HomeApp,
        f"{SETTINGS}$ManageAssistActivity": request_pages.VoiceInput,
        f"{SETTINGS}$NightDisplaySettingsActivity": request_pages.NightDisplay,
        f"{SETTINGS}$UsageAccessSettingsActivity": special_access.UsageAccess,
        f"{SETTINGS}$ZenAccessSettingsActivity": special_access.PolicyAccess,
        f"{SETTINGS}$NotificationAccessSettingsActivity": special_access.ListenerAccess,
        f"{SETTINGS}$OverlaySettingsActivity": special_access.Overlays,
        f"{SETTINGS}$AppDrawOverlaySettingsActivity": special_access.AppOverlay,
        f"{SETTINGS}$WriteSettingsActivity": special_access.SystemWriters,
        f"{SETTINGS}$AppWriteSettingsActivity": special_access.AppSystemWriter,
        f"{SETTINGS}$ManageExternalSourcesActivity": special_access.AppSources,
        f"{SETTINGS}$ManageAppExternalSourcesActivity": special_access.AppSource,
        f"{SETTINGS}$ManageExternalStorageActivity": special_access.AllFiles,
        f"{SETTINGS}$AppManageExternalStorageActivity": special_access.AppAllFiles,
        f"{SETTINGS}$AlarmsAndRemindersActivity": special_access.ExactAlarms,
        f"{SETTINGS}$AlarmsAndRemindersAppActivity": special_access.AppExactAlarms,
        f"{SETTINGS}$PhysicalKeyboardActivity": keyboard_pages.PhysicalKeyboard,
        f"{SETTINGS}$InputMethodAndSubtypeEnablerActivity": keyboard_pages.KeyboardLanguages,
        f"{SETTINGS}$ApnSettingsActivity": request_pages.AccessPoints,
        f"{SETTINGS}$ConfigureWifiSettingsActivity": request_pages.WifiPreferences,
        f"{SETTINGS}$TetherSettingsActivity": request_pages.Tethering,
        f"{SETTINGS}$PrintSettingsActivity": request_pages.Printing,
        f"{SETTINGS}$DataSaverSummaryActivity": request_pages.DataSaver,
        f"{SETTINGS}$SmartAutoRotateSettingsActivity": request_pages.AutoRotate,
        f"{SETTINGS}$PictureInPictureSettingsActivity": request_pages.PictureInPicture,
        f"{PACKAGE}.panel.SettingsPanelActivity": panels.SettingsPanel,
    },
    launcher=SETTINGS,
    version_name="14",
    version_code=34,
    icon_seed="settings",
    icon_color="#5F6368",
    icon_glyph="icon:settings",
    system=True,
    initial_data=_initial_data,
    state=state,
)
