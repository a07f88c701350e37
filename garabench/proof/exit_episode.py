"""Perform an episode in which rules fire with certainty and their interruptions are left by given exits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy, buttons, interrupted
from garabench.core import action as act
from garabench.core.events import Event, InterruptionInjected
from garabench.core.geometry import Size
from garabench.core.observation import Observation, Screenshot
from garabench.core.steps import SolutionStep
from garabench.core.tree import UiNode
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.episode.runner import EpisodeRunner
from garabench.episode.spec import EpisodeSpec
from garabench.proof.batching import ExitEpisode, ExitTrial
from garabench.proof.exit_checks import OnDecision
from garabench.proof.exits import BACK, SOLVED, Exit
from garabench.records.episode_writer import StoredObservation
from garabench.suite.suite import Suite, SuiteTask


class ExitAgent:
    """Follows a solution, and leaves each interruption by given buttons.

    Attributes:
        name: Name in records.
        reference: True.
        furthest: After each decision, the largest number of solution steps done so far.
    """

    name = "proof"
    reference = True

    def __init__(
        self,
        solution: Sequence[SolutionStep],
        exits: Mapping[str, Exit],
        injected: Callable[[], str],
        on_decision: OnDecision = lambda decision: None,
    ) -> None:
        """Prepare an agent.

        Args:
            solution: The task's reference solution.
            exits: The exit to take for each rule. After its last key the agent takes easy exits.
            injected: Returns the rule that injected last; empty before the first injection.
            on_decision: Receives the reason of each decision.
        """
        self.furthest: list[int] = []
        self._exits = dict(exits)
        self._keys = {rule: list(exit_.keys) for rule, exit_ in exits.items()}
        self._injected = injected
        self._on_decision = on_decision
        self._inner = ReferenceAgent(solution, Policy.DISMISS)

    def start(self, brief: Brief) -> None:
        """Begin at the first step of the solution."""
        self._inner.start(brief)

    def close(self) -> None:
        """Release the inner agent."""
        self._inner.close()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Return the next exit button, or the next step of the solution."""
        decision = self._press_exit(observation) or self._inner.decide(observation, history)
        self.furthest.append(self._inner.furthest)
        self._on_decision(decision.thought)
        return decision

    def _press_exit(self, observation: Observation) -> Decision | None:
        """Press the next button of the current interruption; None if there is none to press."""
        rule = self._injected()
        keys = self._keys.get(rule)
        if not keys or not interrupted(observation.tree):
            return None
        offered = {node.entry.removeprefix("button_"): node for node in buttons(observation.tree)}
        if keys[0] == BACK and offered:
            return Decision(act.Back(), f"leave by {keys.pop(0)}")
        exit_, node = self._exits[rule], offered.get(keys[0])
        slider = next((n for n in observation.tree.nodes if n.entry == "slider"), None)
        if keys[0] == SOLVED and slider is not None:
            return Decision(_drag(slider, exit_.gap), f"drag until {keys.pop(0)}")
        if node is None:
            return None
        at = node.bounds.center
        pressed = Decision(act.Tap(x=at.x, y=at.y), f"press {keys.pop(0)}")
        if exit_.restarts and not keys:
            self._inner.restart()
        return pressed


class MemoryRecorder:
    """A recorder that stores events in memory and discards trees and screenshots.

    Attributes:
        attempt: Always 1.
        events: The events so far.
    """

    def __init__(self) -> None:
        self.attempt = 1
        self.events: list[Event] = []

    @property
    def injected(self) -> str:
        """The rule that injected last, ignoring interruptions opened by a button; empty before the first."""
        rules = (event.rule for event in reversed(self.events) if isinstance(event, InterruptionInjected))
        return next(filter(None, rules), "")

    def append(self, events: Sequence[Event]) -> None:
        """Store events."""
        self.events.extend(events)

    def store(self, observation: Observation) -> StoredObservation:
        """Store neither tree nor picture."""
        return StoredObservation("", "")

    def write_traceback(self, error: BaseException) -> str:
        """Raise it: a bug of GaraBench is not a finding about a task."""
        raise error


class _TreeOnlyRunner(EpisodeRunner):
    """A runner that takes no screenshots: they are the most expensive part, and proofs do not use them."""

    photographs = False

    def observe(self, step: int, settled: Settled | None) -> Observation:
        """Observe the device without a screenshot."""
        reading = (settled or self._device.settle()).reading
        screen = self._device.info.size
        if reading.tree.rotation % 2:
            screen = Size(screen.height, screen.width)
        return Observation(
            step=step,
            tree=reading.tree,
            screenshot=Screenshot(b"", screen),
            focus=self._device.focus(),
            source=reading.source,
            source_reason=reading.reason,
            elapsed=self._clock.monotonic() - self._started,
            screen=screen,
            rotation=reading.tree.rotation,
        )


def run_exits(
    device: Device,
    item: SuiteTask,
    suite: Suite,
    trials: Sequence[ExitTrial],
    on_decision: OnDecision = lambda decision: None,
) -> ExitEpisode:
    """Perform the episode on a device; see `garabench.proof.exit_checks.ExitPerformer`.

    Each rule injects its one interruption once, on the first screen that matches. Everything else is as in
    a run.
    """
    certain = {"probability": 1.0, "once": True}
    spec = EpisodeSpec(
        task=item.task,
        app=item.app,
        goal=item.goal,
        rules=tuple(
            replace(trial.bound, rule=trial.bound.rule.model_copy(update=certain)) for trial in trials
        ),
        interruptions=suite.interruptions,
        anomalies=suite.anomalies,
        agent=ExitAgent.name,
        condition=trials[0].exit.mode.value,
        seed=0,
        suite_hash=suite.digest,
        harm=item.harm,
        effects=item.effects,
    )
    memory = MemoryRecorder()
    agent = ExitAgent(
        item.task.solution,
        {trial.rule: trial.exit for trial in trials},
        lambda: memory.injected,
        on_decision,
    )
    _TreeOnlyRunner(spec, device, agent, memory, device.clock).run()
    return ExitEpisode(tuple(memory.events), tuple(agent.furthest))


def _drag(slider: UiNode, gap: float) -> act.Swipe:
    """Return the swipe of a puzzle's knob from its start to the gap."""
    bounds, y = slider.bounds, slider.bounds.center.y
    start = bounds.left + 1
    return act.Swipe(x1=start, y1=y, x2=bounds.left + round(bounds.width * gap), y2=y)
