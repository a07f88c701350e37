"""A recorded episode: its events, and values derived from them; trees and pictures are read on demand."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path

from garabench.core import events as ev
from garabench.core.action import Action
from garabench.core.action import from_json as action_from_json
from garabench.core.app_state import EpisodeEffects
from garabench.core.file_errors import unreadable
from garabench.core.observation import Focus
from garabench.core.tree import UiTree
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import InputError
from garabench.records.content_store import ContentKind, ContentStore, is_hash
from garabench.records.event_reader import read_events
from garabench.records.results import Summary, summarize
from garabench.records.run_file import RunAgent
from garabench.records.run_layout import (
    AGENT_LOG,
    EVENTS,
    FAULT_LOG,
    EpisodeKey,
    earlier_attempts,
    transcripts,
)
from garabench.records.tree_files import TreeOpener, read_tree


@dataclass(frozen=True, slots=True)
class RecordedObservation:
    """An observation of the device; opening its tree or picture reads a file.

    Attributes:
        event: The event in the log.
        tree_path: The file of its tree.
        picture_path: The file of its picture.
    """

    event: ev.Observed | ev.FinalObserved
    tree_path: Path
    picture_path: Path

    @property
    def step(self) -> int:
        """Number of the step, from 0."""
        return self.event.step

    @property
    def focus(self) -> Focus:
        """The focused window."""
        return Focus(self.event.package, self.event.activity)

    def open_tree(self, *, allow_empty: bool = False) -> UiTree:
        """Read its UI tree.

        Args:
            allow_empty: Whether to accept a tree without elements.

        Raises:
            InputError: The file is missing or broken, or the tree has no elements.
        """
        return read_tree(self.tree_path, allow_empty=allow_empty)

    def open_picture(self) -> bytes:
        """Read its picture, a PNG.

        Raises:
            InputError: The file is missing.
        """
        try:
            return self.picture_path.read_bytes()
        except OSError as error:
            raise unreadable(self.picture_path, error) from error


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """An action of the agent, with its result.

    Attributes:
        step: Number of the step, from 0.
        decided: The agent's decision; None for an agent that drives the device itself.
        performed: The result of the action; None if the episode ended before it was performed, and for an
            agent that drives the device itself.
        settled: How the screen settled afterwards; None if the episode ended before.
    """

    step: int
    decided: ev.Decided | None
    performed: ev.PerformedEvent | None = None
    settled: ev.SettledEvent | None = None

    @property
    def action(self) -> Action | None:
        """The action as a value; None for an agent that drives the device itself.

        Raises:
            InputError: The log has no valid action.
        """
        if self.decided is None:
            return None
        try:
            return action_from_json(self.decided.action)
        except ValueError as error:
            raise InputError(f"step {self.step}: not an action: {self.decided.action}") from error


@dataclass(frozen=True, slots=True)
class RecordedInterruption:
    """An interruption from its injection to its end.

    Attributes:
        injected: Its injection.
        shown: When it was seen on the tree; None if it never was.
        failed: Why it was not seen in time; None if it was.
        events: The companion app's reports about it, in order.
        follow_ups: The steps of the follow-up, each with its result.
        resolved: How it ended; None if the record ends before.
    """

    injected: ev.InterruptionInjected
    shown: ev.InterruptionShown | None = None
    failed: ev.InjectionFailed | None = None
    events: tuple[ev.InterruptionEvent, ...] = ()
    follow_ups: tuple[ev.FollowUpPerformed, ...] = ()
    resolved: ev.InterruptionResolved | None = None

    @property
    def token(self) -> str:
        """The token that identifies it within the episode."""
        return self.injected.token

    @property
    def id(self) -> str:
        """Id of the interruption in the suite."""
        return self.injected.interruption

    @property
    def exit(self) -> str:
        """The button or other exit by which it was answered or left; empty if it is open."""
        return "" if self.resolved is None or self.resolved.how == "open" else self.resolved.exit

    @property
    def role(self) -> str:
        """The role of the pressed button; empty if none was pressed."""
        return "" if self.resolved is None else self.resolved.role

    @property
    def incomplete(self) -> str:
        """The first step of the follow-up that was not performed, and why; empty if all were."""
        failed = (step for step in self.follow_ups if not step.ok)
        return next((f"{step.description}: {step.detail}" for step in failed), "")


@dataclass(frozen=True)
class Attempt:
    """One attempt at an episode. Its log is read on first use.

    Attributes:
        folder: Folder of the record.
        store: The store of its pictures and trees.
    """

    folder: Path
    store: ContentStore = field(repr=False)

    @functools.cached_property
    def events(self) -> tuple[ev.Event, ...]:
        """The log, without a truncated last line; empty if the attempt never began.

        Raises:
            InputError: It is broken or of a newer version.
        """
        return read_events(self.folder)

    @property
    def log(self) -> Path:
        """The file of its events."""
        return self.folder / EVENTS

    @property
    def started(self) -> ev.EpisodeStarted | None:
        """Its first event; None if it never began."""
        events = self.events
        return events[0] if events and isinstance(events[0], ev.EpisodeStarted) else None

    @property
    def ended(self) -> ev.EpisodeEnded | None:
        """Its last event; None if it was interrupted."""
        events = self.events
        return events[-1] if events and isinstance(events[-1], ev.EpisodeEnded) else None

    @property
    def observations(self) -> tuple[RecordedObservation, ...]:
        """Every observation before a decision, in order.

        Raises:
            InputError: The log names a file outside of the record.
        """
        return tuple(self.observation(event) for event in self.events if isinstance(event, ev.Observed))

    @property
    def final_observation(self) -> RecordedObservation | None:
        """The observation after the last action.

        None if nothing was performed since the last observation, if the log version is 4 or before, and if
        the episode ended in an error or has not ended.

        Raises:
            InputError: The log names a file outside of the record.
        """
        found = next((event for event in self.events if isinstance(event, ev.FinalObserved)), None)
        return None if found is None else self.observation(found)

    def observation(self, event: ev.Observed | ev.FinalObserved) -> RecordedObservation:
        """Return the observation of an event of this attempt.

        Raises:
            InputError: The event names a file outside of the record.
        """
        return RecordedObservation(
            event,
            self._content(event.tree, ContentKind.TREE),
            self._content(event.screen, ContentKind.PNG),
        )

    def _content(self, name: str, kind: ContentKind) -> Path:
        """Return the file that an event names: by hash or, up to log version 2, by path."""
        if is_hash(name):
            return self.store.path(name, kind)
        path = self.folder / name
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise InputError(f"{self.log} names a file outside of its folder: {name}")
        return path

    @property
    def actions(self) -> tuple[RecordedAction, ...]:
        """Every action, in order, with its result."""
        found: list[RecordedAction] = []
        open_ = False
        for event in self.events:
            match event:
                case ev.Decided():
                    found.append(RecordedAction(event.step, event))
                    open_ = True
                case ev.ActionObserved():
                    found.append(RecordedAction(event.step, None))
                    open_ = True
                case ev.PerformedEvent() if open_:
                    found[-1] = RecordedAction(found[-1].step, found[-1].decided, event)
                case ev.SettledEvent() if open_:
                    last = found[-1]
                    found[-1] = RecordedAction(last.step, last.decided, last.performed, event)
                    open_ = False
                case _:
                    pass
        return tuple(found)

    @property
    def interruptions(self) -> tuple[RecordedInterruption, ...]:
        """Every interruption that was sent, in order."""
        return tuple(
            _interruption(event, self.events)
            for event in self.events
            if isinstance(event, ev.InterruptionInjected)
        )

    @property
    def usage(self) -> Usage | None:
        """Tokens, cost and time of the agent's model; None if the agent reports none."""
        usage = [
            event.usage
            for event in self.events
            if isinstance(event, ev.Decided | ev.FaultEvent) and event.usage is not None
        ]
        return sum(usage, NO_USAGE) if usage else None

    @property
    def effects(self) -> EpisodeEffects:
        """What it changed in the apps and in the system; unknown if the log does not say."""
        found = next((event for event in self.events if isinstance(event, ev.Effects)), None)
        if found is not None:
            return EpisodeEffects(apps=found.apps)
        started, ended = self.started, self.ended
        if started is not None and started.version < ev.EFFECTS_VERSION:
            return EpisodeEffects(unknown=f"log version {started.version} does not record effects")
        if ended is None:
            return EpisodeEffects(unknown="the episode has not ended")
        return EpisodeEffects(unknown=f"the episode ended with the outcome {ended.outcome}")

    @property
    def transcripts(self) -> tuple[Path, ...]:
        """The files of the model's requests and replies, one per step."""
        return transcripts(self.folder)

    @property
    def agent_log(self) -> Path | None:
        """The standard error of an external agent's program; None if it wrote nothing."""
        return _existing(self.folder / AGENT_LOG)

    @property
    def fault_log(self) -> Path | None:
        """The traceback of an unexpected fault; None without one."""
        return _existing(self.folder / FAULT_LOG)


