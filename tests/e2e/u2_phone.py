"""A phone with the stock uiautomator2 client, and helpers that open pages of Settings."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import uiautomator2 as u2

from garabench.virtual.phone_process import VirtualPhone

SETTINGS = "com.android.settings"
LIST = f"{SETTINGS}:id/recycler_view"
SEARCH = f"{SETTINGS}:id/search_src_text"
TITLE = "android:id/title"


@contextlib.contextmanager
def connect_client() -> Iterator[u2.Device]:
    """Start a phone and connect a client to it."""
    with VirtualPhone("android-34:720x1280") as phone:
        device = u2.connect(phone.serial)
        device.settings["wait_timeout"] = 2.0
        yield device
        device.stop_uiautomator(wait=False)


def open_first_page(device: u2.Device) -> u2.Device:
    """Bring the first page of Settings to the foreground."""
    device.press("home")
    device.app_stop(SETTINGS)
    device.app_start(SETTINGS)
    return device


def open_page(device: u2.Device, name: str) -> None:
    """Open another page of Settings."""
    device.shell(["am", "start", "-n", f"{SETTINGS}/{SETTINGS}.Settings${name}Activity"])


def open_app_search(device: u2.Device) -> u2.UiObject:
    """Open the page of all apps, and return its search field."""
    open_page(device, "ManageApplications")
    return device(resourceId=SEARCH)
