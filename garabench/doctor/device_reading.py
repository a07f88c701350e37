"""Read what the doctor checks on a device; nothing on it is changed, but apps are opened on request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from garabench.core.clock import Clock
from garabench.core.selector import Selector, find
from garabench.core.tree import UiTree
from garabench.device.adb_command import ADB, adb_command
from garabench.device.device import Device
from garabench.device.health import HealthReading, read_health
from garabench.errors import DeviceError

_SETTINGS = (
    ("system", "screen_off_timeout"),
    ("global", "stay_on_while_plugged_in"),
    ("global", "window_animation_scale"),
    ("global", "transition_animation_scale"),
    ("global", "animator_duration_scale"),
    ("global", "development_settings_enabled"),
    ("secure", "default_input_method"),
)
_RIVALS = (
    "io.appium.uiautomator2.server",
    "io.appium.uiautomator2.server.test",
    "com.github.uiautomator.test",
    "dev.mobile.maestro",
)
"""Programs that register their own UiAutomation; Android allows one at a time."""


@dataclass(frozen=True, slots=True)
class AppReading:
    """The first screen of an app.

    Attributes:
        version: Its installed version; empty if unknown.
        found, missing: The elements with which its tasks begin, on its first screen or not, as
            `Selector.describe` names them; both are empty if the app was not opened.
        problem: Why its first screen could not be read; empty if it was.
        made_for: The version for which its tasks were made; empty if unknown.
        installed: Whether it is installed.
        launcher: The component of its launcher activity; empty if it has none or was not opened.
        disabled: Whether it is installed, but disabled, so that it cannot be opened.
        opened: Whether it was opened and its first screen was read.
    """

    version: str = ""
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    problem: str = ""
    made_for: str = ""
    installed: bool = True
    launcher: str = ""
    disabled: bool = False
    opened: bool = False


@dataclass(frozen=True, slots=True)
class DeviceReading:
    """What was read from a device.

    Attributes:
        serial: Its serial.
        health: Its health, as before an episode.
        had_network: Whether it has a network route.
        settings: Values of settings by ``namespace/key``; ``null`` for those that were never set.
        language: Language of the system's locale.
        miui: Version of MIUI or HyperOS; empty for other systems.
        input_switch: ``persist.security.adbinput``: whether MIUI lets adb press keys.
        input_error: What a key press through adb printed about a missing permission; empty if it is allowed.
        input_methods: The enabled keyboards.
        rivals: Running programs that claim the UI tree, too.
        clock_offset: Seconds by which its clock is ahead of this computer's; None if unknown.
        apps: The apps that were read, by package.
        adb: How the user's shell starts adb, for the commands in findings.
    """

    serial: str
    health: HealthReading
    had_network: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"
    miui: str = ""
    input_switch: str = ""
    input_error: str = ""
    input_methods: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    clock_offset: float | None = None
    apps: Mapping[str, AppReading] = field(default_factory=dict)
    adb: str = ADB


def read_device(
    device: Device, clock: Clock, first_elements: Mapping[str, Iterable[Selector]], *, open_apps: bool
) -> DeviceReading:
    """Read a device.

    Args:
        device: The device.
        clock: This computer's clock.
        first_elements: The elements with which the tasks of each app begin, by package.
        open_apps: Whether to open each app and look for these elements; its data is not cleared.

    Raises:
        DeviceError: The device is gone.
    """
    shell = device.adb.shell
    health = read_health(device, thorough=True)
    if health.unreachable:
        raise DeviceError(health.unreachable)
    processes = shell(["ps", "-A"]).stdout + shell(["ps"]).stdout
    disabled = device.apps.disabled()
    key = shell(["input", "keyevent", "0"]).output
    return DeviceReading(
        serial=device.info.serial,
        health=health,
        had_network=True,
        settings={
            f"{namespace}/{name}": shell(["settings", "get", namespace, name])
            .check_reading("read a setting")
            .stdout.strip()
            for namespace, name in _SETTINGS
        },
        language=device.info.language,
        miui=shell(["getprop", "ro.miui.ui.version.name"]).stdout.strip(),
        input_switch=shell(["getprop", "persist.security.adbinput"]).stdout.strip(),
        input_error=next((line.strip() for line in key.splitlines() if "INJECT_EVENTS" in line), ""),
        input_methods=tuple(shell(["ime", "list", "-s"]).check("list the keyboards").stdout.split()),
        rivals=tuple(name for name in _RIVALS if re.search(rf"\s{re.escape(name)}\s*$", processes, re.M)),
        clock_offset=None if health.time is None else health.time - clock.now().timestamp(),
        apps={
            app: _app(device, app, tuple(elements), disabled=app in disabled, open_app=open_apps)
            for app, elements in first_elements.items()
        },
        adb=adb_command(),
    )


def _app(
    device: Device, app: str, elements: tuple[Selector, ...], *, disabled: bool, open_app: bool
) -> AppReading:
    if not device.apps.installed(app):
        return AppReading(installed=False)
    version = device.apps.version(app)
    if disabled:
        return AppReading(version, disabled=True)
    if not open_app:
        return AppReading(version)
    launcher = ""
    try:
        launcher = device.apps.launcher_activity(app) or ""
        device.apps.open(app)
        settled = device.settle()
        device.adb.shell(["input", "keyevent", "3"]).check("press Home")
    except DeviceError as error:
        return AppReading(version, problem=str(error), launcher=launcher)
    tree = settled.reading.tree
    if not any(node.package == app for node in tree.nodes):
        problem = "its first screen shows none of its windows"
        return AppReading(version, problem=problem, launcher=launcher)
    found, missing = divide_elements(tree, app, elements)
    return AppReading(version, found, missing, opened=True)


def divide_elements(
    tree: UiTree, app: str, elements: Iterable[Selector]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return descriptions of the elements that an app shows on a screen, and of those that it does not."""
    shown: dict[bool, list[str]] = {True: [], False: []}
    for each in elements:
        shown[any(node.package == app for node in find(tree, each))].append(each.describe())
    return tuple(shown[True]), tuple(shown[False])
