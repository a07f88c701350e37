"""Diagnose failures with known causes, on phones with the same causes.

The diagnosis follows the procedure of `garabench.diagnosis.procedure` on a `ProbedDevice`, as that of a run
does. Probes that other variants of it would perform are performed as well, each once, and stored;
`garabench.diagnosis.evaluation` computes from the results what each variant makes of the failure. The
supervisor sees the records alone.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.interface import Agent
from garabench.agents.registry import make_agent
from garabench.campaign.device_kind import VIRTUAL
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.devices import RecoverableLease, open_devices
from garabench.campaign.planner import episodes
from garabench.campaign.recorded_agents import RecordedAgents
from garabench.core.clock import Clock, SystemClock
from garabench.core.progress import Progress
from garabench.core.seeds import derive
from garabench.device.device import Device
from garabench.diagnosis.case_diagnosis import outline_of, plan_round
from garabench.diagnosis.diagnosis_file import case_folder
from garabench.diagnosis.evaluation import (
    VARIANTS,
    CandidateOutcome,
    Keep,
    KnownCase,
    KnownRound,
    RetryOutcome,
    every_type,
)
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.failure_summary import Supervisor
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, DiagnosisState, begin, begin_round
from garabench.diagnosis.offline_supervisor import OfflineSupervisor
from garabench.diagnosis.probe import (
    Continuation,
    DiagnosticProbe,
    DiagnosticProbeResult,
    ProbeOutcome,
    ProbeType,
)
from garabench.diagnosis.procedure import CaseOutline, ProbeTask, RoundSummary, follow_procedure
from garabench.episode.runner import EpisodeStoppedError, perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, GaraError, InputError
from garabench.known_causes.cause import Half, KnownFailure, read_truth
from garabench.known_causes.data_set import DefectSwitcher
from garabench.probing.case_reader import read_failed_case
from garabench.probing.perform_probe import ProbeContext
from garabench.probing.probed_device import ProbedDevice
from garabench.records.disk import complete_lines, disk_error
from garabench.records.reader import Run, load_run
from garabench.records.run_layout import EpisodeKey
from garabench.suite.suite import Suite

_LOG = logging.getLogger(__name__)
_CASES = TypeAdapter(KnownCase)
CASES = "cases-{}.jsonl"
"""Name of the file of measured cases in the data set's folder, by who continues the probes."""
_POLICY = DeviceRecoveryPolicy(recycle_after=0)
"""A virtual phone has no graphics buffers that many loaded snapshots could corrupt."""
_IMPOSSIBLE, _PROBE_DRAW = "impossible", 1


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """How the failures of a data set are probed.

    Attributes:
        rounds: Maximum number of rounds of each failure.
        retries: Number of further attempts of the agent in the held-out failures for which it is to blame; a
            task that a defect makes impossible is not tried again.
        retried: Maximum number of failures that have further attempts, drawn by a hash; None for all.
        continuation: Who continues after a probe's steps.
        phones: Number of virtual phones.
        half: The half to which the failures belong; None for both.
        limit: Maximum number of failures, drawn by a hash; None for all.
        compare: Whether to perform all probes that the tables need, not only those of the diagnosis itself.
            On the held-out half these are the probes of every variant of `garabench.diagnosis.evaluation`; on
            the tuning half those that the stop rule leaves out, in failures of the agent.
    """

    rounds: int = 2
    retries: int = 3
    retried: int | None = None
    continuation: Continuation = Continuation.REFERENCE
    phones: int = 4
    half: Half | None = None
    limit: int | None = None
    compare: bool = True


