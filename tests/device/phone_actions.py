"""Actions on a phone for the device layer's tests, and a counter of its calls."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from garabench.core import action as act
from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode, UiTree
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.device.text import focused_field
from garabench.device.u2_client import U2Client

BILIBILI = "tv.danmaku.bili"
LAUNCHER = "com.android.launcher3"


def do(device: Device, action: act.Action) -> UiTree:
    done = device.perform(action, device.info.size)
    assert done.ok, done.detail
    return device.settle().reading.tree


def one(tree: UiTree, **what: object) -> UiNode:
    found = find(tree, Selector.model_validate(what))
    assert found, what
    return found[0]


def tap(device: Device, node: UiNode) -> UiTree:
    return do(device, act.Tap(x=node.bounds.center.x, y=node.bounds.center.y))


def search_field(device: Device) -> UiNode:
    tree = tap(device, one(device.settle().reading.tree, id="expand_search"))
    field = focused_field(tree)
    if field is None:
        field = focused_field(tap(device, one(tree, id="search_src_text")))
    assert field is not None
    return field


def content(device: Device) -> str:
    field = focused_field(device.settle().reading.tree)
    assert field is not None
    return field.text


def keyboard(device: Device) -> str:
    return device.adb.shell(["settings", "get", "secure", "default_input_method"]).stdout.strip()


def texts(tree: UiTree) -> set[str]:
    return {node.text for node in tree.app_nodes if node.text}


@dataclass
class CallCounter:
    """Counts the calls to a device by command or method."""

    calls: Counter[str] = field(default_factory=Counter)

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        plain, call = Adb._read_all, U2Client.call

        def read_all(adb: Adb, service: str, *args: Any) -> bytes:
            words = shlex.split(service.partition(":")[2])
            self.calls[" ".join(words[:2]).rstrip(";")] += 1
            return plain(adb, service, *args)

        def called(server: U2Client, method: str, *args: Any, **named: Any) -> Any:
            self.calls[method] += 1
            return call(server, method, *args, **named)

        monkeypatch.setattr(Adb, "_read_all", read_all)
        monkeypatch.setattr(U2Client, "call", called)
