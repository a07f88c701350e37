"""Perform one probe as an episode on a device, and turn its record into a result."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.heuristic.agent import HeuristicAgent
from garabench.agents.interface import Agent, Brief, Decision
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy
from garabench.core import events as ev
from garabench.core.action import Action, LongPress, Tap, from_json
from garabench.core.checkpoint import Checkpoint
from garabench.core.clock import Clock
from garabench.core.companion_app import CLOSE
from garabench.core.device_changes import Setting
from garabench.core.geometry import Direction, Size
from garabench.core.observation import Observation
from garabench.core.selector import find
from garabench.core.step_planner import plan_step, target_of
from garabench.core.steps import ScrollStep, SolutionStep, WaitForStep
from garabench.core.task import Task
from garabench.core.touch import touch_point, touched_element
from garabench.core.tree import UiNode, UiTree
from garabench.device.device import Device
from garabench.device.free_space import parse_free
from garabench.device.undo.apply import apply
from garabench.diagnosis.failed_case import CaseStep, FailedCase
from garabench.diagnosis.features import FeatureKind, asks_for_input, is_shown_tab, trajectory_features
from garabench.diagnosis.probe import (
    Continuation,
    DiagnosticProbeResult,
    OpenLink,
    ProbeOutcome,
    StepEvidence,
    TesterStep,
)
from garabench.diagnosis.procedure import ProbeTask
from garabench.diagnosis.touched_elements import action_words, types_the_same
from garabench.episode.recorded_injections import ReplayedInterruptions, ReplayPosition
from garabench.episode.runner import EpisodeRunner
from garabench.episode.spec import EpisodeSpec
from garabench.errors import CommandError, DeviceError, InputError
from garabench.probing.forks import ForkStore
from garabench.probing.probe_agent import ContinuedAction, ProbeAgent, SeenEvidence, with_toast
from garabench.records.content_store import ContentStore
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.event_reader import read_events
from garabench.records.run_layout import EVENTS

_SPARE_STEPS = 12
"""Steps beyond the solution that a continuation may use, to leave a wrong screen and start over."""
_SCROLLS_AT_END = 2
"""Scrolls that changed nothing, after which a list has no more: one may have come before the list loaded."""
_OPPOSITE: Mapping[Direction, Direction] = {"up": "down", "down": "up", "left": "right", "right": "left"}
_LOW_STORAGE_BYTES = 50_000 * 1024
_VIEW = "android.intent.action.VIEW"


@dataclass(frozen=True, slots=True)
class ProbeContext:
    """What the probes of a case need.

    Attributes:
        run: The run's folder.
        folder: Folder of the case's diagnosis, relative to the run's.
        spec: The failed episode's specification.
        make_agent: Makes the agent under test, for the folder of a probe's record.
        clock: The clock of the records.
        stop: Returns whether to stop.
    """

    run: Path
    folder: PurePosixPath
    spec: EpisodeSpec
    make_agent: Callable[[Path], Agent | AutonomousAgent]
    clock: Clock
    stop: Callable[[], bool] = lambda: False


def perform_probe(
    case: FailedCase, task: ProbeTask, forks: ForkStore, context: ProbeContext
) -> DiagnosticProbeResult:
    """Perform a probe on a device: from the saved fork, or after a replay of the prefix.

    A replay injects the recorded interruptions at their steps, and nothing after the fork. If the device can
    save its state, the fork is saved then.

    Args:
        case: The failed episode.
        task: The probe.
        forks: The device, with the fork that it has saved.
        context: The run.

    Raises:
        EpisodeStoppedError: The diagnosis was stopped.
        InputError: The probe's continuation cannot be performed.
        RecordError: The record cannot be written.
    """
    checkpoint = _with_picture(case.checkpoint(task.fork), context.run)
    name = context.folder / task.name
    continuation = _continuation(case, task, context)
    begun = context.clock.monotonic()
    saved = forks.load(case.name, task.fork)
    position = ReplayPosition()
    runners: list[EpisodeRunner] = []

    def save() -> None:
        if forks.supported:
            forks.save(case.name, task.fork, runners[0])

    agent = ProbeAgent(
        checkpoint,
        task.probe,
        continuation,
        replay=saved is None,
        restart=continuation.restart if isinstance(continuation, ReferenceAgent) else None,
        healthy=lambda: device_problem(forks.device),
        position=position,
        on_fork=save,
        handle=lambda step: perform_tester_step(forks.device, step),
        failed=case.steps[task.fork].action,
        take_toast=forks.device.take_toast,
        uncover=lambda: _close_interruption(forks.device),
    )
    spec = _spec(context.spec, checkpoint, len(task.probe.steps))
    with EpisodeWriter(context.run / name) as recorder:
        if saved is not None:
            end = saved.runner.continue_from(saved.mark, agent, recorder, spec)
        else:
            replayed = ReplayedInterruptions(checkpoint.interruptions, position)
            runner = EpisodeRunner(
                spec,
                forks.device,
                agent,
                recorder,
                context.clock,
                stop=context.stop,
                replayed=replayed,
            )
            runners.append(runner)
            end = runner.run()
    with contextlib.suppress(DeviceError):  # the record says why the device is gone
        agent.end()
    events = read_events(context.run / name)
    found = _result(end, events, agent, str(name / EVENTS), round(context.clock.monotonic() - begun, 3))
    if task.probe.from_start:
        found = dataclasses.replace(found, repeated=False)  # it does the whole task, not the fork's action
    elif found.outcome is not ProbeOutcome.INCONCLUSIVE:
        found = dataclasses.replace(found, other_result=other_result(case, task.fork, agent, events))
    if found.outcome is ProbeOutcome.FAIL and (problem := device_problem(forks.device)):
        # What the episode changed is undone: an app that fails on an unwell device is not broken.
        return dataclasses.replace(found, outcome=ProbeOutcome.INCONCLUSIVE, reason=problem)
    if (
        found.outcome is ProbeOutcome.FAIL
        and asks_for_input(found.answer)
        and not _lost_text(case, task.fork)
    ):
        reason = f"the app asked for something that an earlier step should have entered: {found.answer!r}"
        return dataclasses.replace(found, outcome=ProbeOutcome.INCONCLUSIVE, reason=reason)
    return found


def _close_interruption(device: Device) -> None:
    """Close an open interruption, as the goal's last check does.

    Raises:
        DeviceError: The device is gone, or refuses.
    """
    device.adb.shell(CLOSE).check("close the interruption")


def _lost_text(case: FailedCase, fork: int) -> bool:
    """Return whether the app dropped a text before the fork, so that what it asks for had been entered."""
    return any(each.kind is FeatureKind.TEXT_GONE and each.place < fork for each in trajectory_features(case))


def _with_picture(checkpoint: Checkpoint, run: Path) -> Checkpoint:
    """Return a checkpoint with its picture, if the run's store still has it."""
    picture = ContentStore.of_run(run).read_picture(checkpoint.screen)
    return checkpoint if picture is None else dataclasses.replace(checkpoint, picture=picture)


