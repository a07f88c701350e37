"""Perform failures with a known cause on virtual phones, and every candidate probe of each.

A failure of the environment comes from a defect that makes a task impossible, a failure of the agent from an
agent with a fault on a healthy phone. What a diagnosis makes of them is computed by
`garabench.diagnosis.evaluation`. The supervisor sees the records alone; only this module knows the causes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import yaml
from pydantic import TypeAdapter

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.interface import Agent
from garabench.agents.registry import make_agent, resolve
from garabench.campaign.devices import (
    DEFAULT_PROFILE,
    VirtualLease,
    is_lost,
    ready_device,
    started_phone,
)
from garabench.campaign.planner import episodes, make_plan
from garabench.core.clock import Clock, SystemClock
from garabench.core.progress import Progress
from garabench.core.seeds import derive
from garabench.device.device import Device
from garabench.diagnosis.case import FailedCase
from garabench.diagnosis.diagnose import ProbeTask
from garabench.diagnosis.diagnosis_file import case_folder
from garabench.diagnosis.evaluation import CandidateOutcome, KnownCase, KnownRound, RetryOutcome
from garabench.diagnosis.loop import (
    AttributedTo,
    DiagnosisSettings,
    PerformedProbe,
    begin,
    begin_round,
    record,
)
from garabench.diagnosis.offline import OfflineSupervisor
from garabench.diagnosis.probe import (
    Continuation,
    DiagnosticProbe,
    DiagnosticProbeResult,
    ProbeOutcome,
    ProbeType,
)
from garabench.diagnosis.routing import quotas, routing_weights
from garabench.diagnosis.summary import Supervisor
from garabench.episode.runner import EpisodeStoppedError, run_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, GaraError, InputError
from garabench.probing.failed_case import FAILURE, read_failed_case
from garabench.probing.forks import ForkStore
from garabench.probing.probe_episode import ProbeContext, perform_probe
from garabench.records.content_store import ContentStore
from garabench.records.disk import complete_lines, disk_error
from garabench.records.episode import Episode
from garabench.records.run_file import RunAgent, RunAgentKind
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone

_LOG = logging.getLogger(__name__)
_CASES = TypeAdapter(KnownCase)
_FILE = "cases.jsonl"
_IMPOSSIBLE = "impossible"
_SUBJECT = "subject"
"""The agent's name in the records, which do not say whether it has a fault."""


@dataclass(frozen=True, slots=True)
class ExperimentUnit:
    """An episode that is meant to fail for a known cause.

    Attributes:
        truth: Who is at fault if it fails.
        cause: The defect, or the agent's fault.
        task: The task.
        agent: The agent, as on the command line.
        condition: The condition.
    """

    truth: AttributedTo
    cause: str
    task: str
    agent: str
    condition: str

    @property
    def name(self) -> str:
        """Its name."""
        return f"{self.cause}/{self.task}/{self.condition}"

    @property
    def held_out(self) -> bool:
        """Whether its task belongs to the held-out half."""
        return is_held_out(self.task)


def is_held_out(task: str) -> bool:
    """Return whether a task belongs to the half on which nothing is tuned; fixed by its name's hash."""
    return hashlib.sha256(task.encode()).digest()[0] % 2 == 1


