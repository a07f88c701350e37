"""The next move of a fake model, as a function of all screens in its conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.interface import Brief
from garabench.agents.reference.agent import SEARCHING, ReferenceAgent
from garabench.agents.reference.policy import Policy, interrupted
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiTree
from garabench.suite.suite import SuiteTask
from garabench.testing.action_translation import ActionTranslator, UnsupportedActionError

_MOST_EMPTY = 5
"""Steps of a solution, one after the other, that need no move."""


@dataclass(frozen=True, slots=True)
class ScreenState:
    """One look at the screen.

    Attributes:
        tree: What is on it.
        focus: Which window has the focus.
        view: What places in a reply refer to.
    """

    tree: UiTree
    focus: Focus
    view: ScreenView


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move.

    Attributes:
        action: One that the dialect can say.
        thought: Why.
        sure: Whether it is on the way, and no search for it.
    """

    action: Action
    thought: str
    sure: bool = True

    @property
    def ends(self) -> bool:
        """Whether the model thinks that it is over."""
        return _is_end(self.action)


PlanMove = Callable[[Sequence[ScreenState]], PlannedMove]
"""The move for the last of some looks."""


class MovePlanner:
    """Makes a move for each screen, one after the other."""

    def __init__(self, item: SuiteTask, policy: Policy, dialect: Dialect) -> None:
        """Begin a task.

        Args:
            item: The task, whose solution is followed.
            policy: How interruptions are met.
            dialect: Dialect of the moves.
        """
        self._item = item
        self._policy = policy
        self._dialect = dialect
        self._agent: ReferenceAgent | None = None
        self._left: list[PlannedMove] = []
        self._step = 0

    def move(self, look: ScreenState) -> PlannedMove:
        """The next move."""
        agent = self._agent or self._begun(look)
        self._step += 1
        if self._left and not interrupted(look.tree):
            return self._left.pop(0)
        for _ in range(_MOST_EMPTY):
            decision = agent.decide(self._observation(look), ())
            try:
                moves = ActionTranslator(self._dialect, look.view, look.tree).moves(decision.action)
            except UnsupportedActionError as error:
                return self._give_up(look, str(error))
            if moves:
                sure = not (_is_end(decision.action) or decision.thought in SEARCHING)
                first, *rest = (PlannedMove(action, decision.thought, sure) for action in moves)
                self._left = rest + self._left
                return first
        return self._give_up(look, "nothing is left to be done")

    def _begun(self, look: ScreenState) -> ReferenceAgent:
        task = self._item.task
        language, instruction = next(iter(task.instruction.items()))
        self._agent = ReferenceAgent(task.solution, self._policy)
        self._agent.start(
            Brief(instruction, language, self._item.app, task.max_steps, look.view.screen, seed=0)
        )
        return self._agent

    def _observation(self, look: ScreenState) -> Observation:
        screen = look.view.screen
        return Observation(
            step=self._step - 1,
            tree=look.tree,
            screenshot=Screenshot(b"", screen),
            focus=look.focus,
            source=TreeSource.U2,
            source_reason="",
            elapsed=0,
            screen=screen,
        )

    def _give_up(self, look: ScreenState, why: str) -> PlannedMove:
        try:
            (action,) = ActionTranslator(self._dialect, look.view, look.tree).moves(act.GiveUp(reason=why))
        except UnsupportedActionError:
            action = act.GiveUp(reason=why)
        return PlannedMove(action, why, sure=False)


def _is_end(action: Action) -> bool:
    return isinstance(action, act.Done | act.GiveUp)


def plan_move(item: SuiteTask, policy: Policy, dialect: Dialect, looks: Sequence[ScreenState]) -> PlannedMove:
    """The move for the last of these looks.

    The same looks give the same move: a request that is sent again, after a time limit or to have a reply
    repaired, is answered alike.

    Args:
        item: The task.
        policy: How interruptions are met.
        dialect: Dialect of the moves.
        looks: All looks since the episode began.
    """
    player = MovePlanner(item, policy, dialect)
    for look in looks[:-1]:
        player.move(look)
    return player.move(looks[-1])