def measure(
    folder: Path,
    options: MeasureOptions = MeasureOptions(),  # a frozen value
    *,
    suite: Suite | None = None,
    supervisor: Supervisor | None = None,
    clock: Clock | None = None,
    on_progress: Callable[[Progress[str]], None] = lambda progress: None,
) -> tuple[KnownCase, ...]:
    """Probe the failures of a data set; a later call resumes.

    Args:
        folder: The data set's folder; see `garabench.known_causes.data_set`.
        options: The options.
        suite: The suite of its runs; default: the bundled one.
        supervisor: Reads the failures; default: the offline one.
        clock: Clock for all times and limits.
        on_progress: Called with the name of each measured failure.

    Raises:
        InputError: There is no data set, or it was performed with another suite.
        DeviceError: A phone was lost for good.
        RecordError: A result cannot be written.
    """
    suite, clock = suite or Suite.load(), clock or SystemClock()
    supervisor = supervisor or OfflineSupervisor(options.continuation)
    failures = drawn_failures(read_truth(folder), options)
    done = _read(folder, options.continuation)
    pending = deque(each for each in failures if _name(each) not in done)
    runs = {name: load_run(folder / name) for name in {each.run for each in failures}}
    for run in runs.values():
        if run.file.suite_hash != suite.digest:
            raise InputError(f"{run.folder} was performed with another version of the suite")
    work = _Work(folder, runs, suite, supervisor, clock, options, pending, failures, on_progress)
    if pending:
        with open_devices(
            [VIRTUAL], clock, phones=min(options.phones, len(pending)), emulators=True
        ) as leases:
            work.perform(leases)
    names = {_name(each) for each in failures}
    return tuple(case for name, case in _read(folder, options.continuation).items() if name in names)


def drawn_failures(failures: Iterable[KnownFailure], options: MeasureOptions) -> tuple[KnownFailure, ...]:
    """Return the failures that are probed, in an order that their names alone decide.

    Args:
        failures: The failures of a data set.
        options: The options.
    """
    known = [each for each in failures if options.half in (None, each.half)]
    return tuple(sorted(known, key=lambda each: derive(0, "measure", _name(each)))[: options.limit])


def retried_failures(failures: Iterable[KnownFailure], options: MeasureOptions) -> frozenset[KnownFailure]:
    """Return the failures that the agent tries again: the first held-out ones for which it is to blame.

    Args:
        failures: The failures that are probed, in their order.
        options: The options.
    """
    blamed = [each for each in failures if each.half is Half.HELD_OUT and not each.cause.environment]
    return frozenset(blamed[: options.retried] if options.retries else ())


def _name(failure: KnownFailure) -> str:
    key = _key(failure)
    return f"{failure.run}/{key}"


def _key(failure: KnownFailure) -> EpisodeKey:
    return EpisodeKey(failure.task, failure.agent, failure.condition, failure.seed)


def _read(folder: Path, continuation: Continuation) -> dict[str, KnownCase]:
    path = folder / CASES.format(continuation.value)
    if not path.is_file():
        return {}
    try:
        cases = [_CASES.validate_json(line) for line in complete_lines(path)]
    except ValueError as error:
        raise InputError(
            f"{path} is not of this version of GaraBench", hint="Delete it to probe the failures again."
        ) from error
    return {case.name: case for case in cases}