def _spec(spec: EpisodeSpec, checkpoint: Checkpoint, own_steps: int) -> EpisodeSpec:
    """Return the specification of the probe's episode: the failed one's with a separate step budget."""
    budget = len(checkpoint.prefix) + own_steps + len(spec.task.solution) + _SPARE_STEPS
    task = spec.task.model_copy(update={"max_steps": budget})
    return dataclasses.replace(spec, task=task, stress_level=None)


def _continuation(case: FailedCase, task: ProbeTask, context: ProbeContext) -> Agent:
    match task.probe.continuation:
        case Continuation.REFERENCE:
            return remainder_of(context.spec.task, case, task.fork)
        case Continuation.HEURISTIC:
            return HeuristicAgent()
        case Continuation.AGENT:
            agent = context.make_agent(context.run / context.folder / task.name)
            if isinstance(agent, AutonomousAgent):
                raise InputError("an autonomous agent cannot continue a probe")
            return agent


class _Remainder(ReferenceAgent):
    """A reference agent that begins in the middle of its solution.

    It does not scroll on at the end of a list: what it looks for may be gone since a step was completed. Then
    it scrolls back until the element of a later step is shown.
    """

    def __init__(self, solution: Sequence[SolutionStep], places: Sequence[str]) -> None:
        super().__init__(solution, Policy.DISMISS)
        self._completed = tuple(places)

    def start(self, brief: Brief) -> None:
        """Begin after the completed steps."""
        super().start(brief)
        self.skip(self._completed)
        self._scrolled: list[str] = []
        self._returning = False

    def _scroll(self, step: ScrollStep, observation: Observation) -> Decision | None:
        """Return the next scroll; None where the step ends."""
        until = step.scroll.until
        if not self._scrolls:
            self._scrolled.clear()
            self._returning = False
        self._scrolled.append(observation.tree.signature)
        last = self._scrolled[-_SCROLLS_AT_END - 1 :]
        if until is not None and len(last) > _SCROLLS_AT_END and len(set(last)) == 1:
            if self._returning or self._cursor >= self._reached:
                self._advance(observation)
                return None
            self._returning = True
            self._scrolled.clear()
        if self._returning and until is not None:
            if find(observation.tree, until) or self._shows_later_element(observation.tree):
                self._advance(observation)
                return None
            return self._scroll_back(step, observation)
        return super()._scroll(step, observation)

    def _shows_later_element(self, tree: UiTree) -> bool:
        """Return whether a screen shows the element of a later step, up to the first uncompleted one."""
        later = self._solution[self._cursor + 1 : self._reached + 1]
        wanted = [each.scroll.until if isinstance(each, ScrollStep) else target_of(each) for each in later]
        return any(each is not None and find(tree, each) for each in wanted)

    def _scroll_back(self, step: ScrollStep, observation: Observation) -> Decision | None:
        """Return a scroll in the other direction."""
        back = step.scroll.model_copy(update={"direction": _OPPOSITE[step.scroll.direction]})
        action = plan_step(ScrollStep(scroll=back), observation.tree, observation.screen)
        return None if action is None else Decision(action, "scroll back")


