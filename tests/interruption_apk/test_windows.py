"""The companion app and its twin show the same widgets in every window."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import dropwhile
from typing import Any

import pytest

from garabench.core.companion_app import PACKAGE, encode_spec
from garabench.core.tree import UiNode, parse_tree
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml
from tests.cases import every_case
from tests.interruption_apk.windows import recorded_windows, specification_of, specifications

WINDOWS = recorded_windows()
Widget = tuple[str, str, str, str, bool]


@pytest.fixture(scope="module")
def phones() -> Mapping[str, Phone]:
    """Phones with the screen that the real app's windows are laid out for, one per language."""
    profile = Profile.parse("android-34:1080x2400")
    return {lang: Phone(profile, apps=[companion.APP], lang=lang, strict=True) for lang in ("zh", "en")}


def widget(node: UiNode) -> Widget:
    return (node.cls, node.resource_id.rpartition("/")[2], node.text, node.desc, node.clickable)


def widgets(phone: Phone) -> list[Widget]:
    """Return the widgets of the twin's window, without layouts that have neither id, text nor action."""
    nodes = [widget(node) for node in parse_tree(u2_xml(phone.scene())).nodes if node.package == PACKAGE]
    window = dropwhile(lambda each: each[1] != "dialog_root", nodes)
    return [each for each in window if any(each[1:])]


def test_recorded_windows_match_the_library() -> None:
    assert [specification_of(window) for window in WINDOWS] == list(specifications()), (
        "python -m tests.interruption_apk.windows"
    )


@every_case("window", WINDOWS, ids=lambda window: window["name"])
def test_twin_shows_the_same_widgets(window: dict[str, Any], phones: Mapping[str, Phone]) -> None:
    phone, spec = phones[window["language"]], window["spec"]
    extras = {"spec": encode_spec(spec), "token": window["name"]}
    phone.activities.start(Intent(package=PACKAGE, activity=companion.SHOW, extras=extras))
    assert widgets(phone) == [tuple(each) for each in window["widgets"]]
    assert ("later" in window) == bool(spec.get("close", {}).get("after"))
    if "later" in window:
        phone.clock.advance(spec["close"]["after"] * 1000)
        assert widgets(phone) == [tuple(each) for each in window["later"]]


def test_unclickable_slider_reacts_to_a_tap(phones: Mapping[str, Phone]) -> None:
    phone = phones["en"]
    spec = next(window["spec"] for window in WINDOWS if window["name"] == "forms-dialog-en")
    extras = {"spec": encode_spec(spec), "token": "tap"}
    phone.activities.start(Intent(package=PACKAGE, activity=companion.SHOW, extras=extras))
    (slider,) = (node for node in parse_tree(u2_xml(phone.scene())).nodes if node.cls.endswith("SeekBar"))
    assert (slider.clickable, slider.focusable) == (False, True)
    center = slider.bounds.center
    phone.input.tap(center.x, center.y)
    assert not widgets(phone), "solved: the gap is in the middle"
