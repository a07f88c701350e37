"""Read a failed episode of a run as a diagnosis sees it."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core import events as ev
from garabench.core.checkpoint import PrefixInterruption
from garabench.core.geometry import Size
from garabench.core.seeds import derive
from garabench.core.tree import UiTree
from garabench.diagnosis.failed_case import CaseStep, FailedCase
from garabench.errors import InputError
from garabench.records.episode import Episode, RecordedAction

FAILURE = "failure"
"""The outcome that is diagnosed; an error is not a failure, and its party at fault is recorded."""


def read_failed_case(episode: Episode, app: str) -> FailedCase:
    """Read a failed episode.

    Args:
        episode: The episode.
        app: Package of the task's app.

    Raises:
        InputError: The record lacks what a diagnosis needs; the message says what.
    """
    started, ended = episode.started, episode.ended
    if started is None or ended is None or ended.outcome != FAILURE:
        raise InputError("the episode did not end in a failure")
    actions = {each.step: each for each in episode.actions}
    if any(each.decided is None for each in actions.values()):
        raise InputError("the agent is autonomous, so its actions are not recorded")
    steps = tuple(_steps(episode, actions))
    if not steps:
        raise InputError("the record has no screen")
    return FailedCase(
        name=str(episode.key),
        instruction=started.instruction,
        language=started.language,
        app=app,
        screen=_screen(started, steps[0].tree),
        ending=ended.reason,
        answer=ended.answer,
        steps=steps,
        interruptions=_interruptions(episode),
        open_interruption=any(
            each.shown is not None and (each.resolved is None or each.resolved.how == "open")
            for each in episode.interruptions
        ),
        seed=derive(started.seed, "diagnosis", str(episode.key)),
    )


def _steps(episode: Episode, actions: dict[int, RecordedAction]) -> Iterator[CaseStep]:
    """Iterate over the steps; the last one may be the screen after the last action, without an action."""
    observed: dict[int, list[ev.Observed]] = {}
    for event in episode.events:
        if isinstance(event, ev.Observed):
            observed.setdefault(event.step, []).append(event)
    covered = _covered(episode)
    for number in sorted(observed):
        first, last = observed[number][0], observed[number][-1]
        recorded = episode.observation(last)
        tree = recorded.open_tree()
        arrived = tree if first is last else episode.observation(first).open_tree()
        found = actions.get(number)
        performed = None if found is None else found.performed
        yield CaseStep(
            step=number,
            arrived=arrived,
            tree=tree,
            picture=last.screen,
            focus=recorded.focus,
            action=None if found is None else found.action,
            ok=performed is None or performed.ok,
            detail="" if performed is None else performed.detail,
            thought="" if found is None or found.decided is None else found.decided.thought,
            still=last.still,
            interrupted=number in covered,
        )
    final = episode.final_observation
    if final is not None and observed:
        tree = final.open_tree()
        number = max(observed) + 1
        yield CaseStep(number, tree, tree, final.event.screen, final.focus, None, interrupted=False)


def _covered(episode: Episode) -> set[int]:
    """Return the steps at which an interruption was on screen."""
    found: set[int] = set()
    last = max((event.step for event in episode.events), default=0)
    for each in episode.interruptions:
        if each.shown is not None:
            end = last if each.resolved is None else each.resolved.step
            found |= set(range(each.shown.step, end + 1))
    return found


def _interruptions(episode: Episode) -> tuple[PrefixInterruption, ...]:
    return tuple(
        PrefixInterruption(
            step=each.injected.step,
            rule=each.injected.rule,
            interruption=each.injected.interruption,
            mode=each.injected.mode,
            token=each.injected.token,
            sequence=each.injected.sequence,
        )
        for each in episode.interruptions
    )


def _screen(started: ev.EpisodeStarted, tree: UiTree) -> Size:
    """Return the size of the screen at the beginning, turned as it was then."""
    width, _, height = str(started.device.get("size", "")).partition("x")
    if width.isdecimal() and height.isdecimal():
        size = Size(int(width), int(height))
        return size.rotated if tree.rotation % 2 else size
    right = max((root.bounds.right for root in tree.roots), default=0)
    bottom = max((root.bounds.bottom for root in tree.roots), default=0)
    return Size(right, bottom)
