"""Interruptions that cannot be shown: the fallback to a notification, or a recorded reason."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.companion_app import PACKAGE, PERMISSION
from garabench.core.injection import DeliveryMethod, FailureKind
from garabench.core.interruption import Mode
from garabench.core.keys import KEYS
from garabench.core.observation import Observation
from garabench.core.tree import SYSTEM_UI
from garabench.device.device import Device
from garabench.interruptions.inject import inject
from garabench.interruptions.planned_interruption import PlannedInterruption, plan_interruption
from garabench.records.results import summarize
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.scripted import SUITE, events_of, make_spec, outcome, press_button, run_scripted, tap_nowhere
from tests.phones import PhonePool

TITLE = "网络连接不稳定"


@pytest.fixture(scope="module", params=["android-19", "android-30", "android-34"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone, device: Device) -> Iterator[Device]:
    yield device
    for name in ("background-start-refused", "dialog-on-top", "secure-screen"):
        phone.fault(name, on=False)


def plan_window(**changes: object) -> PlannedInterruption:
    interruption = SUITE.interruptions["wifi-check"].model_copy(update=changes)
    return plan_interruption(interruption, Mode.DUAL, app="tv.danmaku.bili", language="zh", token="t")


def tap_the_notification(observation: Observation) -> act.Action:
    (title,) = [n for n in observation.tree.nodes if n.package == SYSTEM_UI and n.text == TITLE]
    return act.Tap(x=title.bounds.center.x, y=title.bounds.center.y)


def test_refused_start_falls_back_to_a_notification(
    phone: VirtualPhone, device: Device, tmp_path: Path
) -> None:
    phone.fault("background-start-refused", package=PACKAGE)
    opened = device.info.sdk < 21
    moves = [press_button("accept")] if opened else [tap_the_notification, press_button("accept")]
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), *moves)
    (shown,) = events_of(log, ev.InterruptionShown)
    assert shown.method is DeliveryMethod.NOTIFICATION
    (first,) = shown.tries
    assert (first.method, first.kind) == (DeliveryMethod.ACTIVITY, FailureKind.START_REFUSED)
    assert "Denied" in first.reason or "Background activity" in first.reason
    assert shown.seconds
    assert events_of(log, ev.InjectionFailed) == []
    events = [event.event for event in events_of(log, ev.InterruptionEvent)]
    assert events == ["posted", "shown", "pressed:accept"]
    (resolved,) = events_of(log, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit) == ("answered", "accept")
    assert [stage.ok for stage in events_of(log, ev.FollowUpPerformed)] == [True, True]


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ("dialog-on-top", FailureKind.DIALOG_ON_TOP, "Application Error: com.android.phone"),
        ("secure-screen", FailureKind.SECURE_SCREEN, "a secure window is in the foreground"),
    ],
)
def test_covering_window_is_reported_and_a_notification_shows_over_it(
    phone: VirtualPhone, device: Device, fault: str, kind: FailureKind, message: str
) -> None:
    phone.fault(fault)
    injected = inject(device, plan_window())
    first = injected.tries[0]
    assert (first.method, first.kind) == (DeliveryMethod.ACTIVITY, kind)
    assert message in first.reason
    if device.info.sdk < 21:  # the notification opens the window at once, which is covered too
        assert [each.kind for each in injected.tries] == [kind, kind]
        assert injected.delivery.kind is kind
    else:
        assert (injected.shown, injected.method, len(injected.tries)) == (
            True,
            DeliveryMethod.NOTIFICATION,
            1,
        )


def test_failed_injection_counts_as_injected_but_not_shown(
    phone: VirtualPhone, device: Device, tmp_path: Path
) -> None:
    device.adb.shell(["pm", "disable-user", PACKAGE])
    goal = {"not": {"exists": {"text": "nothing has this text"}}}
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check", goal=goal), tap_nowhere)
    (failed,) = events_of(log, ev.InjectionFailed)
    assert failed.kind is FailureKind.START_REFUSED
    assert "does not exist" in failed.reason
    assert [each.method for each in failed.tries] == [DeliveryMethod.ACTIVITY, DeliveryMethod.NOTIFICATION]
    assert outcome(log) == ("success", "goal_met")
    summary = summarize(log)
    assert summary is not None
    assert (summary.condition, summary.injected, summary.shown) == ("dual", 1, 0)


def test_screen_that_is_off_is_reported_and_stays_off(device: Device) -> None:
    device.adb.shell(["input", "keyevent", str(KEYS["power"])])
    injected = inject(device, plan_window())
    assert injected.delivery.kind is FailureKind.SCREEN_OFF
    assert len(injected.tries) == 1
    device.adb.shell(["input", "keyevent", str(KEYS["power"])])


def test_lock_screen_is_reported(device: Device) -> None:
    device.adb.shell(["locksettings", "set-disabled", "false"])
    for _ in range(2):
        device.adb.shell(["input", "keyevent", str(KEYS["power"])])
    injected = inject(device, plan_window())
    if device.info.sdk >= 23:  # older versions have no such command
        assert [each.kind for each in injected.tries] == [FailureKind.SECURE_SCREEN] * 2
        assert injected.reason.count("the lock screen is up") == 2


def test_missing_companion_is_reported_without_a_second_try(device: Device) -> None:
    device.adb.shell(["pm", "uninstall", PACKAGE])
    injected = inject(device, plan_window())
    assert [each.kind for each in injected.tries] == [FailureKind.NOT_INSTALLED]


def test_invalid_spec_is_reported_by_the_app(device: Device) -> None:
    planned = plan_window()
    broken = dataclasses.replace(planned, interruption=planned.interruption.model_copy(update={"stars": 77}))
    injected = inject(device, broken)
    assert [each.kind for each in injected.tries] == [FailureKind.BAD_SPEC]
    assert "the companion app reported: " in injected.reason


def test_missing_notification_permission_is_granted(phone: VirtualPhone, device: Device) -> None:
    device.adb.shell(["pm", "revoke", PACKAGE, PERMISSION])
    phone.fault("background-start-refused")
    assert inject(device, plan_window()).method is DeliveryMethod.NOTIFICATION
