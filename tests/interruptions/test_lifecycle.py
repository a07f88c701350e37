from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.companion_app import PACKAGE, decode_spec
from garabench.core.injection import Delivery
from garabench.core.interruption import Interruption, Mode
from garabench.core.tree import UiNode, UiTree
from garabench.interruptions.lifecycle import (
    CompanionEvent,
    Phase,
    TrackedInterruption,
    parse_companion_event,
)
from garabench.interruptions.planned_interruption import PlannedInterruption, plan_interruption

DIALOG = Interruption.model_validate(
    {
        "id": "low-battery",
        "description": "The battery runs low",
        "category": "resource",
        "title": {"zh": "电量不足", "en": "Low battery"},
        "message": {"zh": "是否省电？", "en": "Save power?"},
        "buttons": [
            {"key": "dismiss", "role": "dismiss", "easy": True, "label": {"zh": "忽略", "en": "Ignore"}},
            {
                "key": "accept",
                "role": "accept",
                "label": {"zh": "设置", "en": "Settings"},
                "follow_up": [{"settings_page": "battery-saver"}],
            },
        ],
    }
)
SHOWN = UiTree((UiNode(package=PACKAGE, children=(UiNode(text="电量不足", package=PACKAGE),)),))
APP = UiTree((UiNode(package="a.b", text="电量不足"),))


def planned(mode: Mode = Mode.DUAL) -> PlannedInterruption:
    return plan_interruption(DIALOG, mode, app="a.b", language="zh", token="t")


def event(kind: str, seq: int, token: str = "t") -> CompanionEvent:
    return CompanionEvent(token, seq, kind)


def test_forced_mode_omits_the_easy_exit() -> None:
    assert [button.key for button in planned(Mode.FORCED).buttons] == ["accept"]
    spec = decode_spec(planned(Mode.FORCED).extras["spec"])
    assert spec["cancelable"] is False
    assert planned().follow_up("accept") == DIALOG.buttons[1].follow_up
    assert planned(Mode.FORCED).follow_up("dismiss") == ()


def test_only_a_window_of_the_companion_app_counts_as_shown() -> None:
    tracked = TrackedInterruption(planned(), 2)
    assert tracked.with_tree(APP).phase is Phase.INJECTED
    assert tracked.with_event(event("shown", 1), 2).phase is Phase.INJECTED
    assert tracked.with_tree(SHOWN).phase is Phase.SHOWN


def test_a_press_many_steps_later_is_an_answer() -> None:
    tracked = TrackedInterruption(planned(), 1).with_tree(SHOWN)
    for step in range(2, 12):
        tracked = tracked.with_event(event("hidden", step), step).with_event(
            event("resumed", step + 100), step
        )
    answered = tracked.with_event(event("pressed:accept", 500), 12)
    assert (answered.phase, answered.exit, answered.ended_step) == (Phase.ANSWERED, "accept", 12)
    assert answered.resolution == ("answered", "accept")


def test_a_second_press_a_repeated_event_and_an_unknown_token_change_nothing() -> None:
    tracked = TrackedInterruption(planned(), 1).with_tree(SHOWN)
    assert tracked.with_event(event("pressed:accept", 1, token="other"), 2) is tracked
    answered = tracked.with_event(event("pressed:accept", 1), 2)
    assert answered.with_event(event("pressed:accept", 1), 3) is answered
    assert answered.with_event(event("pressed:dismiss", 2), 3).exit == "accept"
    assert tracked.with_event(event("pressed:nothing", 9), 2).open


def test_the_exits_without_an_answer() -> None:
    shown = TrackedInterruption(planned(), 1).with_tree(SHOWN)
    assert shown.with_event(event("dismissed", 1), 2).resolution == ("left", "back")
    assert shown.with_event(event("hidden", 1), 2).resolution == ("left", "switched away")
    assert shown.resolution == ("open", "on screen")
    failed = TrackedInterruption(planned(), 1).with_failure("covered", 1)
    assert (failed.phase, failed.was_shown) == (Phase.FAILED, False)
    assert shown.with_failure("late", 1) is shown