class _Work:
    """The failures that are left, shared by the threads of the phones."""

    def __init__(
        self,
        folder: Path,
        runs: Mapping[str, Run],
        suite: Suite,
        supervisor: Supervisor,
        clock: Clock,
        options: MeasureOptions,
        pending: deque[KnownFailure],
        failures: Sequence[KnownFailure],
        on_progress: Callable[[Progress[str]], None],
    ) -> None:
        self._folder = folder
        self._runs = runs
        self._suite = suite
        self._supervisor = supervisor
        self._clock = clock
        self._options = options
        self._pending = pending
        self._done = len(failures) - len(pending)
        self._total = len(failures)
        self._retried = retried_failures(failures, options)
        self._on_progress = on_progress
        self._stop = threading.Event()
        self._switcher = DefectSwitcher({})
        self._agents = {run.folder: RecordedAgents(run) for run in runs.values()}
        self._specs = {name: _specs(run, suite) for name, run in runs.items()}
        self._messages: queue.SimpleQueue[KnownCase | BaseException | None] = queue.SimpleQueue()

    def perform(self, leases: Sequence[RecoverableLease]) -> None:
        """Measure all failures that are left."""
        threads = [threading.Thread(target=self._serve, args=(lease,), daemon=True) for lease in leases]
        errors: list[BaseException] = []
        try:
            for thread in threads:
                thread.start()
            running = len(threads)
            while running:
                message = self._messages.get()
                if isinstance(message, KnownCase):
                    self._append(message)
                    continue
                running -= 1
                errors += [] if message is None else [message]
        finally:
            self._stop.set()
            for thread in threads:
                if thread.ident is not None:
                    thread.join(30)
        if errors:
            raise errors[0]

    def _append(self, case: KnownCase) -> None:
        path = self._folder / CASES.format(self._options.continuation.value)
        text = json.dumps(_CASES.dump_python(case, mode="json"), ensure_ascii=False)
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{text}\n")
        except OSError as error:
            raise disk_error(error, path) from error
        self._done += 1
        self._on_progress(Progress(self._done, self._total, case.name))

    def _serve(self, lease: RecoverableLease) -> None:
        phone = _ProbedPhone(lease, self._switcher)
        try:
            while not self._stop.is_set():
                try:
                    failure = self._pending.popleft()
                except IndexError:
                    break
                self._messages.put(self._measure(failure, phone))
            self._messages.put(None)
        except EpisodeStoppedError:
            self._messages.put(None)
        except BaseException as error:  # noqa: BLE001  # raised again in the caller's thread
            self._messages.put(error)
        finally:
            phone.close()

    def _measure(self, failure: KnownFailure, phone: _ProbedPhone) -> KnownCase:
        run, key = self._runs[failure.run], _key(failure)
        spec, episode = self._specs[failure.run][key], run.episode(key)
        ended = None if episode is None else episode.ended
        if episode is None or ended is None:
            raise InputError(f"{_name(failure)} has no record")
        phone.failure = failure
        case = read_failed_case(episode, spec.app)
        performed = self._perform(failure, case, spec, run, phone)
        again = self._options.retries if failure in self._retried else 0
        retries: list[RetryOutcome] = []
        while len(retries) < again and not any(each.solved for each in retries):
            retries.append(self._retry(spec, run, len(retries), phone))
        return KnownCase(
            name=_name(failure),
            task=failure.task,
            truth=AttributedTo.ENVIRONMENT if failure.cause.environment else AttributedTo.AGENT,
            cause=f"{failure.cause.kind.value} {failure.cause.name}".strip(),
            condition=failure.condition,
            held_out=failure.half is Half.HELD_OUT,
            steps=ended.steps,
            outline=performed.outline,
            rounds=performed.known_rounds,
            from_start=performed.from_start,
            retries=tuple(retries),
            seconds=ended.t,
            certain=failure.cause.impact in ("", _IMPOSSIBLE),
        )

    def _agent(self, spec: EpisodeSpec, run: Run, folder: Path) -> Agent | AutonomousAgent:
        agent = self._agents[run.folder].spec(spec.agent)
        folder.mkdir(parents=True, exist_ok=True)
        context = AgentContext(name=spec.agent, folder=folder, clock=self._clock, stop=self._stop.is_set)
        return make_agent(agent, context, spec.task)

    def _retry(self, spec: EpisodeSpec, run: Run, number: int, phone: _ProbedPhone) -> RetryOutcome:
        """Let the agent try once more from the start, with another seed."""
        again = replace(spec, seed=derive(spec.seed, "retry", number) % 2**31)
        folder = self._folder / "retries" / run.folder.relative_to(self._folder)
        agent = self._agent(again, run, folder / again.folder)
        end = perform_episode(again, phone.connect(), agent, folder, self._clock, stop=self._stop.is_set)
        return RetryOutcome(end.outcome == "success", end.steps)

    def _perform(
        self, failure: KnownFailure, case: FailedCase, spec: EpisodeSpec, run: Run, phone: _ProbedPhone
    ) -> _PerformedProbes:
        """Diagnose a failure, and perform what other variants of the diagnosis would perform besides."""
        context = ProbeContext(
            run=run.folder,
            folder=case_folder(spec.key),
            spec=spec,
            make_agent=lambda place: self._agent(spec, run, place),
            clock=self._clock,
            stop=self._stop.is_set,
        )
        settings = DiagnosisSettings(rounds=self._options.rounds)
        outline = replace(outline_of(case), seed=derive(0, "order", _name(failure)))
        done = _PerformedProbes(outline)
        version = (run.environment.apps or {}).get(spec.app, "")

        def plan(state: DiagnosisState, keep: Keep = every_type) -> RoundSummary:
            if state.round == len(done.rounds):
                done.rounds.append(plan_round(case, self._supervisor, settings, state.performed))
            found = done.rounds[state.round]
            return replace(found, candidates=tuple(each for each in found.candidates if keep(each.type)))

        def perform(task: ProbeTask) -> DiagnosticProbeResult:
            place = _place(task)
            if place not in done.results:
                done.results[place] = phone.probe(case, task, context, version)
            return done.results[place]

        variants = VARIANTS if self._options.compare and failure.half is Half.HELD_OUT else ()
        if self._options.compare and (variants or not failure.cause.environment):
            # A confirmation from the start takes the place of the saved fork, so it comes last.
            selected = begin_round(begin(replace(settings, stop=False)), plan(begin(settings)).candidates)
            for number, probe in enumerate(selected.pending, 1):
                perform(ProbeTask(1, number, done.rounds[0].summary.fork, probe))
        for each in variants:
            without = replace(each.settings, rounds=1, confirm=False)
            follow_procedure(outline, without, partial(plan, keep=each.keep), perform)
        follow_procedure(outline, settings, plan, perform)
        for each in variants:
            follow_procedure(outline, each.settings, partial(plan, keep=each.keep), perform)
        return done