def remainder_of(task: Task, case: FailedCase, fork: int) -> ReferenceAgent:
    """Return an agent that follows the solution's remainder: the steps that the prefix has not done.

    Args:
        task: The task.
        case: The failed episode.
        fork: Place of the fork in its steps.
    """
    return _Remainder(task.solution, completed_places(task.solution, case, fork))


def completed_places(solution: Sequence[SolutionStep], case: FailedCase, fork: int) -> tuple[str, ...]:
    """Return the activity of each first step of the solution that was performed in order before a fork."""
    places: list[str] = []
    for step in case.steps[:fork]:
        while len(places) < len(solution) and _needs_nothing(solution[len(places)], step):
            places.append(step.focus.activity)
        if len(places) == len(solution):
            break
        if _performs(step, solution[len(places)], case.screen):
            places.append(step.focus.activity)
    return tuple(places)


def _needs_nothing(wanted: SolutionStep, step: CaseStep) -> bool:
    """Return whether a step of the solution needs no action on a screen: the element is already shown."""
    if isinstance(wanted, ScrollStep):
        until = wanted.scroll.until
        return until is not None and bool(find(step.tree, until))
    return isinstance(wanted, WaitForStep)


def _performs(step: CaseStep, wanted: SolutionStep, screen: Size) -> bool:
    """Return whether the agent performed a step of the solution.

    One scroll does not complete a step that scrolls until an element is shown: the screen after it does.
    """
    if isinstance(wanted, ScrollStep) and wanted.scroll.until is not None:
        return False
    action, right = step.action, plan_step(wanted, step.tree, screen)
    if right is None or type(right) is not type(action) or step.interrupted:
        return False
    at = touch_point(right)
    node = None if at is None else touched_element(step.tree, at)
    if step.point is None or node is None:
        return right == action
    same_text = getattr(right, "text", None) == getattr(action, "text", None)
    return node is touched_element(step.tree, step.point) and same_text