@dataclass(frozen=True)
class Episode(Attempt):
    """An episode of a run: its latest attempt, and the earlier ones.

    Attributes:
        key: What identifies it within the run.
        agent: Its agent.
    """

    key: EpisodeKey
    agent: RunAgent

    @property
    def earlier_attempts(self) -> tuple[Attempt, ...]:
        """The attempts that were interrupted or ended in error and were repeated, in order."""
        return tuple(Attempt(folder, self.store) for folder in earlier_attempts(self.folder))

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Every attempt; the last one is this episode's own."""
        return (*self.earlier_attempts, self)

    @property
    def outcome(self) -> str | None:
        """``success``, ``failure`` or ``error``; None if it has not ended."""
        return None if self.ended is None else self.ended.outcome

    @property
    def summary(self) -> Summary | None:
        """Its summary, from its record; None if it has not ended."""
        trees = TreeOpener(self.store)
        return summarize(self.events, reference=self.agent.reference, open_tree=trees.of_episode(self.folder))


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None


def _interruption(injected: ev.InterruptionInjected, events: tuple[ev.Event, ...]) -> RecordedInterruption:
    own = [event for event in events if getattr(event, "token", None) == injected.token]
    return RecordedInterruption(
        injected,
        shown=next((event for event in own if isinstance(event, ev.InterruptionShown)), None),
        failed=next((event for event in own if isinstance(event, ev.InjectionFailed)), None),
        events=tuple(event for event in own if isinstance(event, ev.InterruptionEvent)),
        follow_ups=tuple(event for event in own if isinstance(event, ev.FollowUpPerformed)),
        resolved=next((event for event in own if isinstance(event, ev.InterruptionResolved)), None),
    )