@pytest.mark.parametrize("kind", ["back", "back:1024", "rotated:90", "rotated:0:32", "wrong", "hidden:x"])
def test_events_that_do_not_end_it(kind: str) -> None:
    tracked = TrackedInterruption(planned(Mode.FORCED), 1).with_event(event("shown", 1), 1).with_tree(SHOWN)
    after = tracked.with_event(event(kind, 2), 2)
    assert after.open
    assert (after.phase, after.last_seq) == (Phase.SHOWN, 2)
    assert after.with_event(event("pressed:accept", 3), 3).resolution == ("answered", "accept")


def test_a_process_that_dies_ends_a_window_in_front() -> None:
    shown = TrackedInterruption(planned(), 1).with_event(event("shown", 1), 1).with_tree(SHOWN)
    killed = shown.with_event(event("killed", 2), 3)
    assert (killed.resolution, killed.ended_step, killed.open) == (("left", "killed"), 3, False)


def test_a_process_that_dies_does_not_end_a_window_in_the_background() -> None:
    behind = TrackedInterruption(planned(), 1).with_event(event("shown", 1), 1).with_tree(SHOWN)
    behind = behind.with_event(event("hidden", 2), 2).with_event(event("killed", 3), 3)
    assert behind.open
    assert behind.resolution == ("left", "switched away")
    back = behind.with_event(event("resumed", 4), 4)
    assert back.resolution == ("open", "on screen")
    assert back.with_event(event("pressed:accept", 5), 5).resolution == ("answered", "accept")


def test_a_killed_event_of_an_earlier_process_is_ignored() -> None:
    sent = TrackedInterruption(planned(), 1).with_tree(SHOWN)
    assert sent.with_event(event("killed", 7), 1) is sent
    assert not sent.may_have_lost_events([event("killed", 7), event("shown", 8)], SHOWN, cleared=False)
    again = sent.with_event(event("shown", 8), 1)
    assert again.open
    second = again.with_delivery(Delivery(token="t-2")).with_event(event("shown", 1, token="t-2"), 1)
    assert second.with_event(event("killed", 9), 2) is second


def test_an_error_is_a_failure_before_it_was_shown_and_an_exit_afterwards() -> None:
    early = TrackedInterruption(planned(), 1).with_event(event("error:no such template", 1), 1)
    assert (early.phase, early.exit, early.was_shown) == (Phase.FAILED, "no such template", False)
    late = TrackedInterruption(planned(), 1).with_tree(SHOWN).with_event(event("error:out of memory", 1), 2)
    assert (late.resolution, late.was_shown) == (("left", "error"), True)


def test_a_late_window_counts_as_shown() -> None:
    late = TrackedInterruption(planned(), 1).with_failure("another window is in front", 1).with_tree(SHOWN)
    assert (late.phase, late.was_shown, late.open, late.exit) == (Phase.SHOWN, True, True, "")
    assert late.with_event(event("pressed:accept", 2), 4).resolution == ("answered", "accept")


def test_a_window_that_disappears_without_an_event_was_left() -> None:
    gone = TrackedInterruption(planned(), 1).with_tree(SHOWN).with_tree(APP)
    assert gone.open
    assert gone.resolution == ("left", "gone")
    assert gone.with_tree(SHOWN).resolution == ("open", "on screen")


def test_the_replaced_window_of_the_first_attempt_is_not_an_exit() -> None:
    tracked = (
        TrackedInterruption(planned(), 1)
        .with_delivery(Delivery(token="t-2"))
        .with_event(event("shown", 1), 1)
    )
    tracked = tracked.with_event(event("dismissed:replaced", 2), 1).with_tree(SHOWN)
    assert tracked.open
    # Both windows count from 1: an event is known by its token and its number.
    answered = tracked.with_event(event("pressed:dismiss", 2, token="t-2"), 3)
    assert answered.resolution == ("answered", "dismiss")
    assert tracked.with_delivery(Delivery()).token == "t-2"


@given(st.text(max_size=80))
def test_any_line_is_parsed_without_an_error(text: str) -> None:
    found = parse_companion_event(text)
    assert found is None or isinstance(found, CompanionEvent)


def test_an_event_is_parsed() -> None:
    assert parse_companion_event('{"token":"t","seq":3,"event":"shown"}') == event("shown", 3)
    assert parse_companion_event('{"token":"t","seq":true,"event":"shown"}') is None
