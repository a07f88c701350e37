"""Every widget of the companion's windows is the same on the real app and on its twin."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import dropwhile
from typing import Any

import pytest

from garabench.core.tree import UiNode, parse_tree
from garabench.interruptions.plan import PACKAGE, encode_spec
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.apps.framework import Intent
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.profile import Profile
from garabench.virtual.ui.dump import u2_xml
from tests.interruption_apk.windows import kept, specifications, specified

WINDOWS = kept()
Widget = tuple[str, str, str, str, bool]


@pytest.fixture(scope="module")
def phones() -> Mapping[str, Phone]:
    """The screen that the real app's windows are laid out for, in both languages."""
    profile = Profile.parse("android-34:1080x2400")
    return {lang: Phone(profile, apps=[companion.APP], lang=lang, strict=True) for lang in ("zh", "en")}


def told(node: UiNode) -> Widget:
    return (node.cls, node.resource_id.rpartition("/")[2], node.text, node.desc, node.clickable)


def widgets(phone: Phone) -> list[Widget]:
    """What the twin's dump shows from the window's root on, but for layouts that say and do nothing."""
    nodes = [told(node) for node in parse_tree(u2_xml(phone.scene())).nodes if node.package == PACKAGE]
    window = dropwhile(lambda each: each[1] != "dialog_root", nodes)
    return [each for each in window if any(each[1:])]


def test_the_kept_windows_are_the_librarys() -> None:
    assert [specified(window) for window in WINDOWS] == list(specifications()), (
        "python -m tests.interruption_apk.windows"
    )


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: window["name"])
def test_the_twin_shows_the_real_apps_widgets(window: dict[str, Any], phones: Mapping[str, Phone]) -> None:
    phone, spec = phones[window["language"]], window["spec"]
    extras = {"spec": encode_spec(spec), "token": window["name"]}
    phone.activities.start(Intent(package=PACKAGE, activity=companion.SHOW, extras=extras))
    assert widgets(phone) == [tuple(each) for each in window["widgets"]]
    assert ("later" in window) == bool(spec.get("close", {}).get("after"))
    if "later" in window:
        phone.clock.advance(spec["close"]["after"] * 1000)
        assert widgets(phone) == [tuple(each) for each in window["later"]]


def test_a_slider_that_cannot_be_clicked_still_hears_of_a_tap(phones: Mapping[str, Phone]) -> None:
    phone = phones["en"]
    spec = next(window["spec"] for window in WINDOWS if window["name"] == "forms-dialog-en")
    extras = {"spec": encode_spec(spec), "token": "tap"}
    phone.activities.start(Intent(package=PACKAGE, activity=companion.SHOW, extras=extras))
    (slider,) = (node for node in parse_tree(u2_xml(phone.scene())).nodes if node.cls.endswith("SeekBar"))
    assert (slider.clickable, slider.focusable) == (False, True)
    center = slider.bounds.center
    phone.input.tap(center.x, center.y)
    assert not widgets(phone), "solved: the gap is in the middle"
