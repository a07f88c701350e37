"""A page that is asked for is the one that is up; what stands in for it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from garabench.core.observation import Focus
from garabench.device.adb import ShellResult
from garabench.device.device import Device
from garabench.errors import CommandFailed
from garabench.interruptions.pages import Opened, open_page

APP = "com.example.reader"
DETAILS = "android.settings.APPLICATION_DETAILS_SETTINGS"
MANAGE = "android.intent.action.MANAGE_APP_PERMISSIONS"
SETTINGS = "com.android.settings"


@dataclass
class FakeApps:
    """Opens what it knows: the package in front by action; a text after it is what ``am start`` says."""

    fronts: dict[str, tuple[str, str]]
    started: list[dict[str, Any]] = field(default_factory=list)
    front: str = APP

    def start(self, **what: Any) -> ShellResult:
        self.started.append(what)
        if what["action"] not in self.fronts:
            raise CommandFailed(f"could not start {what['action']}: unable to resolve Intent")
        self.front, said = self.fronts[what["action"]]
        return ShellResult(("am", "start"), 0, said)

    def focus(self) -> Focus:
        return Focus(package=self.front, activity=".Page")


def opened(page: str, fronts: dict[str, tuple[str, str]], sdk: int = 34) -> tuple[Opened, FakeApps]:
    @dataclass
    class Info:
        sdk: int

    @dataclass
    class FakeDevice:
        apps: FakeApps
        info: Info

    apps = FakeApps(fronts)
    return open_page(cast(Device, FakeDevice(apps, Info(sdk))), page, APP), apps


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("com.android.permissioncontroller", ""),
        ("com.google.android.permissioncontroller", ""),
        ("com.google.android.packageinstaller", ""),
        ("com.vendor.safecenter", "Status: ok\nActivity: com.vendor.safecenter/.Permissions\nComplete\n"),
    ],
)
def test_the_page_of_permissions_is_that_of_the_app(front: str, said: str) -> None:
    result, apps = opened("app-permissions", {MANAGE: (front, said)})
    assert result == Opened(True)
    assert apps.started == [{"action": MANAGE, "extras": {"android.intent.extra.PACKAGE_NAME": APP}}]


@pytest.mark.parametrize(
    ("sdk", "fronts", "why"),
    [
        (34, {}, "unable to resolve Intent"),
        (34, {MANAGE: (APP, "Activity: com.vendor.center/.Gone\n")}, f"{APP} is in front"),
        (19, {MANAGE: ("com.android.packageinstaller", "")}, "since its version 6"),
    ],
)
def test_without_such_a_page_the_apps_details_are_opened_and_that_is_told(
    sdk: int, fronts: dict[str, tuple[str, str]], why: str
) -> None:
    result, apps = opened("app-permissions", {**fronts, DETAILS: (SETTINGS, "")}, sdk)
    assert result.ok
    assert result.detail.startswith("the app's details are up instead: ")
    assert why in result.detail
    assert apps.started[-1] == {"action": DETAILS, "data": f"package:{APP}"}


def test_what_is_not_up_is_not_done() -> None:
    result, _ = opened("app-permissions", {DETAILS: (APP, "")})
    assert not result.ok
    assert f"{APP} is in front" in result.detail
    result, _ = opened("wifi", {"android.settings.WIFI_SETTINGS": (APP, "")})
    assert result == Opened(False, f"the page is not up: {APP} is in front")


def test_a_page_of_settings_is_up_when_settings_are_in_front() -> None:
    result, apps = opened("app-details", {DETAILS: (SETTINGS, "")})
    assert result == Opened(True)
    assert apps.started == [{"action": DETAILS, "data": f"package:{APP}"}]
    with pytest.raises(CommandFailed):
        opened("location", {})
