"""Perform the episode in which one rule fires for certain and its interruption is left by one exit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.policy import Policy, buttons, interrupted
from garabench.campaign.exits import BACK, SOLVED, Exit
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core import action as act
from garabench.core.events import Event
from garabench.core.geometry import Size
from garabench.core.observation import Observation, Screenshot
from garabench.core.steps import ClearAppStep, ForceStopStep, RelaunchStep, ShowStep, SolutionStep
from garabench.core.tree import UiNode
from garabench.device.device import Device
from garabench.device.settle import Settled
from garabench.episode.runner import EpisodeRunner
from garabench.episode.spec import EpisodeSpec
from garabench.rules.engine import BoundRule


class ExitAgent:
    """Follows a solution, and leaves what interrupts it by given buttons, one for each interruption.

    Attributes:
        name: What its records call it.
        reference: True.
    """

    name = "proof"
    reference = True

    def __init__(
        self, solution: Sequence[SolutionStep], keys: Sequence[str], *, restarts: bool, gap: float = 0
    ) -> None:
        """Prepare.

        Args:
            solution: The task's reference solution.
            keys: The buttons in order; `BACK` is Android's key. When they are used up, it takes easy exits.
            restarts: Whether the app is on its first screen after the last of them.
            gap: Where the knob of a puzzle has to be let go.
        """
        self._keys = list(keys)
        self._restarts = restarts
        self._gap = gap
        self._inner = ReferenceAgent(solution, Policy.DISMISS)

    def start(self, brief: Brief) -> None:
        """Begin at the solution's first step."""
        self._inner.start(brief)

    def close(self) -> None:
        """Nothing to release."""
        self._inner.close()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """The next step of the solution, or the next button."""
        if self._keys and interrupted(observation.tree):
            offered = {node.entry.removeprefix("button_"): node for node in buttons(observation.tree)}
            if self._keys[0] == BACK and offered:
                return Decision(act.Back(), f"leave by {self._keys.pop(0)}")
            node = offered.get(self._keys[0])
            slider = next((n for n in observation.tree.nodes if n.entry == "slider"), None)
            if self._keys[0] == SOLVED and slider is not None:
                return Decision(_drag(slider, self._gap), f"drag until {self._keys.pop(0)}")
            if node is not None:
                at = node.bounds.center
                pressed = Decision(act.Tap(x=at.x, y=at.y), f"press {self._keys.pop(0)}")
                if self._restarts and not self._keys:
                    self._inner.begin_again()
                return pressed
        return self._inner.decide(observation, history)


class Memory:
    """A record that is kept in memory only, without trees and pictures.

    Attributes:
        attempt: Always the first one.
        events: What was recorded.
    """

    def __init__(self) -> None:
        self.attempt = 1
        self.events: list[Event] = []

    def append(self, events: Sequence[Event]) -> None:
        """Keep events."""
        self.events.extend(events)

    def keep(self, observation: Observation, number: int) -> tuple[str, str]:
        """Name an observation's tree and picture, which are not kept."""
        return f"{number:03d}.xml", f"{number:03d}.png"

    def keep_traceback(self, error: BaseException) -> str:
        """Raise it: a fault in our own code is no finding about a task."""
        raise error


class _TreesOnly(EpisodeRunner):
    """Performs an episode without pictures, which cost more than all else and which nobody would look at."""

    def observe(self, step: int, settled: Settled | None) -> Observation:
        """One look at the device, without a picture."""
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


def pass_by(device: Device, item: SuiteTask, suite: Suite, bound: BoundRule, way: Exit) -> tuple[Event, ...]:
    """Perform it on a device; see `garabench.campaign.prove.Passages`.

    The rule, which injects one interruption, fires on the first screen that fits, and once. All else is as in
    a run.
    """
    certain = bound.rule.model_copy(update={"probability": 1.0, "once": True})
    spec = EpisodeSpec(
        task=item.task,
        app=item.app,
        goal=item.goal,
        rules=(replace(bound, rule=certain),),
        interruptions=suite.interruptions,
        anomalies=suite.anomalies,
        agent=ExitAgent.name,
        condition=way.mode.value,
        seed=0,
        suite_hash=suite.digest,
        harm=item.harm,
    )
    memory = Memory()
    agent = ExitAgent(
        item.task.solution,
        way.keys,
        restarts=_restarts(bound.rule.inject[0], way, suite),
        gap=_gap(bound.rule.inject[0], suite),
    )
    _TreesOnly(spec, device, agent, memory, device.clock).run()
    return tuple(memory.events)


def _drag(slider: UiNode, gap: float) -> act.Swipe:
    """The way of a puzzle's knob from its beginning to the gap."""
    bounds, y = slider.bounds, slider.bounds.center.y
    start = bounds.left + 1
    return act.Swipe(x1=start, y1=y, x2=bounds.left + round(bounds.width * gap), y2=y)


def _gap(name: str, suite: Suite) -> float:
    return next((b.gap for b in suite.interruptions[name].buttons if b.gap is not None), 0)


def _restarts(name: str, way: Exit, suite: Suite) -> bool:
    """Whether one of the buttons ends the app or starts it anew."""
    shown: str | None = name
    for key in way.keys:
        if shown is None:
            return False
        pressed = [button for button in suite.interruptions[shown].buttons if button.key == key]
        steps = [step for button in pressed for step in button.follow_up]
        if any(isinstance(step, ForceStopStep | RelaunchStep | ClearAppStep) for step in steps):
            return True
        shown = next((step.show for step in steps if isinstance(step, ShowStep)), None)
    return False
