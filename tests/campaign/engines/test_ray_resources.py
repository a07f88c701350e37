from __future__ import annotations

import importlib
from typing import Any

import pytest

from garabench import InputError
from garabench.campaign.engines.ray_cluster import connector
from garabench.campaign.engines.ray_resources import (
    OfferedDevice,
    choose_devices,
    node_resources,
    offered_units,
)
from garabench.campaign.engines.remote_worker import HeldUnits
from garabench.campaign.run import make_engine
from garabench.errors import DeviceUnreachableError


def node(alive: bool = True, **resources: float) -> dict[str, Any]:
    return {"Alive": alive, "Resources": {"CPU": 8.0, "node:10.0.0.1": 1.0} | resources}


def test_units_are_those_of_living_nodes() -> None:
    nodes = [
        node(**{"device:virtual": 2.0, "device:emulator-5554": 1.0}),
        node(**{"device:emulator-5554": 1.0, "device:virtual:android-30": 1.0}),
        node(alive=False, **{"device:lost": 1.0}),
        node(**{"device:": 1.0, "device:half": 0.5}),
        {"Alive": True},
    ]
    units = {name: count for name, count in offered_units(nodes).items() if count}
    assert units == {"virtual": 2, "emulator-5554": 2, "virtual:android-30": 1}


@pytest.mark.parametrize(
    ("units", "names", "phones", "labels"),
    [
        ({"R58M": 1, "emulator-5554": 2}, (), None, ["R58M", "emulator-5554#1", "emulator-5554#2"]),
        ({"R58M": 1, "virtual": 2, "gone": 0}, ("virtual",), None, ["virtual#1", "virtual#2"]),
        ({"virtual": 3}, (), 2, ["virtual#1", "virtual#2"]),
        ({"R58M": 1, "Pixel": 1}, (), 1, ["Pixel", "R58M"]),  # the limit is that of virtual phones
        ({"R58M": 1, "Pixel": 1}, ("R58M",), None, ["R58M"]),
    ],
)
def test_each_unit_is_a_device(
    units: dict[str, int], names: tuple[str, ...], phones: int | None, labels: list[str]
) -> None:
    chosen = choose_devices(units, names, phones)
    assert [each.label for each in chosen] == labels
    assert [each.name for each in chosen] == [label.partition("#")[0] for label in labels]


@pytest.mark.parametrize(
    ("units", "names", "message"),
    [
        ({"virtual": 1}, ("virtua",), "offers the device 'virtua'.*\n.*virtual"),
        ({"virtual": 1}, ("virtual", "virtual"), "duplicate device virtual"),
        ({"virtual": 1, "R58M": 1}, (), "virtual and real devices cannot share a run"),
    ],
)
def test_wrong_choices_are_refused(units: dict[str, int], names: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose_devices(units, names)


def test_cluster_without_devices_is_reported_with_the_command_that_offers_them() -> None:
    with pytest.raises(DeviceUnreachableError, match="ray start --resources"):
        choose_devices({"virtual": 0}, ())


def test_resources_of_a_node() -> None:
    assert node_resources(["b", "a"]) == {"device:a": 1, "device:b": 1}
    assert node_resources([], 3) == {"device:virtual": 3}
    assert OfferedDevice("a", "a#2").resource == "device:a"


def test_no_more_units_are_held_than_are_offered() -> None:
    held = HeldUnits()
    assert [held.take("virtual", 2) for _ in range(3)] == [True, True, False]
    assert not held.take("gone", 0)
    held.give_back("virtual")
    assert held.take("virtual", 2)
    assert not held.take("virtual", 1)  # a node is gone


def test_engine_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(InputError, match=r"pip install 'garabench\[ray\]'"):
        connector()
    monkeypatch.setattr(importlib, "import_module", lambda name: None)
    with pytest.raises(InputError, match="not the address of a cluster"):
        connector("ray://head:10001")
    with pytest.raises(InputError, match="unknown engine 'rya'"):
        make_engine("rya")
