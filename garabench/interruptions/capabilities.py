"""What a device can do for interruptions: read once before a run, by a few bulk queries.

`garabench.interruptions.feasibility` decides by it what the device cannot do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from garabench.device.device import Device
from garabench.device.free_space import parse_free

RESOLVE_SDK = 24
"""First API level with ``cmd package resolve-activity`` (Android 7)."""
WIFI_FEATURE = "android.hardware.wifi"
_CHOOSER = "android"
"""Package of the activity to which Android resolves an intent when the user must choose an app."""
_ROOT = ("su", "0", "id", "-u")
_PACKAGE = re.compile(r"^package:(\S+)\s*$", re.MULTILINE)
_FEATURE = re.compile(r"^feature:(\S+)\s*$", re.MULTILINE)
_TABLE = re.compile(r"^Activity Resolver Table:\s*$(?P<body>.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^ *(?P<title>[A-Z][A-Za-z -]*):$")
_KEY = re.compile(r"^ *(?P<key>[a-z]\S*):$")
_HANDLER = re.compile(r"^ *[0-9a-f]+ (?P<package>[\w.]+)/\S+(?: filter [0-9a-f]+)?$")
_SCHEMES, _ACTIONS = "Schemes", "Non-Data Actions"


@dataclass(frozen=True, slots=True)
class ActivityQuery:
    """An intent whose activity a device may lack.

    Attributes:
        action: Its action.
        data: Its data, with ``{app}`` for the task's app; empty for none.
    """

    action: str
    data: str = ""

    def __str__(self) -> str:
        return f"{self.action} {self.data}".strip()


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a device can do.

    Attributes:
        serial: Its serial.
        sdk: Android's API level.
        packages: The installed and enabled apps.
        disabled: The installed apps that are disabled; read only if an app of the plan is missing.
        features: The hardware features; None if unknown.
        unresolved: Those of the requested queries that no single activity answers.
        rooted: Whether ``su 0`` gives root; False if that was not requested.
        free_bytes: Free space for apps' data; None if unknown.
        height_dp: Height of the screen in density-independent pixels; None if unknown.
    """

    serial: str
    sdk: int
    packages: frozenset[str]
    features: frozenset[str] | None = None
    unresolved: frozenset[ActivityQuery] = frozenset()
    rooted: bool = False
    free_bytes: int | None = None
    height_dp: int | None = None
    disabled: frozenset[str] = frozenset()

    @property
    def wifi(self) -> bool:
        """Whether it has Wi-Fi; True if unknown."""
        return self.features is None or WIFI_FEATURE in self.features


def read_capabilities(
    device: Device, *, queries: Iterable[ActivityQuery] = (), app: str, wifi: bool = False, root: bool = False
) -> Capabilities:
    """Read what a device can do.

    Args:
        device: The device.
        queries: The intents to resolve.
        app: The app that replaces ``{app}`` in them.
        wifi: Whether to find out if it has Wi-Fi.
        root: Whether to find out if it gives root.

    Raises:
        DeviceError: The device is gone.
    """
    shell = device.adb.shell
    packages = frozenset(
        _PACKAGE.findall(shell(["pm", "list", "packages", "-e"]).check("list the apps").stdout)
    )
    wanted = tuple(dict.fromkeys(queries))
    if device.info.sdk >= RESOLVE_SDK:
        unresolved = frozenset(each for each in wanted if not _resolves(device, each, app))
    elif wanted:
        unresolved = unresolved_in(shell(["dumpsys", "package", "resolvers"]).stdout, wanted, packages)
    else:
        unresolved = frozenset()
    return Capabilities(
        serial=device.info.serial,
        sdk=device.info.sdk,
        packages=packages,
        features=read_features(device) if wifi else None,
        unresolved=unresolved,
        rooted=root and shell(list(_ROOT)).stdout.strip() == "0",
        free_bytes=parse_free(shell(["df", "/data"]).stdout),
        height_dp=device.info.height_dp,
    )


def read_features(device: Device) -> frozenset[str] | None:
    """Return the hardware features of a device; None if it lists none.

    Raises:
        DeviceError: The device is gone.
    """
    listed = device.adb.shell(["pm", "list", "features"]).check_reading("list the features").stdout
    found = frozenset(_FEATURE.findall(listed))
    return found or None


def _resolves(device: Device, query: ActivityQuery, app: str) -> bool:
    found = device.apps.resolve(action=query.action, data=query.data.replace("{app}", app))
    return found is not None and found.package != _CHOOSER


def unresolved_in(
    dump: str, queries: Iterable[ActivityQuery], packages: frozenset[str]
) -> frozenset[ActivityQuery]:
    """Return the queries that no enabled app answers, by ``dumpsys package resolvers``.

    The tables list the activities by action, or by scheme for intents with data. If the dump has no such
    table, nothing is known, and nothing is returned.

    Args:
        dump: The output of the command.
        queries: The queries.
        packages: The enabled apps; the tables list disabled ones too.
    """
    table = _TABLE.search(dump)
    if table is None:
        return frozenset()
    handlers: dict[tuple[str, str], set[str]] = {}
    section = key = ""
    for line in table["body"].splitlines():
        if match := _SECTION.match(line):
            section = match["title"]
        elif match := _KEY.match(line):
            key = match["key"]
        elif match := _HANDLER.match(line):
            handlers.setdefault((section, key), set()).add(match["package"])

    def answered(query: ActivityQuery) -> bool:
        place = (_SCHEMES, query.data.partition(":")[0]) if query.data else (_ACTIONS, query.action)
        return bool(handlers.get(place, set()) & packages)

    return frozenset(query for query in queries if not answered(query))
