"""The settings provider: ``system``, ``secure`` and ``global``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

NAMESPACES = ("system", "secure", "global")
Observer = Callable[[str | None], None]

_DEFAULTS: Mapping[str, str] = {
    "system": """\
        accelerometer_rotation=0 alarm_alert_set=1 dim_screen=1 dtmf_tone=1 dtmf_tone_type=0 font_scale=1.0
        haptic_feedback_enabled=1 hearing_aid=0 lockscreen_sounds_enabled=1 mode_ringer_streams_affected=422
        mute_streams_affected=111 notification_light_pulse=1 notification_sound_set=1 peak_refresh_rate=60.0
        pointer_speed=0 ringtone_set=1 screen_brightness=128 screen_brightness_mode=0
        screen_off_timeout=600000 sound_effects_enabled=1 status_bar_show_battery_percent=0 tty_mode=0
        user_rotation=0 vibrate_on=1 vibrate_when_ringing=0 volume_alarm=6 volume_bluetooth_sco=7
        volume_music=7 volume_notification=4 volume_ring=4 volume_system=7 volume_voice=5""",
    "secure": """\
        accessibility_display_inversion_enabled=0 accessibility_display_magnification_enabled=0
        accessibility_enabled=0 android_id=9774d56d682e549c backup_enabled=0 bluetooth_name=Virtual
        default_input_method=com.google.android.inputmethod.latin/.LatinIME double_tap_to_wake=1
        doze_enabled=1 enabled_input_methods=com.google.android.inputmethod.latin/.LatinIME
        immersive_mode_confirmations=confirmed input_methods_subtype_history= install_non_market_apps=0
        location_mode=3 lock_screen_allow_private_notifications=1 lock_screen_lock_after_timeout=5000
        lock_screen_show_notifications=1 long_press_timeout=400 mount_play_not_snd=1 mount_ums_autostart=0
        mount_ums_notify_enabled=1 mount_ums_prompt=1 navigation_mode=0 night_display_activated=0
        screensaver_activate_on_dock=1 screensaver_activate_on_sleep=0 screensaver_enabled=1
        selected_input_method_subtype=-1 show_ime_with_hard_keyboard=0 show_note_about_notification_hiding=0
        silence_gesture=0 sleep_timeout=-1 speak_password=1 touch_exploration_enabled=0 ui_night_mode=1
        user_setup_complete=1 volume_hush_gesture=1 wake_gesture_enabled=1""",
    "global": """\
        add_users_when_locked=0 adb_enabled=1 airplane_mode_on=0 airplane_mode_radios=cell,bluetooth,wifi,nfc
        airplane_mode_toggleable_radios=bluetooth,wifi,nfc always_finish_activities=0
        animator_duration_scale=1.0 assisted_gps_enabled=1 audio_safe_volume_state=1 auto_time=1
        auto_time_zone=1 bluetooth_on=1 boot_count=1 call_auto_retry=0
        captive_portal_mode=1 car_dock_sound=/system/media/audio/ui/Dock.ogg cdma_subscription_mode=1
        charging_sounds_enabled=1 data_roaming=0 default_install_location=0 development_settings_enabled=1
        device_name=Virtual device_provisioned=1 dock_audio_media_enabled=1 dock_sounds_enabled=0
        emergency_tone=0 enable_freeform_support=0 force_resizable_activities=0
        heads_up_notifications_enabled=1 hide_error_dialogs=0 install_non_market_apps=0
        lock_sound=/system/media/audio/ui/Lock.ogg
        low_battery_sound=/system/media/audio/ui/LowBattery.ogg low_battery_sound_timeout=0 low_power=0
        low_power_sticky=0 low_power_trigger_level=0 mobile_data=0 mobile_data_always_on=1 mode_ringer=2
        multi_sim_data_call=1 netstats_enabled=1 network_scoring_provisioned=1 package_verifier_enable=1
        power_sounds_enabled=1 preferred_network_mode=9 private_dns_default_mode=opportunistic
        require_password_to_decrypt=0 restrict_background_data=0 set_install_location=0
        stay_on_while_plugged_in=0 sys_storage_full_threshold_bytes=1048576 sys_storage_threshold_percentage=5
        transition_animation_scale=1.0 trusted_sound=/system/media/audio/ui/Trusted.ogg
        unlock_sound=/system/media/audio/ui/Unlock.ogg usb_mass_storage_enabled=1
        verifier_verify_adb_installs=1
        wait_for_debugger=0 wifi_display_on=0 wifi_max_dhcp_retry_count=9
        wifi_networks_available_notification_on=1
        wifi_on=1 wifi_scan_always_enabled=0 wifi_sleep_policy=2 wifi_watchdog_on=1 window_animation_scale=1.0
        wireless_charging_started_sound=/system/media/audio/ui/WirelessChargingStarted.ogg zen_mode=0
        zen_mode_config_etag=-1""",
}
"""The settings of a new phone: those of AOSP's ``SettingsProvider`` (``defaults.xml``) and those that
services write at the first boot, as ``NAME=VALUE`` separated by white space."""
_SINCE: Mapping[str, int] = {
    **dict.fromkeys(("font_scale", "low_power", "user_rotation"), 21),
    **dict.fromkeys(
        ("immersive_mode_confirmations", "heads_up_notifications_enabled", "low_power_sticky"), 21
    ),
    **dict.fromkeys(("low_power_trigger_level", "zen_mode", "zen_mode_config_etag", "doze_enabled"), 21),
    **dict.fromkeys(("double_tap_to_wake", "wake_gesture_enabled", "lock_screen_show_notifications"), 21),
    **dict.fromkeys(("lock_screen_allow_private_notifications", "sleep_timeout", "trusted_sound"), 21),
    **dict.fromkeys(("accessibility_display_inversion_enabled", "show_note_about_notification_hiding"), 21),
    **dict.fromkeys(("add_users_when_locked", "wireless_charging_started_sound"), 21),
    **dict.fromkeys(("charging_sounds_enabled",), 23),
    **dict.fromkeys(("boot_count", "captive_portal_mode", "enable_freeform_support", "device_name"), 24),
    **dict.fromkeys(("force_resizable_activities", "show_ime_with_hard_keyboard", "hide_error_dialogs"), 24),
    **dict.fromkeys(("night_display_activated", "mobile_data_always_on"), 24),
    **dict.fromkeys(("status_bar_show_battery_percent", "navigation_mode", "silence_gesture"), 28),
    **dict.fromkeys(("private_dns_default_mode", "volume_hush_gesture", "restrict_background_data"), 28),
    **dict.fromkeys(("peak_refresh_rate", "vibrate_on"), 30),
}
"""First API level on which a setting has a value before it is first set."""
_UNTIL: Mapping[str, int] = {
    **dict.fromkeys(("mount_play_not_snd", "mount_ums_autostart", "mount_ums_notify_enabled"), 30),
    **dict.fromkeys(("mount_ums_prompt", "usb_mass_storage_enabled", "wifi_watchdog_on"), 30),
    **dict.fromkeys(("install_non_market_apps", "alarm_alert_set"), 30),
}
"""Last API level on which a setting has a value."""


@functools.cache
def _defaults(namespace: str, sdk: int) -> Mapping[str, str]:
    pairs = (word.split("=", 1) for word in _DEFAULTS[namespace].split())
    return {name: value for name, value in pairs if _SINCE.get(name, 0) <= sdk <= _UNTIL.get(name, sdk)}


class Settings:
    """The settings and their observers."""

    def __init__(self, sdk: int) -> None:
        """Create the settings of a new phone.

        Args:
            sdk: API level.
        """
        self._values = {name: dict(_defaults(name, sdk)) for name in NAMESPACES}
        self._observers: dict[tuple[str, str], list[Observer]] = {}

    def get(self, namespace: str, key: str) -> str | None:
        """Return a setting's value, or None if it is not set.

        Raises:
            KeyError: The namespace is unknown.
        """
        return self._values[namespace].get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        """Write a setting; observers are notified if it changes."""
        if self._values[namespace].get(key) != value:
            self._values[namespace][key] = value
            self._notify(namespace, key, value)

    def delete(self, namespace: str, key: str) -> bool:
        """Remove a setting; return whether it was set."""
        if self._values[namespace].pop(key, None) is None:
            return False
        self._notify(namespace, key, None)
        return True

    def list(self, namespace: str) -> Mapping[str, str]:
        """Return all settings of a namespace."""
        return dict(sorted(self._values[namespace].items()))

    def observe(self, namespace: str, key: str, observer: Observer) -> None:
        """Observe a setting: the callback gets the new value, or None after its removal."""
        self._observers.setdefault((namespace, key), []).append(observer)

    def _notify(self, namespace: str, key: str, value: str | None) -> None:
        for observer in self._observers.get((namespace, key), []):
            observer(value)
