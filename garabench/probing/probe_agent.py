"""An agent that replays a prefix, performs a probe's steps, and hands over to another agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.checkpoint import MIN_RESTORE_QUALITY, Checkpoint, Restored, RestoreMethod
from garabench.core.observation import Observation
from garabench.core.restore_quality import restore_quality
from garabench.core.selector import find
from garabench.core.step_planner import plan_step
from garabench.core.touch import touch_point, touched_element
from garabench.core.tree import UiTree
from garabench.diagnosis.features import error_text
from garabench.diagnosis.probe import (
    DiagnosticProbe,
    EvidenceKind,
    Expected,
    OpenLink,
    ProbeStep,
    TesterStep,
    TurnScreen,
)
from garabench.diagnosis.touched_elements import action_words, find_again, is_same_action, moved_to
from garabench.episode.app_visibility import is_app_covered
from garabench.episode.recorded_injections import ReplayPosition

_ABORTED = "the recorded state was not restored"
_MAX_LEAVING = 6
_RETRIES = 2
"""Waits for a prefix's target, and for the fork's screen, before the replay continues without it."""


@dataclass(frozen=True, slots=True)
class SeenEvidence:
    """What a probe's step showed.

    Attributes:
        step: The probe's step.
        number: Number of the episode's step in which it was performed.
        met: Whether the expected evidence was seen; None if nothing was expected, or it is unknown.
        detail: What was seen, in words.
        performed: Whether the step was possible on the screen.
    """

    step: ProbeStep
    number: int
    met: bool | None
    detail: str
    performed: bool = True


@dataclass(frozen=True, slots=True)
class ContinuedAction:
    """An action of the continuation.

    Attributes:
        number: Number of the episode's step in which it was performed.
        label: What it did, in words.
        same: Whether it is the failed action again.
        toast: The message with which the app answered it; empty if there was none.
    """

    number: int
    label: str
    same: bool
    toast: str = ""


class ProbeAgent:
    """Performs a probe as the agent of an episode.

    Attributes:
        name: Its name in the record.
        reference: True, since it may follow the solution.
        restored: How well the fork's screen was restored; None before the fork.
        fork_step: Number of the episode's step at the fork; 0 before it.
        evidence: What the probe's steps showed.
        continued: The actions of the continuation on the screen, without its waiting and its end.
        opened_link: Whether it opened a link, which no agent can.
        answer: The message with which the app answered the failed action when it was repeated; empty if there
            was none.
    """

    reference = True

    def __init__(
        self,
        checkpoint: Checkpoint,
        probe: DiagnosticProbe,
        continuation: Agent,
        *,
        replay: bool = True,
        restart: Callable[[], None] | None = None,
        healthy: Callable[[], str] = lambda: "",
        position: ReplayPosition | None = None,
        on_fork: Callable[[], None] = lambda: None,
        handle: Callable[[TesterStep], str] = lambda step: "this device cannot",
        failed: act.Action | None = None,
        take_toast: Callable[[], str] = lambda: "",
        uncover: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare.

        Args:
            checkpoint: The fork.
            probe: The probe.
            continuation: The agent that continues after its steps.
            replay: Whether to replay the prefix; False if a restorer has restored the fork.
            restart: Makes the continuation start over after the app was left and opened again; None if it
                cannot, so that its giving up ends the probe.
            healthy: Returns what is wrong with the device, or empty.
            position: Told which recorded step is next, so that its interruptions are injected again.
            on_fork: Called when a replay has reached the fork, before the probe's first step.
            handle: Performs a step that no agent's action can, and returns why it failed, or empty.
            failed: The action of the failed episode at the fork.
            take_toast: Returns the last toast since its previous call, or empty.
            uncover: Closes an interruption that is still open on the screen after the episode's end.
        """
        self.name = continuation.name
        self.restored: Restored | None = None
        self.fork_step = 0
        self.evidence: list[SeenEvidence] = []
        self.continued: list[ContinuedAction] = []
        self.opened_link = False
        self._checkpoint = checkpoint
        self._probe = probe
        self._continuation = continuation
        self._restart = restart
        self._healthy = healthy
        self._prefix = checkpoint.prefix if replay else ()
        self._replayed = 0
        self._method: RestoreMethod = "replay" if replay else "snapshot"
        self._position = position or ReplayPosition()
        self._position.step = self._next_step if replay else None
        self._on_fork = on_fork
        self._handle = handle
        self._failed = failed
        self._take_toast = take_toast
        self._uncover = uncover
        self.answer = ""
        self._waits = 0
        self._forked = -1  # number of turns at the fork
        self._steps = list(probe.steps)
        self._pending: tuple[ProbeStep, int, UiTree] | None = None
        self._leaving = 0
        self._lost = ""

    @property
    def aborted(self) -> str:
        """Why the probe shows nothing; empty if it was performed."""
        return self._lost

    def start(self, brief: Brief) -> None:
        """Begin the episode; the continuation begins with it."""
        self._brief = brief
        self._continuation.start(brief)

    def close(self) -> None:
        """End the episode."""
        self._continuation.close()

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Decide: first the prefix, then the probe's steps, then the continuation."""
        if self._replayed < len(self._prefix):
            return self._replay(observation)
        if self._forked < 0:
            waiting = self._reach_fork(observation, len(history))
            if waiting is not None:
                return waiting
        toast = self._take_toast()
        self._compare_evidence(observation, toast)
        while self._steps:
            step = self._steps.pop(0)
            action, problem = self._plan(step, observation)
            if action is None:
                why = f" ({problem})" if problem else ""
                detail = f"{step.label}: not possible here{why}"
                self.evidence.append(SeenEvidence(step, observation.step, False, detail, performed=False))
                continue
            self._pending = (step, observation.step, observation.tree)
            return Decision(action, f"probe {self._probe.name}: {step.label}")
        return self._continue(observation, history[self._forked :])

    def _replay(self, observation: Observation) -> Decision:
        """Repeat the next action of the prefix, on the same element wherever it now is."""
        recorded = self._prefix[self._replayed]
        at = touch_point(recorded.action)
        action: act.Action = recorded.action
        if at is not None and observation.tree.signature != recorded.tree.signature:
            node = touched_element(recorded.tree, at)
            again = None if node is None else find_again(recorded.tree, node, observation.tree)
            if node is not None and again is None and self._waits < _RETRIES:
                self._waits += 1
                return Decision(act.Wait(seconds=0.5), "replay: wait for the element")
            if again is not None and node is not None:
                dx, dy = at.x - node.bounds.center.x, at.y - node.bounds.center.y
                center = again.bounds.center
                point = type(at)(center.x + dx, center.y + dy)
                action = moved_to(action, point if again.bounds.contains(point) else center)
        self._waits = 0
        self._replayed += 1
        self._position.step = self._next_step
        return Decision(action, f"replay step {recorded.step}")

    @property
    def _next_step(self) -> int:
        """The recorded step that is replayed next; the fork's after the prefix."""
        rest = self._prefix[self._replayed :]
        return rest[0].step if rest else self._checkpoint.step

    def _reach_fork(self, observation: Observation, turns: int) -> Decision | None:
        """Measure how well the fork's screen was restored; return a decision if it was not yet."""
        if self._checkpoint.uncovered and self._waits < _RETRIES and is_app_covered(observation.tree):
            self._waits += 1
            self._uncover()
            return Decision(act.Wait(seconds=0.5), "replay: close the interruption, as the episode's end did")
        if self.restored is None:
            quality, differs = restore_quality(self._checkpoint, observation)
            if quality < MIN_RESTORE_QUALITY and self._waits < _RETRIES:
                self._waits += 1
                return Decision(act.Wait(seconds=0.5), "replay: wait for the fork's screen")
            self.restored = Restored(quality, differs, self._method)
            if not self.restored.good:
                self._lost = f"{_ABORTED}: {differs}"
                return Decision(act.GiveUp(reason=self._lost), self._lost)
        self._forked = turns
        self.fork_step = observation.step
        self._position.step = None
        if self._method == "replay":
            self._on_fork()
        return None

    def end(self) -> None:
        """Read the answer to the last action, after which the agent was not asked again.

        Raises:
            DeviceError: The device is gone.
        """
        if self._forked >= 0:
            self._hear(self._take_toast())

    def _hear(self, toast: str) -> None:
        """Note the app's answer to the last action of the continuation."""
        if toast and self.continued and not self.continued[-1].toast:
            last = self.continued[-1] = replace(self.continued[-1], toast=toast)
            if last.same:
                self.answer = toast

    def _compare_evidence(self, observation: Observation, toast: str) -> None:
        """Compare the screen after a probe's step with the expected evidence."""
        if self._pending is None:
            self._hear(toast)
            return
        (step, number, before), self._pending = self._pending, None
        met, detail = compare_evidence(step.expected, before, observation, self._brief.app, self._healthy)
        seen = f"{step.label}: {detail}" if detail else step.label
        self.evidence.append(SeenEvidence(step, number, met, with_toast(seen, toast)))
        if toast and step.what == self._failed:
            self.answer = toast
        if met and self._probe.until_reaction:
            self._steps.clear()

    def _plan(self, step: ProbeStep, observation: Observation) -> tuple[act.Action | None, str]:
        """Return the action for a step, or None and why it is not possible.

        The device has already performed a tester's step; what remains is to wait for the screen.
        """
        if isinstance(step.what, act.BaseAction):
            return step.what, ""
        if isinstance(step.what, OpenLink | TurnScreen):
            problem = self._handle(step.what)
            self.opened_link |= isinstance(step.what, OpenLink) and not problem
            return (None, problem) if problem else (act.Wait(seconds=0.5), "")
        return plan_step(step.what, observation.tree, observation.screen), ""

    def _continue(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        if self._leaving:
            return self._leave(observation)
        decision = self._continuation.decide(observation, history)
        if isinstance(decision.action, act.GiveUp) and self._restart is not None:
            self._leaving = 1
            return self._leave(observation)
        self._note(decision.action, observation)
        return decision

    def _note(self, action: act.Action, observation: Observation) -> None:
        """Note an action of the continuation."""
        if isinstance(action, act.Wait | act.Done | act.GiveUp):
            return
        failed = self._failed
        same = failed is not None and is_same_action(failed, self._checkpoint.tree, action, observation.tree)
        self.continued.append(ContinuedAction(observation.step, action_words(action, observation.tree), same))

    def _leave(self, observation: Observation) -> Decision:
        """Leave the app by Back, open it again, and let the continuation start over, once."""
        app = self._brief.app
        if observation.focus.package == app and self._leaving <= _MAX_LEAVING:
            self._leaving += 1
            return Decision(act.Back(), "lost: leave the app to start over")
        self._leaving = 0
        restart, self._restart = self._restart, None
        if restart is not None:
            restart()
        return Decision(act.OpenApp(package=app), "lost: open the app to start over")


def with_toast(seen: str, toast: str) -> str:
    """Return what was seen, with the message that the app showed.

    Args:
        seen: What was seen, in words.
        toast: The message, or empty.
    """
    return f"{seen}; the app said {toast[:60]!r}" if toast else seen


def compare_evidence(
    expected: Expected | None,
    before: UiTree,
    after: Observation,
    app: str,
    healthy: Callable[[], str] = lambda: "",
) -> tuple[bool | None, str]:
    """Compare what a step showed with the expected evidence.

    Args:
        expected: The expected evidence.
        before: The screen before the step.
        after: The screen after it.
        app: Package of the task's app.
        healthy: Returns what is wrong with the device, or empty.

    Returns:
        Whether it was seen (None if nothing was expected), and what was seen.
    """
    if expected is None:
        return None, ""
    changed = before.signature != after.tree.signature
    match expected.kind:
        case EvidenceKind.CHANGED:
            return changed, "the screen changed" if changed else "nothing changed"
        case EvidenceKind.STEADY:
            return not changed, "the screen changed by itself" if changed else "the screen stayed the same"
        case EvidenceKind.PRESENT | EvidenceKind.ENABLED:
            found = () if expected.selector is None else find(after.tree, expected.selector)
            if not found:
                return False, "the element is not on screen"
            if expected.kind is EvidenceKind.PRESENT:
                return True, "the element is on screen"
            able = any(each.enabled and (each.clickable or each.checkable) for each in found)
            return able, "the element is enabled" if able else "the element is disabled or not clickable"
        case EvidenceKind.HEALTHY:
            problem = error_text(after.tree) or healthy()
            if problem:
                return False, problem
            front = after.focus.package
            return front == app, f"{app if front == app else front or 'no app'} is in the foreground"
