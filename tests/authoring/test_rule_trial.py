"""Rules that are tried on a virtual phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from garabench.authoring.rule_trial import InterruptionTrial, try_rule
from garabench.core.clock import SystemClock
from garabench.core.interruption import Mode
from garabench.device.device import Device
from garabench.errors import InputError
from tests.bundled import bundled_suite
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

RULE = "bili-search-low-battery"
APP = "tv.danmaku.bili"


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
