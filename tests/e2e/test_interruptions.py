"""Interruptions over the real wire: answered late, left, lost from the log, or never shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.companion_app import PACKAGE
from garabench.core.observation import Observation
from garabench.core.selector import Selector, find
from garabench.device.device import Device
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.scripted import (
    Move,
    always,
    events_of,
    make_spec,
    outcome,
    press_button,
    run_scripted,
    tap_nowhere,
)
from tests.phones import PhonePool


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow() as running:
        yield running


def test_button_pressed_three_steps_later_triggers_its_follow_up(device: Device, tmp_path: Path) -> None:
    log, agent = run_scripted(
        device,
        tmp_path,
        make_spec("wifi-check"),
        tap_nowhere,
        tap_nowhere,
        tap_nowhere,
        press_button("accept"),
    )
    assert [event.step for event in events_of(log, ev.InterruptionShown)] == [0]
    (answer,) = events_of(log, ev.InterruptionResolved)
    assert (answer.how, answer.exit, answer.role, answer.step, answer.steps) == (
        "answered",
        "accept",
        "accept",
        3,
        3,
    )
    assert [(stage.description, stage.ok, stage.step) for stage in events_of(log, ev.FollowUpPerformed)] == [
        ("wifi False", True, 3),
        ("settings_page wifi", True, 3),
    ]
    assert "settings" in agent.observations[-1].focus.package


def test_permission_follow_up_opens_the_app_permissions_page(device: Device, tmp_path: Path) -> None:
    log, agent = run_scripted(
        device,
        tmp_path,
        make_spec("location-permission"),
        press_button("accept"),
        always(act.Back()),
        tap_nowhere,
    )
    assert [
        (stage.description, stage.ok, stage.detail) for stage in events_of(log, ev.FollowUpPerformed)
    ] == [("settings_page app-permissions", True, "")]
    page = agent.observations[1]
    assert page.focus.package == "com.android.permissioncontroller"
    assert {"应用权限", "哔哩哔哩", "不允许"} <= {node.text for node in page.tree.nodes}
    assert agent.observations[2].focus.package == "tv.danmaku.bili"


def test_follow_up_that_shows_another_interruption_is_tracked(device: Device, tmp_path: Path) -> None:
    log, _ = run_scripted(
        device, tmp_path, make_spec("youth-mode"), press_button("accept"), tap_nowhere, press_button("close")
    )
    assert [event.interruption for event in events_of(log, ev.InterruptionInjected)] == [
        "youth-mode",
        "youth-mode-setup",
    ]
    assert len(events_of(log, ev.InterruptionShown)) == 2
    assert [(e.how, e.exit, e.step) for e in events_of(log, ev.InterruptionResolved)] == [
        ("answered", "accept", 0),
        ("answered", "close", 2),
    ]
    assert [stage.ok for stage in events_of(log, ev.FollowUpPerformed)] == [True]


@pytest.mark.parametrize(
    ("move", "how"),
    [
        (always(act.Back()), ("left", "back")),
        (always(act.Home()), ("left", "switched away")),
        (always(act.OpenApp(package="com.android.settings")), ("left", "switched away")),
        (tap_nowhere, ("open", "on screen")),
    ],
)
def test_each_kind_of_leaving_is_distinguished(
    device: Device, tmp_path: Path, move: Move, how: tuple[str, str]
) -> None:
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), move, tap_nowhere)
    (end,) = events_of(log, ev.InterruptionResolved)
    assert (end.how, end.exit) == how
    assert not events_of(log, ev.FollowUpPerformed)


def test_page_opened_over_the_window_does_not_end_it(device: Device, tmp_path: Path) -> None:
    def another_page(observation: Observation) -> act.Action:
        device.adb.shell(["am", "start", "-a", "android.settings.WIFI_SETTINGS"])
        return tap_nowhere(observation)

    log, agent = run_scripted(
        device, tmp_path, make_spec("wifi-check"), another_page, always(act.Back()), press_button("accept")
    )
    assert PACKAGE not in agent.observations[1].tree.packages
    events = [event.event for event in events_of(log, ev.InterruptionEvent)]
    assert events == ["shown", "hidden", "resumed", "pressed:accept"]
    assert [(e.how, e.exit, e.steps) for e in events_of(log, ev.InterruptionResolved)] == [
        ("answered", "accept", 2)
    ]


def test_events_after_a_cleared_log_are_read(device: Device, tmp_path: Path) -> None:
    def clear_then_press(observation: Observation) -> act.Action:
        device.adb.shell(["logcat", "-c"])
        return press_button("accept")(observation)

    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), tap_nowhere, clear_then_press)
    assert [(e.how, e.exit) for e in events_of(log, ev.InterruptionResolved)] == [("answered", "accept")]
    assert [stage.ok for stage in events_of(log, ev.FollowUpPerformed)] == [True, True]


def test_answer_lost_from_the_log_is_read_from_the_companion_app(device: Device, tmp_path: Path) -> None:
    def press_and_lose(observation: Observation) -> act.Action:
        device.perform(press_button("accept")(observation), device.screen)
        device.adb.shell(["logcat", "-c"])
        return tap_nowhere(observation)

    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), press_and_lose, tap_nowhere)
    assert [(e.how, e.exit) for e in events_of(log, ev.InterruptionResolved)] == [("answered", "accept")]
    assert [stage.ok for stage in events_of(log, ev.FollowUpPerformed)] == [True, True]


def test_missing_companion_fails_interrupted_but_not_clean_episodes(device: Device, tmp_path: Path) -> None:
    device.adb.shell(["pm", "uninstall", PACKAGE])
    log, _ = run_scripted(device, tmp_path / "dual", make_spec("wifi-check"), tap_nowhere)
    assert outcome(log) == ("error", "fault")
    (fault,) = events_of(log, ev.FaultEvent)
    assert (
        fault.at_fault,
        f"{PACKAGE}, which shows the interruptions, is not installed" in fault.message,
    ) == (
        "device",
        True,
    )
    log, _ = run_scripted(
        device, tmp_path / "clean", dataclasses.replace(make_spec("wifi-check"), condition="clean")
    )
    assert outcome(log) == ("failure", "gave_up")


def test_companion_that_cannot_start_is_a_failed_injection(device: Device, tmp_path: Path) -> None:
    device.adb.shell(["pm", "disable-user", PACKAGE])
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check"), tap_nowhere)
    assert len(events_of(log, ev.InterruptionInjected)) == 1
    (failed,) = events_of(log, ev.InjectionFailed)
    assert "does not exist" in failed.reason
    assert not events_of(log, ev.InterruptionShown)
    assert outcome(log) == ("failure", "gave_up")


def test_goal_is_undecided_while_an_interruption_hides_the_app(device: Device, tmp_path: Path) -> None:
    goal = {"not": {"exists": {"id": "expand_search"}}}
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check", goal=goal), tap_nowhere)
    assert [check.holds for check in events_of(log, ev.GoalChecked)] == [None]
    assert outcome(log) == ("failure", "gave_up")


@pytest.mark.parametrize(
    ("present", "end"),
    [("expand_search", ("success", "goal_met")), ("no_such_id", ("failure", "false_done"))],
)
def test_final_goal_check_looks_beneath_an_open_interruption(
    device: Device, tmp_path: Path, present: str, end: tuple[str, str]
) -> None:
    goal = {"all": [{"exists": {"id": present}}, {"answer": {"equals": "5"}}]}
    log, _ = run_scripted(
        device, tmp_path, make_spec("wifi-check", goal=goal), tap_nowhere, always(act.Done(answer="5"))
    )
    assert outcome(log) == end
    assert [(e.how, e.exit) for e in events_of(log, ev.InterruptionResolved)] == [("open", "on screen")]


def test_device_state_goal_is_met_under_an_interruption(device: Device, tmp_path: Path) -> None:
    def turn_on(observation: Observation) -> act.Action:
        device.adb.shell(["settings", "put", "global", "low_power", "1"])
        return tap_nowhere(observation)

    goal = {"setting": {"namespace": "global", "key": "low_power", "equals": "1"}}
    log, _ = run_scripted(device, tmp_path, make_spec("wifi-check", goal=goal), tap_nowhere, turn_on)
    assert outcome(log) == ("success", "goal_met")
    assert log[-1].step == 1


def test_slider_puzzle_and_delayed_close_button_are_answered(device: Device, tmp_path: Path) -> None:
    def drag(share: float) -> Move:
        def move(observation: Observation) -> act.Action:
            (slider,) = find(observation.tree, Selector(id="slider", package=PACKAGE))
            left, y = slider.bounds.left, slider.bounds.center.y
            return act.Drag(x1=left + 2, y1=y, x2=left + round(slider.bounds.width * share), y2=y)

        return move

    log, _ = run_scripted(
        device, tmp_path / "puzzle", make_spec("slider-captcha"), drag(0.3), drag(0.62), tap_nowhere
    )
    assert [(e.how, e.exit) for e in events_of(log, ev.InterruptionResolved)] == [("answered", "solved")]
    assert "wrong" in [event.event for event in events_of(log, ev.InterruptionEvent)]

    log, agent = run_scripted(
        device,
        tmp_path / "late",
        make_spec("late-close-advert"),
        always(act.Wait(seconds=6)),
        press_button("close"),
    )
    assert [(e.how, e.exit) for e in events_of(log, ev.InterruptionResolved)] == [("answered", "close")]
    first, second = agent.observations[0].tree, agent.observations[1].tree
    assert find(first, Selector(id="countdown", package=PACKAGE))
    assert not find(first, Selector(id="button_close", package=PACKAGE))
    assert find(second, Selector(desc="关闭广告", package=PACKAGE))
