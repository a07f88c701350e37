"""A failed episode as a diagnosis sees it: the instruction, the screens and the actions, nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from garabench.core.action import Action, Done, GiveUp
from garabench.core.checkpoint import Checkpoint, PrefixInterruption, PrefixStep
from garabench.core.geometry import Point, Size
from garabench.core.observation import Focus
from garabench.core.touch import touch_point, touched_element
from garabench.core.tree import UiNode, UiTree


@dataclass(frozen=True, slots=True)
class CaseStep:
    """A step of a failed episode.

    Attributes:
        step: Its number, from 0.
        arrived: The screen before an interruption was injected at this step; else the same as `tree`.
        tree: The screen on which the agent decided.
        picture: SHA-256 of its picture.
        focus: The focused window.
        action: The agent's action; None if the episode ended before it decided.
        ok, detail: Whether the action could be performed, and why not.
        thought: What the agent wrote.
        still: Whether the screen had settled.
        interrupted: Whether an interruption was on screen.
        followed_up: Whether the follow-up of an interruption was performed, which may open another app.
        only_picture: Whether the action changed the picture although the tree stayed the same: messages
            that disappear by themselves are in no tree.
    """

    step: int
    arrived: UiTree = field(repr=False)
    tree: UiTree = field(repr=False)
    picture: str
    focus: Focus
    action: Action | None
    ok: bool = True
    detail: str = ""
    thought: str = ""
    still: bool = True
    interrupted: bool = False
    only_picture: bool = False
    followed_up: bool = False

    @property
    def point(self) -> Point | None:
        """Where the action touched the screen, or None."""
        return touch_point(self.action)

    @property
    def target(self) -> UiNode | None:
        """The element that the action touched, or None."""
        return None if self.point is None else touched_element(self.tree, self.point)


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A failed episode.

    Attributes:
        name: Its name within its run: ``task/agent/condition/seed``.
        instruction, language: What the agent was to do.
        app: Package of the task's app.
        screen: Size of the screen.
        ending: Why the episode ended: ``gave_up``, ``false_done``, ``step_limit`` and so on.
        answer: The agent's answer, or None.
        steps: The steps, in order; at least one.
        interruptions: The interruptions that were injected, in order.
        open_interruption: Whether one was still open at the end.
        seed: Random seed for anything drawn in its diagnosis.

    Raises:
        ValueError: There is no step.
    """

    name: str
    instruction: str
    language: str
    app: str
    screen: Size
    ending: str
    answer: str | None
    steps: tuple[CaseStep, ...]
    interruptions: tuple[PrefixInterruption, ...] = ()
    open_interruption: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a failed episode without a step shows nothing")

    def after(self, place: int) -> UiTree | None:
        """Return the screen after the step at a place of `steps`; None if it was not recorded."""
        return self.steps[place + 1].arrived if place + 1 < len(self.steps) else None

    def checkpoint(self, place: int) -> Checkpoint:
        """Return the checkpoint before the step at a place of `steps`."""
        fork = self.steps[place]
        return Checkpoint(
            step=fork.step,
            app=self.app,
            focus=fork.focus,
            tree=fork.tree,
            screen=fork.picture,
            prefix=tuple(
                PrefixStep(each.step, each.tree, each.action, each.ok)
                for each in self.steps[:place]
                if each.action is not None and not isinstance(each.action, Done | GiveUp)
            ),
            interruptions=tuple(each for each in self.interruptions if each.step <= fork.step),
            uncovered=fork.action is None and self.open_interruption,
        )