def _place(task: ProbeTask) -> tuple[int, str]:
    """Return what identifies a probe of a failure: its round and its name; the confirmation is in none."""
    return (0 if task.probe.from_start else task.round), task.probe.name


@dataclass
class _PerformedProbes:
    """The performed probes of a failure.

    Attributes:
        outline: The failure as the procedure knows it.
        rounds: The planned rounds.
        results: The results, by round and name of the probe; the confirmation from the start has round 0.
    """

    outline: CaseOutline
    rounds: list[RoundSummary] = field(default_factory=list)
    results: dict[tuple[int, str], DiagnosticProbeResult] = field(default_factory=dict)

    @property
    def known_rounds(self) -> tuple[KnownRound, ...]:
        """The rounds with the outcomes of the candidates that were performed."""
        return tuple(
            KnownRound(
                each.summary.category,
                each.summary.fork,
                tuple(
                    _outcome_of(probe, self.results[number, probe.name])
                    for probe in each.candidates
                    if (number, probe.name) in self.results
                ),
            )
            for number, each in enumerate(self.rounds, 1)
        )

    @property
    def from_start(self) -> CandidateOutcome | None:
        """The confirmation from the start, or None if no variant needed it."""
        return next(
            (
                _outcome_of(DiagnosticProbe(name, ProbeType.A, (), "", from_start=True), result)
                for (number, name), result in self.results.items()
                if number == 0
            ),
            None,
        )


def _outcome_of(probe: DiagnosticProbe, result: DiagnosticProbeResult) -> CandidateOutcome:
    return CandidateOutcome(
        probe.name,
        probe.type,
        result.outcome,
        result.steps,
        result.seconds,
        result.reason,
        probe.p_success_agent,
        result.repeated,
        result.other_result,
    )


def _specs(run: Run, suite: Suite) -> dict[EpisodeKey, EpisodeSpec]:
    left_out = run.environment.left_out or {}
    names = [agent.name for agent in run.agents]
    return {spec.key: spec for spec in episodes(run.plan, suite, names, left_out=left_out)}


class _ProbedPhone:
    """A phone of the experiment.

    Attributes:
        failure: The failure whose cause the phone has.
    """

    def __init__(self, lease: RecoverableLease, switcher: DefectSwitcher) -> None:
        self.failure: KnownFailure | None = None
        self._lease = lease
        self._switcher = switcher
        self._device = ProbedDevice(lease, _POLICY, prepare=self._switch)

    def _switch(self) -> None:
        cause = None if self.failure is None else self.failure.cause
        self._switcher.switch(self._lease, cause, draw=_PROBE_DRAW)

    def connect(self) -> Device:
        """Return the device in its initial state, with the failure's cause.

        Raises:
            DeviceError: It cannot be reached.
        """
        return self._device.connect()

    def probe(
        self, case: FailedCase, task: ProbeTask, context: ProbeContext, version: str
    ) -> DiagnosticProbeResult:
        """Perform a probe; a phone that stays away makes it inconclusive."""
        try:
            return self._device.perform(case, task, context, version)
        except DeviceError as error:
            _LOG.warning("%s: %s", case.name, error)
            return DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE, str(error))

    def close(self) -> None:
        """Switch the defect off and close the connection, unless the phone is lost."""
        with contextlib.suppress(GaraError):
            self._switcher.switch(self._lease, None)
        self._device.close()
