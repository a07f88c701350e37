"""Settings pages are opened and verified; a substitute is reported."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from garabench.core.observation import Focus
from garabench.core.tree import SYSTEM_UI
from garabench.device.adb import ShellResult
from garabench.device.device import Device
from garabench.device.focus import parse_window_component
from garabench.errors import CommandError
from garabench.interruptions.settings_pages import OpenedPage, open_page

APP = "com.example.reader"
DETAILS = "android.settings.APPLICATION_DETAILS_SETTINGS"
MANAGE = "android.intent.action.MANAGE_APP_PERMISSIONS"
SETTINGS = "com.android.settings"
WIFI = "android.settings.WIFI_SETTINGS"


@dataclass
class FakeApps:
    """Opens known actions: each has the component that is then in front, and the one it resolves to."""

    fronts: dict[str, tuple[str, str]]
    started: list[dict[str, Any]] = field(default_factory=list)
    front: str = f"{APP}/.Main"

    def start(self, **intent: Any) -> ShellResult:
        self.started.append({key: value for key, value in intent.items() if value})
        if intent["action"] not in self.fronts:
            raise CommandError(f"could not start {intent['action']}: unable to resolve Intent")
        self.front = self.fronts[intent["action"]][0] or self.front
        return ShellResult(("am", "start"), 0, f"Status: ok\nActivity: {self.front}\nComplete\n")

    def resolve(self, *, action: str, data: str = "") -> Focus | None:
        return parse_window_component(self.fronts.get(action, ("", ""))[1])

    def focus(self) -> Focus:
        return parse_window_component(self.front) or Focus(package=SYSTEM_UI, activity="")


def opened(
    page: str, fronts: dict[str, tuple[str, str]], sdk: int = 34, front: str = f"{APP}/.Main"
) -> tuple[OpenedPage, FakeApps]:
    @dataclass
    class Info:
        sdk: int

    class FakeAdb:
        def shell(self, argv: list[str]) -> ShellResult:
            title = apps.front if argv == ["dumpsys", "window"] else ""
            return ShellResult(tuple(argv), 0, f"mCurrentFocus=Window{{1 u0 {title}}}" if title else "")

    @dataclass
    class FakeDevice:
        apps: FakeApps
        info: Info
        adb: FakeAdb = field(default_factory=FakeAdb)

        def wait(self, seconds: float) -> None:
            pass

    apps = FakeApps(fronts, front=front)
    return open_page(cast(Device, FakeDevice(apps, Info(sdk))), page, APP), apps


@pytest.mark.parametrize(
    ("front", "resolved"),
    [
        ("com.android.permissioncontroller/.Manage", "com.android.permissioncontroller/.Manage"),
        ("com.google.android.packageinstaller/.Apps", "com.google.android.packageinstaller/.Manage"),
        ("com.vendor.safecenter/.Permissions", ""),
    ],
)
def test_the_permissions_page_of_the_app_is_opened(front: str, resolved: str) -> None:
    result, apps = opened("app-permissions", {MANAGE: (front, resolved)})
    assert result == OpenedPage(True)
    assert apps.started == [{"action": MANAGE, "extras": {"android.intent.extra.PACKAGE_NAME": APP}}]


@pytest.mark.parametrize(
    ("sdk", "fronts", "reason"),
    [
        (34, {}, "unable to resolve Intent"),
        (34, {MANAGE: ("", "com.vendor.center/.Gone")}, f"{APP}/.Main is in the foreground"),
        (19, {MANAGE: ("com.android.packageinstaller/.Manage", "")}, "only since version 6"),
    ],
)
def test_without_a_permissions_page_the_apps_details_are_opened(
    sdk: int, fronts: dict[str, tuple[str, str]], reason: str
) -> None:
    page = (f"{SETTINGS}/.Details", f"{SETTINGS}/.Details" if sdk >= 24 else "")
    result, apps = opened("app-permissions", {**fronts, DETAILS: page}, sdk)
    assert result.ok
    assert result.detail.startswith("opened the app's details instead: ")
    assert reason in result.detail
    assert apps.started[-1] == {"action": DETAILS, "data": f"package:{APP}"}


@pytest.mark.parametrize("resolved", [f"{SETTINGS}/.Wifi", ""])
@pytest.mark.parametrize("front", [f"{APP}/.Main", f"{SETTINGS}/.Display", "NotificationShade"])
def test_a_page_that_does_not_appear_is_not_shown(front: str, resolved: str) -> None:
    result, _ = opened("wifi", {WIFI: ("", resolved)}, front=front)
    assert not result.ok
    assert result.detail.endswith(f"did not appear: {front} is in the foreground")


def test_a_window_that_covers_the_page_is_reported() -> None:
    result, _ = opened("wifi", {WIFI: ("Application Error: com.a", f"{SETTINGS}/.Wifi")})
    detail = f"{SETTINGS}/{SETTINGS}.Wifi did not appear: Application Error: com.a is in the foreground"
    assert result == OpenedPage(False, detail)


def test_the_app_chooser_is_not_the_page() -> None:
    result, _ = opened("wifi", {WIFI: ("android/.Resolver", "android/.Resolver")})
    assert result == OpenedPage(False, f"Android asks the user which app should open {WIFI}")


def test_a_page_counts_if_it_is_in_front_was_in_front_or_redirected() -> None:
    details = f"{SETTINGS}/.Details"
    result, apps = opened("app-details", {DETAILS: (details, details)})
    assert result == OpenedPage(True)
    assert apps.started == [{"action": DETAILS, "data": f"package:{APP}"}]
    assert opened("wifi", {WIFI: ("", f"{SETTINGS}/.Wifi")}, front=f"{SETTINGS}/.Wifi")[0].ok
    assert opened("wifi", {WIFI: (f"{SETTINGS}/.Sub", f"{SETTINGS}/.Wifi")})[0].ok
    with pytest.raises(CommandError):
        opened("location", {})
