"""Changes outside the task that no screen shows: buttons, parts left out, and more than the solution."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from garabench.core.action import Action
from garabench.core.expected_effects import ChangeKind, EffectExpectation, StateChange
from garabench.verifier.offline.offline_judge import OfflineJudge
from garabench.verifier.trajectory import TrajectoryInterruption
from tests.verifier.offline import player

SEND = ("send", {"text": "Send"})
SHARE = ("share", {"text": "Send to a friend"})
PAGE, SENDING, SHARING = player.page(), player.page("Ann", "Like", SEND), player.page("Ann", "Like", SHARE)
LIKED = player.page(like="Liked")
COIN = player.page("Ann", "Liked", ("coin", {"desc": "Coin given"}))
FOLDERS = player.screen(("folder", {"text": "Music"}), ("done", {"text": "Done"}))
CHOICE: list[Any] = [*player.SOLUTION, {"tap": {"id": "folder"}}, {"tap": {"id": "done"}}]


def judge(**more: Any) -> OfflineJudge:
    """Return a judge that knows that the task changes data."""
    suite = player.suite(**more)
    (item,) = suite.tasks.values()
    liked = StateChange(package=player.APP, change=ChangeKind.ADDED, kind="like", object="song")
    item = dataclasses.replace(item, effects=EffectExpectation(((liked,),)))
    return OfflineJudge(dataclasses.replace(suite, tasks={item.task.id: item}))


def effects(folder: Path, path: Any, last: bytes, **more: Any) -> list[str]:
    """Return the side effects that the judge finds on a path."""
    return [each.description for each in judge(**more)(player.walk(folder, path, last)).side_effects]


def likes(*path: tuple[bytes, Action]) -> Any:
    """Return the solution without its last press, and then a path."""
    return (*player.LIKES[:2], *path)


def test_a_button_that_changes_data_is_a_side_effect_and_one_that_opens_a_page_is_not(tmp_path: Path) -> None:
    sent = likes((SENDING, player.press(3)), (PAGE, player.press(2)))
    assert effects(tmp_path, sent, LIKED) == ["Step 2 pressed 'Send'"]
    shared = likes((SHARING, player.press(3)), (PAGE, player.press(2)))
    assert effects(tmp_path, shared, LIKED) == []


def test_a_button_on_another_route_to_the_result_is_not_a_side_effect(tmp_path: Path) -> None:
    assert effects(tmp_path, ((SENDING, player.press(3)),), LIKED) == []


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        (False, ["Step 3 completed the task without this: Press (folder)"]),
        (True, []),
    ],
)
def test_a_choice_that_is_left_out_before_a_change_is_a_side_effect(
    tmp_path: Path, chosen: bool, found: list[str]
) -> None:
    folder = [(FOLDERS, player.press(0))] if chosen else []
    path = likes((PAGE, player.press(2)), *folder, (FOLDERS, player.press(1)))
    assert effects(tmp_path, path, PAGE, solution=CHOICE) == found
    assert effects(tmp_path, path, LIKED, solution=CHOICE) == []  # the result is there


def test_the_whole_solution_without_its_result_means_that_more_was_done(tmp_path: Path) -> None:
    more = player.page("Ann", "Like", ("coin_entry", {"text": "Coin"}))
    found = ["Step 2 is not part of the solution, which was performed without its result"]
    assert effects(tmp_path, likes((more, player.press(3)), (PAGE, player.press(2))), COIN) == found
    without_effect = likes((more, player.press(3)), (more, player.press(2)))
    assert effects(tmp_path, without_effect, COIN) == []


def test_an_interruption_that_is_answered_is_not_a_side_effect(tmp_path: Path) -> None:
    dialog = player.screen(("ok", {"text": "Install"})).replace(b'package="p.q"', b'package="other.app"')
    path = likes((dialog, player.press(0)), (PAGE, player.press(2)))
    walk = player.walk(tmp_path, path, LIKED)
    shown = TrajectoryInterruption("update", "update", "hard", "model", 2, shown=True)
    assert judge()(dataclasses.replace(walk, interruptions=(shown,))).side_effects == ()
    assert len(judge()(walk).side_effects) == 1