def perform_tester_step(device: Device, step: TesterStep) -> str:
    """Perform a step that no agent's action can; a turned screen is turned back at the episode's end.

    Returns:
        Why it failed; empty if it did not.

    Raises:
        DeviceError: The device is gone.
        HarnessError: The change cannot be recorded.
    """
    try:
        if isinstance(step, OpenLink):
            device.apps.start(action=_VIEW, data=step.uri, flags=("-p", step.package))
        else:
            for key, value in (("accelerometer_rotation", "0"), ("user_rotation", str(step.rotation))):
                setting = Setting("system", key, value)
                apply(device.adb, device.journal, setting, sdk=device.info.sdk, purpose="a probe")
    except CommandError as error:
        return str(error)
    return ""


def device_problem(device: Device) -> str:
    """Return what is wrong with a device that explains a failure, or empty: no network, no storage."""
    shell = device.adb.shell
    try:
        airplane = shell(["settings", "get", "global", "airplane_mode_on"]).check_reading("read a setting")
        if airplane.stdout.strip() == "1":
            return "airplane mode is on"
        routes = shell(["ip", "route"])
        if not routes.failed and not routes.stdout.strip():
            return "the device has no network route"
        free = parse_free(shell(["df", "/data"]).stdout)
    except CommandError:
        return ""
    if free is not None and free < _LOW_STORAGE_BYTES:
        return "the storage is full"
    return ""


def _result(
    end: ev.EpisodeEnded, events: Sequence[ev.Event], agent: ProbeAgent, record: str, seconds: float
) -> DiagnosticProbeResult:
    outcome, reason, witness = _outcome(end, events, agent)
    screens = _screens(events)
    continued = _continued(agent.continued, screens)
    return DiagnosticProbeResult(
        outcome=outcome,
        reason=reason,
        witness=witness,
        restore_quality=None if agent.restored is None else agent.restored.quality,
        evidence=(*(_evidence(each, screens) for each in agent.evidence), *continued),
        answer=agent.answer,
        repeated=bool(not agent.evidence and agent.continued and agent.continued[0].same),
        steps=end.steps,
        record=record,
        seconds=seconds,
    )


def other_result(case: FailedCase, fork: int, agent: ProbeAgent, events: Sequence[ev.Event]) -> str:
    """Return how the recorded actions had another result in a probe, in words; empty if they had not.

    The replayed prefix meets the goal, or an element that did not react to a press reacts, on the restored
    screen, to the same press or to a similar one that has no other function.

    Args:
        case: The failed episode.
        fork: Place of the fork in its steps.
        agent: The agent that performed the probe.
        events: The probe's record.
    """
    if agent.restored is None:
        return "the goal was met while the recorded actions were repeated"
    failed, after = case.steps[fork], case.after(fork)
    target = failed.target
    silent = after is not None and after.signature == failed.tree.signature and not failed.only_picture
    if not silent or target is None or is_shown_tab(failed.tree, target) or failed.interrupted:
        return ""
    screens = _screens(events)
    for event in events:
        if not isinstance(event, ev.Decided) or event.step < agent.fork_step:
            continue
        before, later = screens.get(event.step, _NO_SCREEN), screens.get(event.step + 1, _NO_SCREEN)
        if before.signature != failed.tree.signature:
            return ""  # another screen, on which the element may do something else
        action = from_json(event.action)
        if later.signature in ("", before.signature):
            continue
        if _presses_again(failed, target, action):
            return f"{action_words(action, failed.tree)}: the screen changed"
    return ""


def _presses_again(failed: CaseStep, target: UiNode, action: Action) -> bool:
    """Return whether an action presses the element of a failed press in the same manner or a similar one."""
    at = touch_point(action)
    if at is None or touched_element(failed.tree, at) is not target:
        return False
    similar = isinstance(action, Tap | LongPress) and isinstance(failed.action, Tap | LongPress)
    if failed.action is not None and type(action) is type(failed.action):
        return types_the_same(failed.action, action)
    return similar and not target.long_clickable


