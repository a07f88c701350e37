"""Read a failed episode of a run as a diagnosis sees it."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core import events as ev
from garabench.core.checkpoint import PrefixInterruption
from garabench.core.geometry import Size
from garabench.core.restore_quality import picture_similarity
from garabench.core.seeds import derive
from garabench.core.tree import UiTree
from garabench.diagnosis.failed_case import CaseStep, FailedCase
from garabench.errors import InputError
from garabench.records.episode import Episode, RecordedAction, RecordedObservation

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
    if started is None or ended is None:
        missing = "beginning" if started is None else "end"
        raise InputError(f"the record is incomplete: the {missing} of the episode is missing")
    if ended.outcome != FAILURE:
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
    followed_up = {each.step for found in episode.interruptions for each in found.follow_ups if each.ok}
    final = episode.final_observation
    numbers = sorted(observed)
    arrivals = [observed[number][0] for number in numbers[1:]]
    following = dict(zip(numbers, [*arrivals, None if final is None else final.event], strict=False))
    for number in numbers:
        first, last = observed[number][0], observed[number][-1]
        recorded = episode.observation(last)
        tree = _tree(recorded)
        arrived = tree if first is last else _tree(episode.observation(first))
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
            only_picture=_changed_only_picture(episode, last, following.get(number)),
            followed_up=number in followed_up,
        )
    if final is not None and observed:
        tree = _tree(final)
        number = max(observed) + 1
        yield CaseStep(number, tree, tree, final.event.screen, final.focus, None, interrupted=False)


def _tree(recorded: RecordedObservation) -> UiTree:
    """Return the UI tree of an observation.

    Raises:
        InputError: It is missing or damaged.
    """
    try:
        return recorded.open_tree()
    except InputError as error:
        raise InputError(f"the record has no readable UI tree of step {recorded.event.step}") from error


def _changed_only_picture(
    episode: Episode, before: ev.Observed, after: ev.Observed | ev.FinalObserved | None
) -> bool:
    """Return whether two screens have the same tree, and pictures that differ below the status bar."""
    if after is None or before.signature != after.signature or before.screen == after.screen:
        return False
    pictures = [episode.store.read_picture(each.screen) for each in (before, after)]
    if pictures[0] is None or pictures[1] is None:
        return False
    similarity = picture_similarity(pictures[0], pictures[1])
    return similarity is not None and similarity < 1


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
