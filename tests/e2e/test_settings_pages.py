"""Every settings page that a step can name opens, and a substitute page is reported."""

from __future__ import annotations

import typing
from collections.abc import Iterator

import pytest

from garabench.core.steps import SettingsPageStep
from garabench.device.device import Device
from garabench.interruptions.follow_up import perform_follow_up
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

APP = "com.autonavi.minimap"
TITLES = {
    "wifi": "WLAN",
    "battery-saver": "省电模式",
    "app-details": "高德地图",
    "app-permissions": "应用权限",
    "location": "位置信息",
    "display": "显示",
    "settings": "设置",
}
"""A text that is unique to each page."""
FALLBACK_TITLES = {"battery-saver": "电池", "app-permissions": "高德地图"}
"""A text on the substitute page of Android 4.4."""


@pytest.fixture(scope="module", params=["android-19:720x1280", "android-30:720x1280", "android-34:720x1280"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(device: Device) -> Device:
    device.apps.open(APP)
    return device


def test_every_page_is_tested() -> None:
    assert set(TITLES) == set(typing.get_args(SettingsPageStep.model_fields["settings_page"].annotation))


@pytest.mark.parametrize("page", sorted(TITLES))
def test_page_opens(device: Device, page: str) -> None:
    old = device.info.sdk < 22
    (result,) = perform_follow_up(device, [SettingsPageStep.model_validate({"settings_page": page})], app=APP)
    assert result.ok, result.detail
    assert bool(result.detail) is (old and page in FALLBACK_TITLES)
    assert "instead: " in result.detail or not result.detail
    title = FALLBACK_TITLES.get(page, TITLES[page]) if old else TITLES[page]
    tree = device.settle().reading.tree
    assert device.focus().package != APP
    assert title in {node.text for node in tree.nodes}, sorted({node.text for node in tree.nodes})
