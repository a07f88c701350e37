"""Steps of a probe that no agent's action can perform, on a virtual phone."""

from __future__ import annotations

from functools import partial

import pytest

from garabench.device.device import Device
from garabench.device.undo.entry import Scope
from garabench.device.undo.restore import restore_device
from garabench.diagnosis.deep_links import SEARCH_LINKS
from garabench.diagnosis.probe import OpenLink, TurnScreen
from garabench.probing.perform_probe import device_problem, perform_tester_step
from tests.waits import until

pytestmark = pytest.mark.e2e


def _is_in_front(device: Device, package: str) -> bool:
    return device.focus().package == package


def test_every_search_link_opens_its_app(device: Device) -> None:
    for package, link in SEARCH_LINKS.items():
        assert perform_tester_step(device, OpenLink(package, link.format(query="a%20b"))) == ""
        until(partial(_is_in_front, device, package))
    problem = perform_tester_step(device, OpenLink("com.android.settings", "nothing://here"))
    assert "could not start" in problem


def test_a_turned_screen_is_turned_back_at_the_end(device: Device) -> None:
    assert perform_tester_step(device, TurnScreen(1)) == ""
    until(lambda: device.read_tree().tree.rotation == 1)
    restore_device(device.adb, device.journal, Scope.EPISODE)
    until(lambda: device.read_tree().tree.rotation == 0)


def test_a_device_without_a_network_is_a_problem(device: Device) -> None:
    assert device_problem(device) == ""
    device.adb.shell(["svc", "wifi", "disable"])
    device.adb.shell(["svc", "data", "disable"])
    assert device_problem(device) == "the device has no network route"
