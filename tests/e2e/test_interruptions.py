"""Interruptions over the real wire: shown, answered late, left, lost from the log, or never shown."""

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
from tests.e2e.scripted import Move, does, nowhere, of, outcome, perform, press, spec
from tests.phones import PhonePool


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow() as running:
        yield running


def test_a_button_pressed_three_steps_later_still_has_its_second_stage(
    device: Device, tmp_path: Path
) -> None:
    log, agent = perform(device, tmp_path, spec("wifi-check"), nowhere, nowhere, nowhere, press("accept"))
    assert [event.step for event in of(log, ev.InterruptionShown)] == [0]
    (answer,) = of(log, ev.InterruptionResolved)
    assert (answer.how, answer.exit, answer.role, answer.step, answer.steps) == (
        "answered",
        "accept",
        "accept",
        3,
        3,
    )
    assert [(stage.what, stage.ok, stage.step) for stage in of(log, ev.FollowUpPerformed)] == [
        ("wifi False", True, 3),
        ("settings_page wifi", True, 3),
    ]
    assert "settings" in agent.seen[-1].focus.package


def test_a_permission_that_is_taken_leads_to_the_apps_page_of_permissions_and_back(
    device: Device, tmp_path: Path
) -> None:
    log, agent = perform(
        device, tmp_path, spec("location-permission"), press("accept"), does(act.Back()), nowhere
    )
    assert [(stage.what, stage.ok, stage.detail) for stage in of(log, ev.FollowUpPerformed)] == [
        ("settings_page app-permissions", True, "")
    ]
    page = agent.seen[1]
    assert page.focus.package == "com.android.permissioncontroller"
    assert {"应用权限", "哔哩哔哩", "不允许"} <= {node.text for node in page.tree.nodes}
    assert agent.seen[2].focus.package == "tv.danmaku.bili"


def test_a_second_stage_that_shows_a_further_interruption_is_tracked_too(
    device: Device, tmp_path: Path
) -> None:
    log, _ = perform(device, tmp_path, spec("youth-mode"), press("accept"), nowhere, press("close"))
    assert [event.interruption for event in of(log, ev.InterruptionInjected)] == [
        "youth-mode",
        "youth-mode-setup",
    ]
    assert len(of(log, ev.InterruptionShown)) == 2
    assert [(e.how, e.exit, e.step) for e in of(log, ev.InterruptionResolved)] == [
        ("answered", "accept", 0),
        ("answered", "close", 2),
    ]
    assert [stage.ok for stage in of(log, ev.FollowUpPerformed)] == [True]


@pytest.mark.parametrize(
    ("move", "how"),
    [
        (does(act.Back()), ("left", "back")),
        (does(act.Home()), ("left", "switched away")),
        (does(act.OpenApp(package="com.android.settings")), ("left", "switched away")),
        (nowhere, ("open", "on screen")),
    ],
)
def test_the_ways_to_leave_are_told_apart(
    device: Device, tmp_path: Path, move: Move, how: tuple[str, str]
) -> None:
    log, _ = perform(device, tmp_path, spec("wifi-check"), move, nowhere)
    (end,) = of(log, ev.InterruptionResolved)
    assert (end.how, end.exit) == how
    assert not of(log, ev.FollowUpPerformed)


def test_another_page_over_it_and_back_again_is_not_the_end(device: Device, tmp_path: Path) -> None:
    def another_page(observation: Observation) -> act.Action:
        device.adb.shell(["am", "start", "-a", "android.settings.WIFI_SETTINGS"])
        return nowhere(observation)

    log, agent = perform(
        device, tmp_path, spec("wifi-check"), another_page, does(act.Back()), press("accept")
    )
    assert PACKAGE not in agent.seen[1].tree.packages
    events = [event.event for event in of(log, ev.InterruptionEvent)]
    assert events == ["shown", "hidden", "resumed", "pressed:accept"]
    assert [(e.how, e.exit, e.steps) for e in of(log, ev.InterruptionResolved)] == [("answered", "accept", 2)]


def test_a_log_that_was_cleared_between_still_gives_what_came_after(device: Device, tmp_path: Path) -> None:
    def clear_then_press(observation: Observation) -> act.Action:
        device.adb.shell(["logcat", "-c"])
        return press("accept")(observation)

    log, _ = perform(device, tmp_path, spec("wifi-check"), nowhere, clear_then_press)
    assert [(e.how, e.exit) for e in of(log, ev.InterruptionResolved)] == [("answered", "accept")]
    assert [stage.ok for stage in of(log, ev.FollowUpPerformed)] == [True, True]


