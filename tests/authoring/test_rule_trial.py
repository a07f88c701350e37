"""Rules that are tried on a virtual phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.authoring.rule_trial import InterruptionTrial, try_rule
from garabench.authoring.rule_watch import WatchedScreen, watch_rules
from garabench.core.clock import SystemClock
from garabench.core.interruption import Mode
from garabench.device.device import Device
from garabench.errors import InputError
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

RULE = "bili-search-low-battery"
APP = "tv.danmaku.bili"
TEA_SHOP = Path(__file__).parents[2] / "docs" / "examples" / "tea-shop"


@pytest.fixture(scope="module")
def device(phone_pool: PhonePool) -> Iterator[Device]:
    with phone_pool.borrow() as phone, Device.connect(phone.serial, SystemClock()) as connected:
        assert connected.apps.open(APP)
        yield connected


def test_a_rule_is_tried_in_either_mode_and_reports_the_button_and_its_follow_up(device: Device) -> None:
    suite = bundled_suite()
    bound = suite.rules[RULE]
    shown: list[InterruptionTrial] = []
    dual = try_rule(device, bound, suite, Mode.DUAL, press="dismiss", on_shown=shown.append)
    (trial,) = dual.trials
    assert (trial.shown, trial.exit, dual.app, trial.front) == (True, "dismiss", APP, APP)
    assert shown[0].buttons == trial.buttons
    assert "dismiss" in dict(trial.buttons)
    with pytest.raises(InputError, match="has no button 'dismiss' in forced mode") as caught:
        try_rule(device, bound, suite, Mode.FORCED, press="dismiss")
    key = caught.value.hint.removeprefix("Its buttons: ").split(", ")[0]
    (trial,) = try_rule(device, bound, suite, Mode.FORCED, press=key).trials
    assert trial.exit == key
    assert trial.follow_up
    assert all(each.ok for each in trial.follow_up)
    unanswered = try_rule(device, bound, suite, Mode.FORCED, wait=0.0).trials
    assert [(each.shown, each.exit) for each in unanswered] == [(True, "")]


def test_the_rules_of_an_own_app_are_watched_and_tried() -> None:
    suite = Suite.load(TEA_SHOP)
    rules = tuple(suite.rules.values())
    clock = SystemClock()
    seen: list[WatchedScreen] = []
    with VirtualPhone(apps=[TEA_SHOP]) as phone, Device.connect(phone.serial, clock) as device:
        assert device.apps.open("org.example.teashop")
        watch_rules(device, rules, seen.append, clock=clock, stop=lambda: bool(seen))
        closest, other = seen[0].rules
        assert (seen[0].app, closest.rule, closest.fires) == (
            "org.example.teashop",
            "tea-menu-location",
            True,
        )
        assert (other.rule, other.fires) == ("tea-options-data-usage", False)
        tried = try_rule(device, suite.rules["tea-menu-location"], suite, Mode.DUAL, press="dismiss")
        (trial,) = tried.trials
        assert (trial.shown, trial.exit, tried.explanation.fires) == (True, "dismiss", True)
        assert (tried.app, trial.front) == ("org.example.teashop", "org.example.teashop")
