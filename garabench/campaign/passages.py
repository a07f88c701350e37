"""Perform the episode in which rules fire for certain and their interruptions are left by given exits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.policy import Policy, buttons, interrupted
from garabench.campaign.exits import BACK, SOLVED, Exit
from garabench.campaign.rounds import Passage, Passed
from garabench.campaign.suite import Suite, SuiteTask
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


class ExitAgent:
    """Follows a solution, and leaves what interrupts it by given buttons, one for each interruption.

    Attributes:
        name: What its records call it.
        reference: True.
        furthest: After each decision: how many steps of the solution were done at most until then.
    """

    name = "proof"
    reference = True

    def __init__(
        self, solution: Sequence[SolutionStep], ways: Mapping[str, Exit], injected: Callable[[], str]
    ) -> None:
        """Prepare.

        Args:
            solution: The task's reference solution.
            ways: Of each rule the exit by which its interruption is left: the buttons in order; `BACK` is
                Android's key. When they are used up, it takes easy exits.
            injected: Tells the rule that has injected last; empty before the first.
        """
        self.furthest: list[int] = []
        self._ways = dict(ways)
        self._keys = {rule: list(way.keys) for rule, way in ways.items()}
        self._injected = injected
        self._inner = ReferenceAgent(solution, Policy.DISMISS)

    def start(self, brief: Brief) -> None:
        """Begin at the solution's first step."""
        self._inner.start(brief)

    def close(self) -> None:
        """Nothing to release."""
        self._inner.close()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """The next step of the solution, or the next button."""
        decision = self._leave(observation) or self._inner.decide(observation, history)
        self.furthest.append(self._inner.furthest)
        return decision

    def _leave(self, observation: Observation) -> Decision | None:
        """Press the next button of what interrupts it; None where there is none to press."""
        rule = self._injected()
        keys = self._keys.get(rule)
        if not keys or not interrupted(observation.tree):
            return None
        offered = {node.entry.removeprefix("button_"): node for node in buttons(observation.tree)}
        if keys[0] == BACK and offered:
            return Decision(act.Back(), f"leave by {keys.pop(0)}")
        way, node = self._ways[rule], offered.get(keys[0])
        slider = next((n for n in observation.tree.nodes if n.entry == "slider"), None)
        if keys[0] == SOLVED and slider is not None:
            return Decision(_drag(slider, way.gap), f"drag until {keys.pop(0)}")
        if node is None:
            return None
        at = node.bounds.center
        pressed = Decision(act.Tap(x=at.x, y=at.y), f"press {keys.pop(0)}")
        if way.restarts and not keys:
            self._inner.begin_again()
        return pressed


class Memory:
    """A record that is kept in memory only, without trees and pictures.

    Attributes:
        attempt: Always the first one.
        events: What was recorded.
    """

    def __init__(self) -> None:
        self.attempt = 1
        self.events: list[Event] = []

    @property
    def injected(self) -> str:
        """The rule that has injected last, those apart that a button led to; empty before the first."""
        found = (event.rule for event in reversed(self.events) if isinstance(event, InterruptionInjected))
        return next(filter(None, found), "")

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


def pass_by(device: Device, item: SuiteTask, suite: Suite, passages: Sequence[Passage]) -> Passed:
    """Perform it on a device; see `garabench.campaign.exit_proofs.Passages`.

    Each rule, which injects one interruption, fires on the first screen that fits, and once. All else is as
    in a run.
    """
    certain = {"probability": 1.0, "once": True}
    spec = EpisodeSpec(
        task=item.task,
        app=item.app,
        goal=item.goal,
        rules=tuple(replace(one.bound, rule=one.bound.rule.model_copy(update=certain)) for one in passages),
        interruptions=suite.interruptions,
        anomalies=suite.anomalies,
        agent=ExitAgent.name,
        condition=passages[0].way.mode.value,
        seed=0,
        suite_hash=suite.digest,
        harm=item.harm,
    )
    memory = Memory()
    agent = ExitAgent(item.task.solution, {one.rule: one.way for one in passages}, lambda: memory.injected)
    _TreesOnly(spec, device, agent, memory, device.clock).run()
    return Passed(tuple(memory.events), tuple(agent.furthest))


def _drag(slider: UiNode, gap: float) -> act.Swipe:
    """The way of a puzzle's knob from its beginning to the gap."""
    bounds, y = slider.bounds, slider.bounds.center.y
    start = bounds.left + 1
    return act.Swipe(x1=start, y1=y, x2=bounds.left + round(bounds.width * gap), y2=y)