def test_an_answer_that_the_log_has_lost_is_read_from_the_companion_app(
    device: Device, tmp_path: Path
) -> None:
    def press_and_lose(observation: Observation) -> act.Action:
        device.perform(press("accept")(observation), device.screen)
        device.adb.shell(["logcat", "-c"])
        return nowhere(observation)

    log, _ = perform(device, tmp_path, spec("wifi-check"), press_and_lose, nowhere)
    assert [(e.how, e.exit) for e in of(log, ev.InterruptionResolved)] == [("answered", "accept")]
    assert [stage.ok for stage in of(log, ev.FollowUpPerformed)] == [True, True]


def test_without_the_companion_an_interrupted_episode_is_an_error_and_a_clean_one_goes_on(
    device: Device, tmp_path: Path
) -> None:
    device.adb.shell(["pm", "uninstall", PACKAGE])
    log, _ = perform(device, tmp_path / "dual", spec("wifi-check"), nowhere)
    assert outcome(log) == ("error", "fault")
    (fault,) = of(log, ev.FaultEvent)
    assert (
        fault.at_fault,
        f"{PACKAGE}, which shows the interruptions, is not installed" in fault.message,
    ) == (
        "device",
        True,
    )
    log, _ = perform(device, tmp_path / "clean", dataclasses.replace(spec("wifi-check"), condition="clean"))
    assert outcome(log) == ("failure", "gave_up")


def test_a_companion_that_cannot_start_is_a_failed_injection_and_not_a_clean_episode(
    device: Device, tmp_path: Path
) -> None:
    device.adb.shell(["pm", "disable-user", PACKAGE])
    log, _ = perform(device, tmp_path, spec("wifi-check"), nowhere)
    assert len(of(log, ev.InterruptionInjected)) == 1
    (failed,) = of(log, ev.InjectionFailed)
    assert "does not exist" in failed.reason
    assert not of(log, ev.InterruptionShown)
    assert outcome(log) == ("failure", "gave_up")


def test_a_goal_is_not_met_by_what_an_interruption_hides(device: Device, tmp_path: Path) -> None:
    goal = {"not": {"exists": {"id": "expand_search"}}}
    log, _ = perform(device, tmp_path, spec("wifi-check", goal=goal), nowhere)
    assert [check.holds for check in of(log, ev.GoalChecked)] == [None]
    assert outcome(log) == ("failure", "gave_up")


@pytest.mark.parametrize(
    ("present", "end"),
    [("expand_search", ("success", "goal_met")), ("no_such_id", ("failure", "false_done"))],
)
def test_at_the_agents_last_word_the_app_under_an_interruption_is_looked_at(
    device: Device, tmp_path: Path, present: str, end: tuple[str, str]
) -> None:
    goal = {"all": [{"exists": {"id": present}}, {"answer": {"equals": "5"}}]}
    log, _ = perform(device, tmp_path, spec("wifi-check", goal=goal), nowhere, does(act.Done(answer="5")))
    assert outcome(log) == end
    assert [(e.how, e.exit) for e in of(log, ev.InterruptionResolved)] == [("open", "on screen")]


def test_a_fact_other_than_the_tree_counts_under_an_interruption(device: Device, tmp_path: Path) -> None:
    def turn_on(observation: Observation) -> act.Action:
        device.adb.shell(["settings", "put", "global", "low_power", "1"])
        return nowhere(observation)

    goal = {"setting": {"namespace": "global", "key": "low_power", "equals": "1"}}
    log, _ = perform(device, tmp_path, spec("wifi-check", goal=goal), nowhere, turn_on)
    assert outcome(log) == ("success", "goal_met")
    assert log[-1].step == 1


def test_a_puzzle_is_solved_by_dragging_and_a_late_cross_is_waited_for(
    device: Device, tmp_path: Path
) -> None:
    def drag(share: float) -> Move:
        def move(observation: Observation) -> act.Action:
            (slider,) = find(observation.tree, Selector(id="slider", package=PACKAGE))
            left, y = slider.bounds.left, slider.bounds.center.y
            return act.Drag(x1=left + 2, y1=y, x2=left + round(slider.bounds.width * share), y2=y)

        return move

    log, _ = perform(device, tmp_path / "puzzle", spec("slider-captcha"), drag(0.3), drag(0.62), nowhere)
    assert [(e.how, e.exit) for e in of(log, ev.InterruptionResolved)] == [("answered", "solved")]
    assert "wrong" in [event.event for event in of(log, ev.InterruptionEvent)]

    log, agent = perform(
        device, tmp_path / "late", spec("late-close-advert"), does(act.Wait(seconds=6)), press("close")
    )
    assert [(e.how, e.exit) for e in of(log, ev.InterruptionResolved)] == [("answered", "close")]
    first, second = agent.seen[0].tree, agent.seen[1].tree
    assert find(first, Selector(id="countdown", package=PACKAGE))
    assert not find(first, Selector(id="button_close", package=PACKAGE))
    assert find(second, Selector(desc="关闭广告", package=PACKAGE))
