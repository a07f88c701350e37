"""The system's state: the settings that a user changes, and the installed apps.

Android changes many of its settings by itself, so only these are compared.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from functools import lru_cache

from garabench.core.app_state import StateRecord
from garabench.effects.state import State, UnknownState, state_of

SETTINGS: dict[tuple[str, str], tuple[str, str]] = {
    ("system", "accelerometer_rotation"): ("自动旋转", "Auto-rotate"),
    ("system", "font_scale"): ("字体大小", "Font size"),
    ("system", "ringtone"): ("铃声", "Ringtone"),
    ("system", "screen_brightness_mode"): ("自动调节亮度", "Adaptive brightness"),
    ("system", "screen_off_timeout"): ("自动息屏时间", "Screen timeout"),
    ("system", "time_12_24"): ("24 小时制", "24-hour format"),
    ("system", "user_rotation"): ("屏幕方向", "Screen rotation"),
    ("system", "volume_alarm"): ("闹钟音量", "Alarm volume"),
    ("system", "volume_music"): ("媒体音量", "Media volume"),
    ("system", "volume_notification"): ("通知音量", "Notification volume"),
    ("system", "volume_ring"): ("铃声音量", "Ring volume"),
    ("system", "volume_voice"): ("通话音量", "Call volume"),
    ("secure", "accessibility_enabled"): ("无障碍", "Accessibility"),
    ("secure", "default_input_method"): ("默认输入法", "Default keyboard"),
    ("secure", "enabled_accessibility_services"): ("无障碍服务", "Accessibility services"),
    ("secure", "enabled_input_methods"): ("已启用的输入法", "Enabled keyboards"),
    ("secure", "location_mode"): ("位置信息", "Location"),
    ("secure", "ui_night_mode"): ("深色主题", "Dark theme"),
    ("global", "airplane_mode_on"): ("飞行模式", "Airplane mode"),
    ("global", "auto_time"): ("自动确定时间", "Automatic date and time"),
    ("global", "auto_time_zone"): ("自动确定时区", "Automatic time zone"),
    ("global", "bluetooth_on"): ("蓝牙", "Bluetooth"),
    ("global", "low_power"): ("省电模式", "Battery saver"),
    ("global", "low_power_trigger_level"): ("省电模式的电量", "Battery saver level"),
    ("global", "mobile_data"): ("移动数据", "Mobile data"),
    ("global", "wifi_on"): ("WLAN", "Wi-Fi"),
    ("global", "zen_mode"): ("勿扰模式", "Do not disturb"),
}
"""The compared settings with their names (zh, en). Adaptive brightness changes ``screen_brightness``, so it
is not among them."""
_SECTION, _APPS = re.compile(r"\[(?P<name>[a-z]+)\]"), "apps"
END = "[end]"
"""The last line of the settings and apps."""
_NAMESPACES = ("system", "secure", "global")
_PACKAGE = "package:"
_FIRST_DESCRIPTOR = 3
_PRINTED = (*(("settings", "list", name) for name in _NAMESPACES), ("pm", "list", "packages"))


def system_command(also: Sequence[str] = ()) -> tuple[str, ...]:
    """Return a command that prints the settings and the installed apps in sections, then `END`.

    The device performs the calls at the same time, since each of them waits for a service. The shell has no
    other way to keep their output apart than a pipe for each, whose end is open as a file descriptor.

    Args:
        also: Another command, whose output follows `END`.
    """
    calls = [*_PRINTED, *((tuple(also),) if also else ())]
    descriptors = range(_FIRST_DESCRIPTOR, _FIRST_DESCRIPTOR + len(calls))
    sections = " ".join(
        f"'[{name}]' \"$(cat <&{descriptor})\""  # quoted: [apps] is a pattern
        for name, descriptor in zip((*_NAMESPACES, _APPS), descriptors, strict=False)
    )
    script = f"printf '%s\\n' {sections} '{END}'"
    if also:
        script += f"; cat <&{descriptors[-1]}"
    for call, descriptor in reversed(list(zip(calls, descriptors, strict=True))):
        script = f"{shlex.join(call)} </dev/null | {{ exec {descriptor}<&0; {script}; }}"
    return "sh", "-c", script


@lru_cache(maxsize=4)  # most episodes leave the settings as they were
def parse_system(output: str) -> State:
    """Parse the output of `system_command`; unknown if a section is missing."""
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in output.replace("\r\n", "\n").split("\n"):
        found = _SECTION.fullmatch(line)
        if found is not None:
            current = sections.setdefault(found["name"], [])
        else:
            current.append(line)
    for name in (*_NAMESPACES, _APPS):
        if not any("=" in line or line.startswith(_PACKAGE) for line in sections.get(name, ())):
            return UnknownState(
                f"the device does not list its {name} {'' if name == _APPS else 'settings'}".strip()
            )
    if "end" not in sections:
        return UnknownState("the list of settings and apps has no end")
    values = {
        (namespace, key): value
        for namespace in _NAMESPACES
        for line in sections[namespace]
        for key, _, value in [line.partition("=")]
        if (namespace, key) in SETTINGS
    }
    settings = (_setting(*name, value) for name, value in values.items())
    packages = {line.removeprefix(_PACKAGE) for line in sections[_APPS] if line.startswith(_PACKAGE)}
    return state_of((*settings, *map(_installed, sorted(packages - {""}))))


def _setting(namespace: str, key: str, value: str) -> StateRecord:
    zh, en = SETTINGS[namespace, key]
    return StateRecord(
        kind="system-setting",
        object=f"{namespace}/{key}",
        fields={"value": value},
        text={"zh": f"{zh}：{value}", "en": f"{en}: {value}"},
    )


def _installed(package: str) -> StateRecord:
    return StateRecord(
        kind="installed-app",
        object=package[:500],
        text={"zh": f"已安装 {package}", "en": f"{package} is installed"},
    )
