"""The next move of a fake model, as a function of all screens in its conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.interface import Brief
from garabench.agents.reference.agent import SEARCHING_THOUGHTS, ReferenceAgent
from garabench.agents.reference.exit_choice import Policy, interrupted
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiTree
from garabench.suite.suite import SuiteTask
from garabench.testing.action_translation import ActionTranslator, UnsupportedActionError

_MAX_SKIPPED = 5
"""Maximum number of consecutive solution steps that need no move."""


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The state of the screen at one step.

    Attributes:
        tree: The UI tree.
        focus: The focused window.
        view: The view to which coordinates in a reply refer.
    """

    tree: UiTree
    focus: Focus
    view: ScreenView


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A planned move.

    Attributes:
        action: The action, which the dialect can express.
        thought: Why.
        sure: Whether it is a step of the solution, not a search for the next one.
    """

    action: Action
    thought: str
    sure: bool = True

    @property
    def ends(self) -> bool:
        """Whether the move ends the episode."""
        return _is_end(self.action)


PlanMove = Callable[[Sequence[ScreenState]], PlannedMove]
"""Returns the move for the last of a sequence of states."""


class MovePlanner:
    """Plans the moves of a task, screen by screen."""

    def __init__(self, item: SuiteTask, policy: Policy, dialect: Dialect) -> None:
        """Begin a task.

        Args:
            item: The task and its solution.
            policy: How to answer interruptions.
            dialect: Dialect of the moves.
        """
        self._item = item
        self._policy = policy
        self._dialect = dialect
        self._agent: ReferenceAgent | None = None
        self._pending: list[PlannedMove] = []
        self._step = 0

    def move(self, state: ScreenState) -> PlannedMove:
        """Return the next move."""
        agent = self._agent or self._start(state)
        self._step += 1
        if self._pending and not interrupted(state.tree):
            return self._pending.pop(0)
        for _ in range(_MAX_SKIPPED):
            decision = agent.decide(self._observation(state), ())
            try:
                moves = ActionTranslator(self._dialect, state.view, state.tree).moves(decision.action)
            except UnsupportedActionError as error:
                return self._give_up(state, str(error))
            if moves:
                sure = not (_is_end(decision.action) or decision.thought in SEARCHING_THOUGHTS)
                first, *rest = (PlannedMove(action, decision.thought, sure) for action in moves)
                self._pending = rest + self._pending
                return first
        return self._give_up(state, "no solution step needs a move here")

    def _start(self, state: ScreenState) -> ReferenceAgent:
        task = self._item.task
        language, instruction = next(iter(task.instruction.items()))
        self._agent = ReferenceAgent(task.solution, self._policy)
        self._agent.start(
            Brief(instruction, language, self._item.app, task.max_steps, state.view.screen, seed=0)
        )
        return self._agent

    def _observation(self, state: ScreenState) -> Observation:
        screen = state.view.screen
        return Observation(
            step=self._step - 1,
            tree=state.tree,
            screenshot=Screenshot(b"", screen),
            focus=state.focus,
            source=TreeSource.U2,
            source_reason="",
            elapsed=0,
            screen=screen,
        )

    def _give_up(self, state: ScreenState, reason: str) -> PlannedMove:
        try:
            (action,) = ActionTranslator(self._dialect, state.view, state.tree).moves(
                act.GiveUp(reason=reason)
            )
        except UnsupportedActionError:
            action = act.GiveUp(reason=reason)
        return PlannedMove(action, reason, sure=False)


def _is_end(action: Action) -> bool:
    return isinstance(action, act.Done | act.GiveUp)


def plan_move(
    item: SuiteTask, policy: Policy, dialect: Dialect, states: Sequence[ScreenState]
) -> PlannedMove:
    """Return the move for the last of the given states.

    The same states give the same move, so a retry or a request for a corrected reply gets the same answer.

    Args:
        item: The task.
        policy: How to answer interruptions.
        dialect: Dialect of the moves.
        states: All states since the episode began, earliest first.
    """
    planner = MovePlanner(item, policy, dialect)
    for state in states[:-1]:
        planner.move(state)
    return planner.move(states[-1])
