from __future__ import annotations

from typing import Any

import pytest

from garabench.core.interruption import Interruption
from garabench.proof.exits import exits


def button(key: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "role": "dismiss", "label": {"en": key}, **more}


EASY, HARD = button("dismiss", easy=True), button("accept")


def interruption(name: str, *buttons: dict[str, Any], **more: Any) -> Interruption:
    data = {"id": name, "description": "for a test", "category": "network", "title": {"en": "t"}}
    return Interruption.model_validate({**data, "message": {"en": "m"}, "buttons": buttons, **more})


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (
            interruption("a", EASY, HARD),
            ["dual dismiss", "dual accept", "dual back", "forced accept"],
        ),
        (interruption("a", EASY, HARD, cancelable=False), ["dual dismiss", "dual accept", "forced accept"]),
        (
            interruption("a", EASY, HARD, button("exit")),
            ["dual dismiss", "dual accept", "dual exit", "dual back", "forced accept", "forced exit"],
        ),
        (interruption("a", HARD), ["dual accept", "dual back", "forced accept"]),
        (interruption("a", HARD, cancelable=False), ["dual accept", "forced accept"]),
    ],
)
def test_each_mode_has_the_exits_that_it_offers(shown: Interruption, expected: list[str]) -> None:
    assert [str(exit_) for exit_ in exits(shown, {"a": shown})] == expected


def test_exits_of_an_opened_interruption_are_appended() -> None:
    first = interruption("first", EASY, button("accept", follow_up=[{"show": "second"}]), cancelable=False)
    second = interruption("second", button("open"), button("close"))
    found = exits(first, {"first": first, "second": second})
    assert [str(exit_) for exit_ in found] == [
        "dual dismiss",
        "dual accept+open",
        "dual accept+close",
        "dual accept+back",
        "forced accept+open",
        "forced accept+close",
    ]


def test_an_exit_has_the_follow_ups_of_all_its_buttons() -> None:
    then_restart = [{"progress": 2}, "relaunch"]
    show = button("accept", follow_up=[{"show": "second"}])
    first = interruption("first", EASY, show, button("retry", follow_up=[{"wait": 1}]))
    second = interruption("second", button("open", follow_up=then_restart), button("close"), cancelable=False)
    by_name = {str(exit_): exit_ for exit_ in exits(first, {"first": first, "second": second})}
    found = {
        name: (exit_.restarts, exit_.only_closes)
        for name, exit_ in by_name.items()
        if name.startswith("dual")
    }
    assert found == {
        "dual dismiss": (False, True),
        "dual accept+open": (True, False),
        "dual accept+close": (False, True),
        "dual retry": (False, False),
        "dual back": (False, True),
    }
    assert [next(iter(type(step).model_fields)) for step in by_name["dual accept+open"].follow_up] == [
        "show",
        "progress",
        "relaunch",
    ]


def test_interruptions_that_open_each_other_terminate() -> None:
    again = interruption("a", button("accept", follow_up=[{"show": "a"}]), cancelable=False)
    (dual, forced) = exits(again, {"a": again})
    assert dual.keys == forced.keys == ("accept",) * 5


def test_an_exit_that_ends_the_task_has_the_reason() -> None:
    reason = "the account is closed"
    first = interruption("first", button("accept", follow_up=[{"show": "second"}]), cancelable=False)
    second = interruption("second", button("open", ends_task=reason), button("close"), cancelable=False)
    ends = {str(exit_): exit_.ends_task for exit_ in exits(first, {"first": first, "second": second})}
    assert ends == {
        "dual accept+open": reason,
        "dual accept+close": "",
        "forced accept+open": reason,
        "forced accept+close": "",
    }