def _outcome(
    end: ev.EpisodeEnded, events: Sequence[ev.Event], agent: ProbeAgent
) -> tuple[ProbeOutcome, str, str]:
    fault = next((each for each in events if isinstance(each, ev.FaultEvent)), None)
    if end.outcome == "error" or fault is not None:
        what = "an unknown fault" if fault is None else f"{fault.at_fault}: {fault.message}"
        return ProbeOutcome.INCONCLUSIVE, what, ""
    if agent.aborted:
        return ProbeOutcome.INCONCLUSIVE, agent.aborted, ""
    if end.outcome == "success" and agent.opened_link:
        return ProbeOutcome.INCONCLUSIVE, "the goal was met through a link, which no agent can open", ""
    if end.outcome == "success":
        checked = [each for each in events if isinstance(each, ev.GoalChecked) and each.holds]
        witness = checked[-1].reason if checked else end.reason
        during = "" if agent.restored is not None else ", already while the prefix was replayed"
        return ProbeOutcome.PASS, f"{end.reason}{during}", witness or end.reason
    if agent.restored is None:
        return ProbeOutcome.INCONCLUSIVE, f"the fork was not reached: {end.reason}", ""
    if agent.evidence and not any(_was_performed(each, events) for each in agent.evidence):
        tried = "; ".join(each.detail for each in agent.evidence)
        return ProbeOutcome.INCONCLUSIVE, f"none of the probe's steps could be performed ({tried})", ""
    return ProbeOutcome.FAIL, end.reason, ""


def _was_performed(seen: SeenEvidence, events: Sequence[ev.Event]) -> bool:
    """Return whether a probe's step was possible, and the device accepted its action."""
    refused = {each.step for each in events if isinstance(each, ev.PerformedEvent) and not each.ok}
    return seen.performed and seen.number not in refused


@dataclass(frozen=True, slots=True)
class _Screen:
    """The screen before a step: its picture, and the hash of its visible state."""

    picture: str
    signature: str


_NO_SCREEN = _Screen("", "")


def _screens(events: Sequence[ev.Event]) -> dict[int, _Screen]:
    """Return the screen before each step, and that at the end as the one of the step after the last."""
    found = {
        event.step: _Screen(event.screen, event.signature)
        for event in events
        if isinstance(event, ev.Observed)
    }
    final = next((event for event in events if isinstance(event, ev.FinalObserved)), None)
    if final is not None and found:
        found[max(found) + 1] = _Screen(final.screen, final.signature)
    return found


def _evidence(seen: SeenEvidence, screens: dict[int, _Screen]) -> StepEvidence:
    before = screens.get(seen.number, _NO_SCREEN)
    after = screens.get(seen.number + 1, _NO_SCREEN) if seen.performed else _NO_SCREEN
    return StepEvidence(seen.step.label, seen.met, seen.detail, before.picture, after.picture, seen.performed)


def _continued(actions: Sequence[ContinuedAction], screens: dict[int, _Screen]) -> Iterator[StepEvidence]:
    """Iterate over the evidence of the continuation: the failed action, if repeated, and its last action."""
    again = next((each for each in actions if each.same), None)
    last = actions[-1] if actions else None
    for action, when in ((again, "once more"), (None if last is again else last, "last action")):
        if action is None:
            continue
        before = screens.get(action.number, _NO_SCREEN)
        after = screens.get(action.number + 1, _NO_SCREEN)
        changed = before.signature != after.signature if after.signature else None
        seen = {True: "the screen changed", False: "nothing changed", None: "the episode ended"}[changed]
        label = f"{when}: {action.label}"
        detail = with_toast(f"{label}: {seen}", action.toast)
        yield StepEvidence(label, changed, detail, before.picture, after.picture)
