"""The trajectories of a recorded run: its actions in canonical form, with what was on screen."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from garabench.core import events as ev
from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.errors import InputError
from garabench.graph.action_trajectory import ActionStep, ActionTrajectory, Encounter
from garabench.graph.android_actions import ActionScreen, arrival, canonical_action, unknown_action
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.slots import Slots, slots_of
from garabench.records.episode import Episode, RecordedAction, RecordedObservation
from garabench.records.reader import Run
from garabench.records.tree_files import read_tree

_CACHED_TREES = 256
"""Episodes of one task share screens; a parsed tree takes some 100 kB."""

_MOST_WORDS = 1000
"""Longer words of an agent are cut."""

TreeReader = Callable[[Path], UiTree | None]


@dataclass(frozen=True, slots=True)
class RunTrajectories:
    """The trajectories of a run.

    Attributes:
        trajectories: One for each episode that counts as a result of its agent.
        unfinished: Number of episodes that have not ended.
        errors: Number of episodes that ended in an error: they are neither successes nor failures.
        missed: Number of episodes in which no interruption could be shown: neither interrupted nor clean.
    """

    trajectories: tuple[ActionTrajectory, ...]
    unfinished: int = 0
    errors: int = 0
    missed: int = 0


def run_trajectories(run: Run) -> RunTrajectories:
    """Return the trajectories of a run.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    read = functools.lru_cache(maxsize=_CACHED_TREES)(_read_tree)
    found: list[ActionTrajectory] = []
    unfinished = errors = missed = 0
    attempts: dict[tuple[str, str, str], int] = {}
    for episode in run.episodes:
        summary = episode.summary
        if summary is None:
            unfinished += 1
        elif summary.outcome == "error":
            errors += 1
        elif not summary.counts:
            missed += 1
        else:
            key = (summary.task, summary.agent, summary.condition)
            attempts[key] = attempts.get(key, 0) + 1
            found.append(episode_trajectory(episode, run.folder.name, attempts[key], read))
    return RunTrajectories(tuple(found), unfinished, errors, missed)


def _read_tree(path: Path) -> UiTree | None:
    """Return a tree; None if it was not recorded, or if it is empty or unreadable."""
    try:
        return read_tree(path)
    except InputError:  # an action without a tree still has its type and place
        return None


def episode_trajectory(
    episode: Episode, source: str, attempt: int = 1, read: TreeReader = _read_tree
) -> ActionTrajectory:
    """Return the trajectory of an episode that has ended.

    Args:
        episode: The episode.
        source: Name of the run.
        attempt: How often the agent has tried the task under this condition.
        read: Reads a tree.

    Raises:
        InputError: The record is broken, or the episode has not ended.
    """
    started, ended = episode.started, episode.ended
    if started is None or ended is None:
        raise InputError(f"{episode.log}: the episode has not ended")
    reader = _EpisodeReader(episode, slots_of(started.instruction), read)
    for event in episode.events:
        reader.add(event)
    return ActionTrajectory(
        id=f"{source}/{episode.key}",
        task=started.task,
        agent=started.agent,
        success=ended.outcome == "success",
        steps=tuple(reader.steps),
        condition=started.condition,
        attempt=attempt,
        source=source,
        final_state=reader.final_state,
        reason=ended.reason,
        encounters=tuple(reader.encounters()),
        reference=episode.agent.reference,
        seed=started.seed,
    )


class _EpisodeReader:
    """Follows an episode's events, and collects its steps."""

    def __init__(self, episode: Episode, slots: Slots, read: TreeReader) -> None:
        self._episode = episode
        self._slots = slots
        self._read = read
        self._observed: RecordedObservation | None = None
        self._injected: dict[str, tuple[ev.InterruptionInjected, str]] = {}
        self._shown: dict[str, int] = {}
        self._open: dict[str, str] = {}
        self._resolved: dict[str, ev.InterruptionResolved] = {}
        self.steps: list[ActionStep] = []
        self.final_state = ""

    def add(self, event: ev.Event) -> None:
        match event:
            case ev.Observed():
                self._observed = self._episode.observation(event)
                self.final_state = f"{event.package} {event.signature}"
            case ev.FinalObserved():
                self.final_state = f"{event.package} {event.signature}"
            case ev.InterruptionInjected():
                self._injected[event.token] = event, self._screen(None).place()
            case ev.InterruptionShown() if event.token in self._injected:
                injected, _ = self._injected[event.token]
                self._shown[event.token] = len(self.steps)
                self._open[event.token] = injected.interruption
                self._append(arrival(injected.interruption), event.step)
            case ev.InterruptionResolved():
                self._open.pop(event.token, None)
                self._resolved[event.token] = event
            case ev.Decided():
                action = RecordedAction(event.step, event).action
                screen = self._screen(self._tree())
                if action is not None:
                    named = canonical_action(action, screen, self._slots)
                    self._append(named, event.step, event.thought if named.is_unknown else "")
            case ev.ActionObserved():
                self._append(unknown_action(self._screen(None)), event.step)
            case _:
                pass

    def _tree(self) -> UiTree | None:
        return None if self._observed is None else self._read(self._observed.tree_path)

    def _screen(self, tree: UiTree | None) -> ActionScreen:
        focus = Focus("", "") if self._observed is None else self._observed.focus
        return ActionScreen(focus, tree, next(reversed(self._open.values()), ""))

    def _append(self, action: CanonicalAction, number: int, words: str = "") -> None:
        observed = None if self._observed is None else self._observed.event
        self.steps.append(
            ActionStep(
                action,
                number,
                "" if observed is None else f"{observed.package} {observed.signature}",
                "" if observed is None else observed.screen,
                words[:_MOST_WORDS],
            )
        )
        self.final_state = ""  # until the screen is observed again

    def encounters(self) -> Iterator[Encounter]:
        for token, at in self._shown.items():
            injected, place = self._injected[token]
            resolved = self._resolved.get(token)
            closed = resolved is not None and resolved.how != "open"
            yield Encounter(
                at,
                injected.interruption,
                injected.mode,
                place,
                resolved.exit if resolved is not None and closed else "",
                resolved.role if resolved is not None else "",
            )
