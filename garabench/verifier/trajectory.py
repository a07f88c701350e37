"""Trajectories: what a judge sees of an episode, whether recorded here or imported.

A trajectory has no outcome and no result of a goal check: a judge must not see them. Trees and pictures are
named by path and read on demand by `garabench.verifier.frame_content`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from pathlib import Path

from garabench.core.action import Action
from garabench.core.app_state import EpisodeEffects


class TrajectorySource(enum.StrEnum):
    """Where a trajectory comes from."""

    GARABENCH = "garabench"
    OSWORLD = "osworld"
    ANDROIDWORLD = "androidworld"
    ANDROIDLAB = "androidlab"
    WEBARENA = "webarena"
    AITK = "aitk"


class Ending(enum.StrEnum):
    """How a trajectory ends, as far as it does not reveal the outcome."""

    DONE = "done"
    """The agent reported that the task is done."""
    GAVE_UP = "gave-up"
    """The agent reported that the task cannot be done."""
    STOPPED = "stopped"
    """The harness ended it: at its goal, or at a limit of steps or time."""
    AGENT_FAILED = "agent-failed"
    """The agent gave no usable action: unreadable, refused, too late or crashed."""
    BROKEN = "broken"
    """A fault of the device, the model or the harness, or the record ends early."""


@dataclass(frozen=True, slots=True)
class TrajectoryFrame:
    """A screen of a trajectory.

    Attributes:
        index: Its position in the trajectory, from 0.
        step: Number of the step at which it was observed; for the final frame, the last
            step plus one.
        picture_sha256: SHA-256 of the picture's content; empty without a picture.
        picture: The picture's file; None without a picture.
        tree_sha256: SHA-256 of the UI tree; empty without a tree.
        tree: The tree's file; None without a tree.
        text: The screen's text as another tool recorded it; used without a tree.
        package, activity: The focused window; for a web page, empty and the URL.
        still: Whether the screen had settled.
        final: Whether it was observed after the last action.
    """

    index: int
    step: int
    picture_sha256: str = ""
    picture: Path | None = None
    tree_sha256: str = ""
    tree: Path | None = None
    text: str = ""
    package: str = ""
    activity: str = ""
    still: bool = True
    final: bool = False


@dataclass(frozen=True, slots=True)
class TrajectoryStep:
    """A step: what the agent did on a frame.

    Attributes:
        number: Its number, from 0.
        action: The action; None if it is another tool's action without a counterpart here, or not recorded.
        text: The action as text, for a judge.
        thought: The agent's reasoning.
        ok: Whether the action was performed; None if the record does not say.
        detail: Why it was not performed, or how.
        before: Index of the frame on which the agent decided; None if it is missing.
        after: Index of the frame after the action; None if it is missing.
    """

    number: int
    action: Action | None
    text: str
    thought: str = ""
    ok: bool | None = None
    detail: str = ""
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class TrajectoryInterruption:
    """An injected interruption, known from the record.

    Attributes:
        id: Its id in the suite.
        category, severity, mode: As recorded.
        step: Number of the step at which it was injected.
        shown: Whether it was seen on the tree.
        resolution: ``answered`` by a button, ``left`` by another exit, or ``open`` at the end; empty if
            unknown.
        exit, role: The button or other exit, and the button's role.
        resolved_step: Number of the step at which it ended; None if it is open.
        controllable: Whether the agent could pass it; None if that is unknown.
        reason: Why it is controllable or not.
    """

    id: str
    category: str
    severity: str
    mode: str
    step: int
    shown: bool
    resolution: str = ""
    exit: str = ""
    role: str = ""
    resolved_step: int | None = None
    controllable: bool | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What a judge sees of an episode.

    Attributes:
        key: What identifies it: ``TASK/AGENT/CONDITION/SEED`` for an episode of a run.
        source: Where it comes from.
        digest: SHA-256 of its record; a verdict with another digest is out of date.
        instruction: The instruction of the agent.
        language: The instruction's language; empty if unknown.
        task: The task's id; empty if it is imported and has none.
        app: The package of the task's app; empty if unknown.
        frames: The screens in order; the last one was observed after the last action if `has_final_frame`.
        steps: The steps in order.
        ending: How it ends.
        answer: The final answer; None if the agent gave none.
        final_message: What the agent said at the end: its thought, or why it gave up.
        interruptions: The injected interruptions, in order.
        effects: What the episode changed in apps and system, if known.
    """

    key: str
    source: TrajectorySource
    digest: str
    instruction: str
    language: str = ""
    task: str = ""
    app: str = ""
    frames: tuple[TrajectoryFrame, ...] = ()
    steps: tuple[TrajectoryStep, ...] = ()
    ending: Ending = Ending.STOPPED
    answer: str | None = None
    final_message: str = ""
    interruptions: tuple[TrajectoryInterruption, ...] = ()
    effects: EpisodeEffects = field(default_factory=lambda: EpisodeEffects(unknown="not recorded"))

    @property
    def final_frame(self) -> TrajectoryFrame | None:
        """The frame after the last action; None if it is missing."""
        return self.frames[-1] if self.frames and self.frames[-1].final else None
