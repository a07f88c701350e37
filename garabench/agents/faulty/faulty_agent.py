"""An agent with a fault: it decides as the wrapped agent does, but for one kind of mistake.

A mistake has an occasion, which the episode's seed draws, such as the second press. It is systematic: once
the agent has mistaken something, it mistakes it again, so that its own retries do not help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from garabench.agents.faulty import mistakes
from garabench.agents.faulty.agent_fault import AgentFaultKind
from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.geometry import Point
from garabench.core.observation import Observation
from garabench.core.seeds import generator

_SETTINGS = "com.android.settings"
_ASIDE = 3
"""Presses in the wrong app before the agent reports the task done."""
_PAUSE_S = 0.5


class FaultyAgent:
    """Wraps an agent and makes a mistake.

    Attributes:
        name: The name of the wrapped agent.
        reference: Whether the wrapped agent is a reference agent.
    """

    def __init__(self, agent: Agent, fault: AgentFaultKind) -> None:
        """Wrap an agent.

        Args:
            agent: The agent.
            fault: Its fault.
        """
        self.name = agent.name
        self.reference = agent.reference
        self._agent = agent
        self._fault = fault
        self._mistakes: Mapping[AgentFaultKind, Callable[[Observation, Decision], Decision]] = {
            AgentFaultKind.WRONG_TARGET: self._wrong_target,
            AgentFaultKind.OFF_BY_ONE: self._off_by_one,
            AgentFaultKind.WRONG_ROW: self._wrong_row,
            AgentFaultKind.GIVES_UP_EARLY: self._gives_up_early,
            AgentFaultKind.CLAIMS_DONE: self._claims_done,
            AgentFaultKind.NO_SCROLL: self._no_scroll,
            AgentFaultKind.WRONG_TEXT: self._wrong_text,
            AgentFaultKind.LOOPS: self._loops,
            AgentFaultKind.FORGETS_SUBMIT: self._forgets_submit,
            AgentFaultKind.TAPS_THROUGH: self._taps_through,
            AgentFaultKind.WRONG_APP: self._wrong_app,
            AgentFaultKind.IGNORES_KEYBOARD: self._ignores_keyboard,
            AgentFaultKind.WRONG_ANSWER: self._wrong_answer,
            AgentFaultKind.STALE_SCREEN: self._unchanged,
        }

    def start(self, brief: Brief) -> None:
        """Begin an episode; raises what the agent raises."""
        self._brief = brief
        self._draw = generator(brief.seed, "agent-fault", self._fault.value)
        rare = self._fault is AgentFaultKind.WRONG_ROW  # few presses are in rows
        self._occasion = 1 if rare else self._draw.randint(1, 3)
        self._presses = 0
        self._steps = 0
        self._mistaken: set[mistakes.NodeKey] = set()
        self._recent: list[Decision] = []
        self._frozen: Observation | None = None
        self._aside = 0
        self._agent.start(brief)

    def close(self) -> None:
        """End the episode; raises what the agent raises."""
        self._agent.close()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Return the agent's decision, or a mistaken one; raises what the agent raises."""
        seen = observation
        self._steps += 1
        if self._fault is AgentFaultKind.STALE_SCREEN and self._steps >= self._occasion:
            self._frozen = self._frozen or observation
            seen = replace(self._frozen, step=observation.step, elapsed=observation.elapsed)
        decision = self._agent.decide(seen, history)
        mistaken = self._mistakes[self._fault](observation, decision)
        self._recent = [*self._recent[-1:], mistaken]
        return mistaken

    def _unchanged(self, observation: Observation, decision: Decision) -> Decision:
        return decision

    # Mistaken presses

    def _mistaken_press(
        self,
        observation: Observation,
        decision: Decision,
        instead: Callable[[mistakes.Press, Point], act.Action | None],
    ) -> Decision:
        """Make a mistake at the drawn press that offers one, and whenever that element is pressed again."""
        action = decision.action
        if not isinstance(action, mistakes.PRESSES):
            return decision
        at = Point(action.x, action.y)
        node = mistakes.pressed_node(observation.tree, at)
        if node is None or node.package != self._brief.app:
            return decision
        key = mistakes.key_of(node)
        other = instead(action, at)
        if other is None:
            return decision
        if key not in self._mistaken:
            self._presses += 1
            if self._presses < self._occasion or self._mistaken:
                return decision
            self._mistaken.add(key)
        return replace(decision, action=other)

    def _wrong_target(self, observation: Observation, decision: Decision) -> Decision:
        def instead(action: mistakes.Press, at: Point) -> act.Action | None:
            node = mistakes.pressed_node(observation.tree, at)
            other = mistakes.another(observation, node, self._draw) if node is not None else None
            return mistakes.press_at(action, other) if other is not None else None

        return self._mistaken_press(observation, decision, instead)

    def _off_by_one(self, observation: Observation, decision: Decision) -> Decision:
        def instead(action: mistakes.Press, at: Point) -> act.Action | None:
            node = mistakes.pressed_node(observation.tree, at)
            other = mistakes.next_one(observation, node) if node is not None else None
            return mistakes.press_at(action, other) if other is not None else None

        return self._mistaken_press(observation, decision, instead)

    def _wrong_row(self, observation: Observation, decision: Decision) -> Decision:
        def instead(action: mistakes.Press, at: Point) -> act.Action | None:
            other = mistakes.next_row(observation.tree, at)
            return mistakes.press_at(action, other) if other is not None else None

        return self._mistaken_press(observation, decision, instead)

    # Mistaken ends

    def _gives_up_early(self, observation: Observation, decision: Decision) -> Decision:
        if self._steps <= self._occasion:
            return decision
        return Decision(act.GiveUp(reason="this does not seem to be possible"), "there is no way to do this")

    def _claims_done(self, observation: Observation, decision: Decision) -> Decision:
        if self._steps <= self._occasion:
            return decision
        return Decision(act.Done(), "everything that was asked for is done")

    def _loops(self, observation: Observation, decision: Decision) -> Decision:
        if self._steps <= self._occasion + 1 or not self._recent:
            return decision
        return replace(self._recent[0], thought="try once more")

    def _wrong_app(self, observation: Observation, decision: Decision) -> Decision:
        if self._steps <= self._occasion:
            return decision
        self._aside += 1
        if self._aside == 1:
            return Decision(act.OpenApp(package=_SETTINGS), "the setting is in the phone's settings")
        offered = mistakes.candidates(observation)
        if self._aside > _ASIDE + 1 or not offered:
            return Decision(act.Done(), "everything that was asked for is done")
        at = self._draw.choice(offered).bounds.center
        return Decision(act.Tap(x=at.x, y=at.y), "this looks right")

    def _wrong_answer(self, observation: Observation, decision: Decision) -> Decision:
        action = decision.action
        if not isinstance(action, act.Done) or not action.answer:
            return decision
        wrong = mistakes.other_answer(observation.tree, action.answer)
        return replace(decision, action=act.Done(answer=wrong))

    # Mistaken gestures and texts

    def _no_scroll(self, observation: Observation, decision: Decision) -> Decision:
        if isinstance(decision.action, act.Scroll | act.Swipe):
            reason = "what the task needs is not on the screen"
            return Decision(act.GiveUp(reason=reason), reason)
        return decision

    def _wrong_text(self, observation: Observation, decision: Decision) -> Decision:
        action = decision.action
        if not isinstance(action, act.Type) or not action.text:
            return decision
        return replace(decision, action=action.model_copy(update={"text": mistakes.misspelled(action.text)}))

    def _forgets_submit(self, observation: Observation, decision: Decision) -> Decision:
        action = decision.action
        if isinstance(action, act.Type) and action.submit:
            return replace(decision, action=action.model_copy(update={"submit": False}))
        if isinstance(action, act.Tap) and mistakes.completes(observation.tree, Point(action.x, action.y)):
            return Decision(act.Done(), "everything is filled in")
        return decision

    def _ignores_keyboard(self, observation: Observation, decision: Decision) -> Decision:
        action = decision.action
        if not isinstance(action, act.Type):
            return decision
        if action.at is None:
            return Decision(act.Wait(seconds=_PAUSE_S), "the text is there")
        return replace(decision, action=act.Tap(x=action.at[0], y=action.at[1]))

    def _taps_through(self, observation: Observation, decision: Decision) -> Decision:
        covered = observation.focus.package != self._brief.app
        if not covered or isinstance(decision.action, act.Done | act.GiveUp):
            return decision
        pressed = [one for one in self._recent if isinstance(one.action, mistakes.PRESSES)]
        if not pressed:
            return Decision(act.Wait(seconds=_PAUSE_S), "continue")
        return replace(pressed[-1], thought="continue")
