"""A recording in progress: what the person has done, what is on the screen, and what is done next.

The pages and the terminal send commands; `PersonAgent` waits for them between two observations. Both sides
run in separate threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from garabench.authoring.recording.gesture_steps import (
    PersonGesture,
    RecordedStep,
    StepOnScreen,
    TouchGesture,
    step_of,
    target_at,
)
from garabench.core.geometry import Point, Rect
from garabench.core.observation import Observation
from garabench.core.shortest_selector import selector_yaml
from garabench.core.step_planner import target_of
from garabench.core.steps import SolutionStep
from garabench.core.tree import UiTree
from garabench.core.yaml_text import flow
from garabench.errors import InputError

_BUSY = "the phone is busy; wait for the next screen"


@dataclass(frozen=True, slots=True)
class UndoStep:
    """Remove the last step, and repeat the others from the beginning."""


@dataclass(frozen=True, slots=True)
class FinishRecording:
    """The task is done, with an answer if it asks for one."""

    answer: str = ""


@dataclass(frozen=True, slots=True)
class StopRecording:
    """Stop; the recording can be resumed."""


PersonCommand = PersonGesture | UndoStep | FinishRecording | StopRecording


@dataclass(frozen=True, slots=True)
class StepPreview:
    """What a gesture would record.

    Attributes:
        text: The step as it is written in files.
        warning: Why it may not find its element again, or empty.
        bounds: The bounds of its element; None if it has none.
    """

    text: str
    warning: str
    bounds: Rect | None


@dataclass
class PersonSession:
    """A recording in progress.

    Attributes:
        replayed: Steps of earlier sittings that are still to be repeated.
        on_step: Called with all steps after each change.
        recorded: The steps so far, each with the screen before it.
        observation: The screen that the person sees; None while the phone is busy.
        message: What the person should know.
        ended: The command that ended the sitting, or None.
        first, last: The first and the latest screen.
        version: Counts the changes of the above.
    """

    replayed: list[SolutionStep] = field(default_factory=list)
    on_step: Callable[[tuple[SolutionStep, ...]], None] = lambda steps: None
    recorded: list[StepOnScreen] = field(default_factory=list)
    observation: Observation | None = None
    message: str = ""
    ended: UndoStep | FinishRecording | StopRecording | None = None
    first: Observation | None = None
    last: Observation | None = None
    version: int = 0
    _next: RecordedStep | UndoStep | FinishRecording | StopRecording | None = None
    _changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def steps(self) -> tuple[SolutionStep, ...]:
        """The steps that were performed, and those that are still to be repeated."""
        return (*(each.step for each in self.recorded), *self.replayed)

    # The person's side

    def send(self, command: PersonCommand, tree: UiTree | None = None) -> None:
        """Give the next command.

        Args:
            command: The command.
            tree: The screen that a gesture was made on, if it is newer than `observation`.

        Raises:
            InputError: The phone is still busy, the recording has ended, or the gesture reaches no element.
        """
        with self._changed:
            if self.ended is not None:
                raise InputError("the recording has ended")
            if self.observation is None and not isinstance(command, StopRecording):
                raise InputError(_BUSY)
            if isinstance(command, UndoStep) and not self.recorded:
                raise InputError("there is no step to undo")
            if isinstance(command, FinishRecording) and not (self.recorded or command.answer):
                raise InputError("nothing has been recorded yet")
            if isinstance(command, UndoStep | FinishRecording | StopRecording):
                self._next = command
            else:
                self._next = self._step_of(command, tree)  # refused at once
            self.observation = None
            self._note()

    def preview(self, gesture: PersonGesture, tree: UiTree | None = None) -> StepPreview:
        """Return what a gesture would record on the present screen, or on a newer one.

        Raises:
            InputError: As for `send`.
        """
        with self._changed:
            recorded = self._step_of(gesture, tree)
            bounds = None
            if isinstance(gesture, TouchGesture) and self.observation is not None:
                bounds = target_at(tree or self.observation.tree, gesture.start).bounds
            return StepPreview(step_text(recorded.step), recorded.warning, bounds)

    def preview_at(self, x: int, y: int) -> StepPreview:
        """Return what a tap at a position would record."""
        return self.preview(TouchGesture(Point(x, y), Point(x, y)))

    def wait_for_change(self, version: int, seconds: float) -> int:
        """Wait until the session differs from a version of it, and return the present one."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, seconds)
            return self.version

    def _step_of(self, gesture: PersonGesture, tree: UiTree | None) -> RecordedStep:
        if self.observation is None:
            raise InputError(_BUSY)
        return step_of(gesture, tree or self.observation.tree, self.observation.screen.width)

    # The phone's side

    def next_command(
        self, observation: Observation
    ) -> UndoStep | FinishRecording | StopRecording | SolutionStep:
        """Show a screen and wait for what is done next: a step to repeat, or the person's command."""
        with self._changed:
            self.first = self.first or observation
            self.last = observation
            if self.replayed:
                step = self.replayed.pop(0)
                self._add(StepOnScreen(step, observation.tree))
                return step
            self.observation = observation
            self._note()
            self._changed.wait_for(lambda: self._next is not None)
            found, self._next = self._next, None
            if found is None:
                raise RuntimeError("woken without a command")
            self.message = ""
            if not isinstance(found, RecordedStep):
                self.ended = found
                self._note()
                return found
            self.message = found.warning
            self._add(StepOnScreen(found.step, observation.tree))
            return found.step

    def drop_last(self, reason: str) -> None:
        """Remove the last step, which could not be performed."""
        with self._changed:
            self.recorded.pop()
            self.message = reason
            self.on_step(self.steps)
            self._note()

    def drop_rest(self, reason: str) -> None:
        """Remove the last step and those still to be repeated: the screen is another one."""
        with self._changed:
            self.replayed.clear()
        self.drop_last(reason)

    def _add(self, step: StepOnScreen) -> None:
        self.recorded.append(step)
        self.on_step(self.steps)
        self._note()

    def _note(self) -> None:
        self.version += 1
        self._changed.notify_all()


def step_text(step: SolutionStep) -> str:
    """Return a step as it is written in files: ``tap: {id: search_bar}``."""
    (name, value), *_ = step
    target = target_of(step)
    if target is not None and name in ("tap", "long_press", "double_tap", "wait_for"):
        return f"{name}: {selector_yaml(target)}"
    if value is None:
        return str(name)
    data = step.model_dump(mode="json", by_alias=True, exclude_unset=True)[name]
    return f"{name}: {flow(data)}"


def texts_of(steps: Sequence[SolutionStep]) -> tuple[str, ...]:
    """Return the texts that steps name or type, which tell the object of a task."""
    found: list[str] = []
    for step in steps:
        data = step.model_dump(mode="json", exclude_unset=True)
        stack: list[object] = [data]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                found += [text for key, text in value.items() if key == "text" and isinstance(text, str)]
                stack += [each for each in value.values() if isinstance(each, dict)]
    return tuple(dict.fromkeys(found))
