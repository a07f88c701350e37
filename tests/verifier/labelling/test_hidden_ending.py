"""What the labelling page hides of an episode's end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.core.action import Action, Done, GiveUp, Tap
from garabench.verifier.labelling.hidden_ending import without_report
from garabench.verifier.trajectory import Trajectory, TrajectoryFrame, TrajectorySource, TrajectoryStep

TAP = Tap(x=1, y=1)


def path(*actions: Action) -> Trajectory:
    """Return a path with a frame before each action and one after the last."""
    return Trajectory(
        "t/a/clean/1",
        TrajectorySource.GARABENCH,
        "0",
        "Like it",
        frames=tuple(
            TrajectoryFrame(at, at, picture_sha256=str(at), final=at == len(actions))
            for at in range(len(actions) + 1)
        ),
        steps=tuple(
            TrajectoryStep(at, action, action.type, before=at, after=at + 1)
            for at, action in enumerate(actions)
        ),
        answer="4",
    )


def test_a_path_with_a_report_looks_like_one_that_the_harness_ended() -> None:
    stopped, reported = path(TAP, TAP), without_report(path(TAP, TAP, Done(answer="4")))
    assert [step.text for step in reported.steps] == [step.text for step in stopped.steps]
    assert [(each.index, each.step, each.final) for each in reported.frames] == [
        (each.index, each.step, each.final) for each in stopped.frames
    ]
    assert reported.frames[-1].picture_sha256 == "3"  # the last screen is the one that was recorded last
    assert reported.steps[-1].after == reported.frames[-1].index
    assert reported.answer == "4"


@pytest.mark.parametrize("actions", [(), (TAP,), (TAP, GiveUp(reason="no such page"))])
def test_other_paths_stay_as_they_are(actions: tuple[Action, ...]) -> None:
    assert without_report(path(*actions)) == path(*actions)


def test_a_report_without_a_later_screen() -> None:
    whole = path(TAP, Done())
    cut = without_report(replace(whole, frames=whole.frames[:2]))
    assert (len(cut.steps), cut.frames) == (1, whole.frames[:2])