def broken_tasks(path: Path | None = None) -> Mapping[str, Mapping[str, str]]:
    """Return the tasks that each defect breaks, with the effect, as proofs found them.

    Args:
        path: The table, see ``garabench tasks prove --defect``; default: the bundled one.

    Raises:
        InputError: It is missing or broken.
    """
    try:
        if path is None:
            file = resources.files("garabench.virtual.defects") / "broken_tasks.yaml"
            data = yaml.safe_load(file.read_text(encoding="utf-8"))
        else:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise InputError(f"the table of broken tasks cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise InputError("the table of broken tasks is not a mapping")
    return {str(defect): dict(tasks) for defect, tasks in data.items()}


def plan_units(
    suite: Suite, broken: Mapping[str, Mapping[str, str]], faults: Sequence[str], *, each: int
) -> tuple[ExperimentUnit, ...]:
    """Plan the episodes of an experiment, spread evenly over tasks and causes.

    Args:
        suite: The suite.
        broken: The tasks that each defect breaks.
        faults: The agents' faults.
        each: Number of planned episodes for each party; those that do not fail are no cases.
    """
    env = [
        (defect, task)
        for defect, tasks in broken.items()
        for task, effect in tasks.items()
        if effect == _IMPOSSIBLE and task in suite.every_task
    ]
    feasible = [name for name, item in suite.every_task.items() if item.task.infeasible is None]
    agent = [(fault, task) for fault in faults for task in feasible]
    units = [
        ExperimentUnit(
            AttributedTo.ENVIRONMENT,
            defect,
            task,
            ("dismiss", "dismiss", "heuristic")[_number("agent", defect, task) % 3],
            ("clean", "dual")[_number("condition", defect, task) % 2],
        )
        for defect, task in _spread(env, each)
    ]
    for fault, task in _spread(agent, each):
        condition = "dual" if fault == "taps-through" else ("clean", "dual")[_number(fault, task) % 2]
        units.append(ExperimentUnit(AttributedTo.AGENT, fault, task, f"faulty:{fault}:dismiss", condition))
    return tuple(sorted(units, key=lambda unit: _number("order", unit.name)))


def _spread(pairs: Iterable[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Return pairs in an order that repeats causes and tasks as late as possible, up to a number."""
    waiting = sorted(pairs, key=lambda pair: _number("spread", *pair))
    causes: dict[str, int] = {}
    tasks: dict[str, int] = {}
    chosen: list[tuple[str, str]] = []
    while waiting and len(chosen) < count:
        best = min(waiting, key=lambda pair: causes.get(pair[0], 0) + tasks.get(pair[1], 0))
        waiting.remove(best)
        chosen.append(best)
        causes[best[0]] = causes.get(best[0], 0) + 1
        tasks[best[1]] = tasks.get(best[1], 0) + 1
    return chosen


def _number(*names: str) -> int:
    return derive(0, "diagnosis", "experiment", *names)


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """How an experiment is performed.

    Attributes:
        out: Its folder; a later call resumes it.
        rounds: Number of rounds of each case.
        retries: Number of further attempts of the agent in the held-out cases in which it is at fault; a task
            that a defect makes impossible is not tried again.
        continuation: Who continues after a probe's steps.
        phones: Number of virtual phones.
    """

    out: Path
    rounds: int = 2
    retries: int = 2
    continuation: Continuation = Continuation.REFERENCE
    phones: int = 2


def perform_experiment(
    units: Sequence[ExperimentUnit],
    options: ExperimentOptions,
    *,
    suite: Suite | None = None,
    supervisor: Supervisor | None = None,
    clock: Clock | None = None,
    on_progress: Callable[[Progress[str]], None] = lambda progress: None,
) -> tuple[KnownCase, ...]:
    """Perform the episodes of an experiment and the candidate probes of those that fail.

    Raises:
        DeviceError: A phone was lost for good.
        RecordError: A result cannot be written.
    """
    suite, clock = suite or Suite.load(), clock or SystemClock()
    supervisor = supervisor or OfflineSupervisor(options.continuation)
    options.out.mkdir(parents=True, exist_ok=True)
    done = _read_done(options.out)
    pending = deque(unit for unit in units if unit.name not in done)
    work = _Experiment(suite, supervisor, clock, options, pending, done, len(units), on_progress)
    with contextlib.ExitStack() as stack:
        leases = [
            stack.enter_context(
                started_phone(VirtualPhone(DEFAULT_PROFILE, emulator=True, clock=clock), clock)
            )
            for _ in range(min(options.phones, len(pending)))
        ]
        work.perform(leases)
    return read_cases(options.out)


def read_cases(out: Path) -> tuple[KnownCase, ...]:
    """Return the cases of an experiment: the episodes that failed as planned.

    Raises:
        InputError: The file is broken.
    """
    return tuple(case for case in _read_done(out).values() if case is not None)


def _read_done(out: Path) -> dict[str, KnownCase | None]:
    path = out / _FILE
    if not path.is_file():
        return {}
    found: dict[str, KnownCase | None] = {}
    for line in complete_lines(path):
        data = json.loads(line)
        found[data["unit"]] = None if data["case"] is None else _CASES.validate_python(data["case"])
    return found


class _Experiment:
    """The units that are left, shared by the threads of the phones."""

    def __init__(
        self,
        suite: Suite,
        supervisor: Supervisor,
        clock: Clock,
        options: ExperimentOptions,
        pending: deque[ExperimentUnit],
        done: Mapping[str, KnownCase | None],
        total: int,
        on_progress: Callable[[Progress[str]], None],
    ) -> None:
        self._suite = suite
        self._supervisor = supervisor
        self._clock = clock
        self._options = options
        self._pending = pending
        self._count = len(done)
        self._total = total
        self._on_progress = on_progress
        self._stop = threading.Event()
        self._messages: queue.SimpleQueue[tuple[str, KnownCase | None] | BaseException | None] = (
            queue.SimpleQueue()
        )

    def perform(self, leases: Sequence[VirtualLease]) -> None:
        threads = [threading.Thread(target=self._serve, args=(lease,), daemon=True) for lease in leases]
        errors: list[BaseException] = []
        try:
            for thread in threads:
                thread.start()
            running = len(threads)
            while running:
                message = self._messages.get()
                if message is None or isinstance(message, BaseException):
                    running -= 1
                    errors += [] if message is None else [message]
                    continue
                self._append(*message)
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(30)
        if errors:
            raise errors[0]

    def _append(self, unit: str, case: KnownCase | None) -> None:
        data = None if case is None else _CASES.dump_python(case, mode="json")
        path = self._options.out / _FILE
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"unit": unit, "case": data}, ensure_ascii=False) + "\n")
        except OSError as error:
            raise disk_error(error, path) from error
        self._count += 1
        self._on_progress(Progress(self._count, self._total, unit))

    def _serve(self, lease: VirtualLease) -> None:
        bench = _Bench(lease)
        try:
            while not self._stop.is_set():
                try:
                    unit = self._pending.popleft()
                except IndexError:
                    break
                self._messages.put((unit.name, self._unit(unit, bench)))
            self._messages.put(None)
        except EpisodeStoppedError:
            self._messages.put(None)
        except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
            self._messages.put(error)
        finally:
            bench.close()

    def _unit(self, unit: ExperimentUnit, bench: _Bench) -> KnownCase | None:
        """Perform a unit; None if it did not fail."""
        with bench.with_defect(unit.cause if unit.truth is AttributedTo.ENVIRONMENT else None):
            spec, folder = self._spec(unit, "first"), self._options.out / "cases" / unit.cause
            if not self._fails(unit, spec, folder, bench):
                return None
            episode = _episode(folder, spec)
            ended = episode.ended
            case = read_failed_case(episode, spec.app)
            rounds = self._rounds(unit, case, spec, folder, bench)
            attempts = self._options.retries if unit.held_out and unit.truth is AttributedTo.AGENT else 0
            retries = tuple(self._retry(unit, number, bench) for number in range(attempts))
            return KnownCase(
                name=unit.name,
                task=unit.task,
                truth=unit.truth,
                cause=unit.cause,
                condition=unit.condition,
                held_out=unit.held_out,
                steps=0 if ended is None else ended.steps,
                rounds=rounds,
                retries=retries,
                seconds=0.0 if ended is None else ended.t,
            )

    def _spec(self, unit: ExperimentUnit, purpose: str) -> EpisodeSpec:
        items = self._suite.select(unit.task)
        seed = derive(0, unit.name, purpose) % 2**31
        plan = make_plan(items, (unit.agent,), conditions=(unit.condition,), seed=seed)
        return episodes(plan, self._suite, (_SUBJECT,))[0]

    def _fails(self, unit: ExperimentUnit, spec: EpisodeSpec, folder: Path, bench: _Bench) -> bool:
        end = run_episode(
            spec,
            bench.device(),
            self._agent(unit, spec, folder / spec.folder),
            folder,
            self._clock,
            stop=self._stop.is_set,
        )
        return end.outcome == FAILURE

    def _retry(self, unit: ExperimentUnit, number: int, bench: _Bench) -> RetryOutcome:
        spec = self._spec(unit, f"retry {number}")
        folder = self._options.out / "retries" / unit.cause
        end = run_episode(
            spec, bench.device(), self._agent(unit, spec, folder / spec.folder), folder, self._clock
        )
        return RetryOutcome(end.outcome == "success", end.steps)

    def _agent(self, unit: ExperimentUnit, spec: EpisodeSpec, folder: Path) -> Agent | AutonomousAgent:
        folder.mkdir(parents=True, exist_ok=True)
        context = AgentContext(name=_SUBJECT, folder=folder, clock=self._clock, stop=self._stop.is_set)
        return make_agent(resolve(unit.agent), context, spec.task)

    def _rounds(
        self, unit: ExperimentUnit, case: FailedCase, spec: EpisodeSpec, folder: Path, bench: _Bench
    ) -> tuple[KnownRound, ...]:
        """Perform every candidate of each round; a later round knows the selected probes before it."""
        context = ProbeContext(
            run=folder,
            folder=case_folder(spec.key),
            spec=spec,
            make_agent=lambda place: self._agent(unit, spec, place),
            clock=self._clock,
            stop=self._stop.is_set,
        )
        rounds: list[KnownRound] = []
        history: list[PerformedProbe] = []
        settings = DiagnosisSettings(rounds=self._options.rounds)
        state = begin(settings)
        while state.needs_round:
            number = state.round + 1
            summary = self._supervisor.summarize(case, history)
            weights = routing_weights(summary.category)
            proposed = self._supervisor.propose(case, summary, quotas(weights, settings.candidates), history)
            candidates = self._supervisor.select(case, summary, proposed, history)
            found: dict[str, DiagnosticProbeResult] = {}

            def perform(
                probe: DiagnosticProbe, number: int = number, fork: int = summary.fork
            ) -> DiagnosticProbeResult:
                return bench.probe(case, ProbeTask(number, 1, fork, probe), context)

            if unit.held_out:
                found |= {probe.name: perform(probe) for probe in _compared(unit, candidates, settings)}
            state = begin_round(state, candidates, weights=weights)
            while (probe := state.next_probe) is not None:
                if probe.name not in found:
                    found[probe.name] = perform(probe)
                state = record(state, found[probe.name])
            state = replace(state, pending=())
            history = list(state.performed)
            outcomes = [_outcome_of(each, found[each.name]) for each in candidates if each.name in found]
            rounds.append(KnownRound(summary.category, tuple(outcomes)))
        return tuple(rounds)


def _compared(
    unit: ExperimentUnit, candidates: Sequence[DiagnosticProbe], settings: DiagnosisSettings
) -> list[DiagnosticProbe]:
    """Return the candidates that any compared variant performs: the selected ones, and those without B."""
    wanted = list(candidates[: settings.select])
    if unit.truth is AttributedTo.AGENT:
        others = [each for each in candidates if each.type is not ProbeType.B][: settings.select]
        wanted += [each for each in others if each not in wanted]
    return wanted


def _outcome_of(probe: DiagnosticProbe, result: DiagnosticProbeResult) -> CandidateOutcome:
    return CandidateOutcome(
        probe.name, probe.type, result.outcome, result.steps, result.seconds, result.reason
    )


class _Bench:
    """A phone of the experiment, and the defect that is on."""

    def __init__(self, lease: VirtualLease) -> None:
        self._lease = lease
        self._device: Device | None = None
        self._forks: ForkStore | None = None

    @contextlib.contextmanager
    def with_defect(self, defect: str | None) -> Iterator[None]:
        """Switch a defect on, and off at the end."""
        if defect is not None:
            self._lease.phone.defect(defect, on=True)
        try:
            yield
        finally:
            if defect is not None:
                self._lease.phone.defect(defect, on=False)

    def device(self) -> Device:
        """Return the device in its initial state."""
        self._device = ready_device(self._lease, self._device)
        return self._device

    def probe(self, case: FailedCase, task: ProbeTask, context: ProbeContext) -> DiagnosticProbeResult:
        """Perform a probe; a lost phone makes it inconclusive."""
        try:
            device = self.device()
            if self._forks is None or self._forks.device is not device:
                self._forks = ForkStore(device)
            return perform_probe(case, task, self._forks, context)
        except DeviceError as error:
            _LOG.warning("%s: %s", case.name, error)
            return DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE, str(error))

    def close(self) -> None:
        """Close the connection, unless the phone is lost."""
        if self._device is not None and not is_lost(self._device):
            with contextlib.suppress(GaraError):
                self._device.close()


def _episode(folder: Path, spec: EpisodeSpec) -> Episode:
    agent = RunAgent(name=spec.agent, text=spec.agent, kind=RunAgentKind.UNKNOWN)
    return Episode(folder / spec.folder, ContentStore.of_run(folder), spec.key, agent)
