"""Diagnose the failures of a run on several devices; what is done is stored, and a later call resumes."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.interface import Agent
from garabench.agents.models.session import ModelOptions, ModelSession
from garabench.agents.registry import make_agent
from garabench.campaign.consent import Consent, real_devices, require_consent
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.devices import MAX_PHONES, RecoverableLease, open_devices
from garabench.campaign.planner import episodes
from garabench.campaign.recorded_agents import RecordedAgents
from garabench.core.clock import Clock, SystemClock
from garabench.core.phrases import counted
from garabench.core.progress import Progress
from garabench.device.emulators.fleet import is_fleet, parse_fleet
from garabench.diagnosis.case_diagnosis import Diagnosis, diagnose_case, unprobed_diagnosis
from garabench.diagnosis.diagnosis_file import (
    DiagnosisMethod,
    case_folder,
    discard_diagnosis,
    joined_method,
    read_diagnosis,
    read_result,
    store_method,
    write_diagnosis,
    write_result,
)
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.failure_summary import Supervisor
from garabench.diagnosis.loop import DiagnosisSettings
from garabench.diagnosis.offline_supervisor import OfflineSupervisor
from garabench.diagnosis.probe import Continuation, DiagnosticProbeResult, ProbeOutcome
from garabench.diagnosis.procedure import ProbeTask
from garabench.episode.runner import EpisodeStoppedError
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceError, InputError
from garabench.probing.case_reader import FAILURE, read_failed_case
from garabench.probing.perform_probe import ProbeContext
from garabench.probing.probed_device import ProbedDevice
from garabench.probing.probing_devices import (
    connected,
    device_names,
    episode_devices,
    is_one_of,
    lease_name,
    probed_elsewhere,
    take_failure,
)
from garabench.records.episode_selection import SelectEpisode, every_episode
from garabench.records.lock import locked
from garabench.records.reader import Run
from garabench.records.results import UNKNOWN
from garabench.records.run_layout import DIAGNOSIS, EpisodeKey
from garabench.suite.suite import Suite

_JOIN_LIMIT = 30.0


@dataclass(frozen=True, slots=True)
class DiagnosisBudget:
    """The limits of a call of `diagnose_run`; what is left is diagnosed by a later call.

    Attributes:
        failures: Maximum number of failures; None without a limit.
        seconds: No further failure begins after this time; None without a limit.
    """

    failures: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RunDiagnosis:
    """The diagnoses of a run's failures.

    Attributes:
        run: The run.
        diagnoses: The diagnoses by episode, in the plan's order.
        undiagnosed: The failures that a budget left for a later call.
        unknown: The episodes that are not diagnosed because it is not known whether they failed.
    """

    run: Run
    diagnoses: dict[EpisodeKey, Diagnosis]
    undiagnosed: tuple[EpisodeKey, ...] = ()
    unknown: tuple[EpisodeKey, ...] = ()


def failures(run: Run, select: SelectEpisode = every_episode) -> tuple[EpisodeKey, ...]:
    """Return the failed episodes of a run, in the plan's order; an unknown outcome is not a failure."""
    return _with_outcome(run, FAILURE, select)


def unknown_outcomes(run: Run, select: SelectEpisode = every_episode) -> tuple[EpisodeKey, ...]:
    """Return the episodes of a run of which it is not known whether they failed, in the plan's order."""
    return _with_outcome(run, UNKNOWN, select)


def _with_outcome(run: Run, outcome: str, select: SelectEpisode) -> tuple[EpisodeKey, ...]:
    found = {summary.key for summary in run.summaries if summary.known_outcome == outcome}
    return tuple(key for key in run.file.episode_keys() if key in found and select(key))


def diagnose_run(
    run: Run,
    *,
    settings: DiagnosisSettings | None = None,
    continuation: Continuation = Continuation.REFERENCE,
    supervisor: Supervisor | None = None,
    devices: Sequence[str] = (),
    jobs: int | None = None,
    suite: Suite | None = None,
    clock: Clock | None = None,
    models: ModelOptions | None = None,
    budget: DiagnosisBudget = DiagnosisBudget(),  # a frozen value
    select: SelectEpisode = every_episode,
    again: bool = False,
    wipe: Consent = False,
    on_progress: Callable[[Progress[Diagnosis]], None] = lambda progress: None,
    on_message: Callable[[str], None] = lambda text: None,
) -> RunDiagnosis:
    """Diagnose the failures of a run, and store the diagnoses in its folder.

    Each failure is probed on the device on which it happened, if that is among the devices: one may be broken
    as no other is. Stored diagnoses with the same settings are not repeated. A message says which of
    them were made on other devices.

    Args:
        run: The run.
        settings: How a failure is diagnosed; default: as published.
        continuation: Who continues after a probe's steps.
        supervisor: Reads failures and proposes probes; default: the offline one, which needs no model.
        devices: Each ``virtual``, ``virtual:PROFILE``, ``emulators:COUNT`` or a serial; default: those of the
            run, or virtual phones like those that it started.
        jobs: Number of virtual phones; default: one per core, at most 4.
        suite: The suite of the run; default: the bundled one.
        clock: The clock for all times and limits.
        models: Options of model agents that continue probes.
        budget: The limits of this call.
        select: Returns whether to diagnose the failure of an episode.
        again: Repeat the stored diagnoses.
        wipe: Consent to wiping the data of the tested apps on real devices; see `garabench.run`.
        on_progress: Called after each diagnosis.
        on_message: Called with messages about the devices.

    Raises:
        InputError: Diagnoses that are not replaced have other settings, another process diagnoses the run, or
            the number of emulators is invalid.
        DeviceError: No device can be reached, or all were lost. The run's own devices are never replaced by
            others.
        RecordError: A result cannot be written.
    """
    settings = settings or DiagnosisSettings()
    suite, clock = suite or Suite.load(), clock or SystemClock()
    supervisor = supervisor or OfflineSupervisor(continuation)
    keys = failures(run, select)
    for name in filter(is_fleet, devices):
        parse_fleet(name)  # refused even if nothing is left to probe
    names = tuple(devices) or device_names(run)
    method = DiagnosisMethod(settings, supervisor.name, continuation, names)
    (run.folder / DIAGNOSIS).mkdir(exist_ok=True)
    with locked(run.folder / DIAGNOSIS):
        method = joined_method(run, method, replaced=keys if again else ())
        stored = () if again else keys
        done = {key: found for key in stored if (found := read_diagnosis(run, key)) is not None}
        if other := probed_elsewhere(done.values(), names):
            on_message(_elsewhere(other, names))
        pending = [key for key in keys if key not in done]
        replaced = keys if again else ()
        work = _Work(run, suite, method, supervisor, clock, models, budget, names, pending, replaced)
        work.limit(budget.failures)
        if work.pending:
            apps = sorted(
                {suite.every_task[key.task].app for key in work.pending if key.task in suite.every_task}
            )
            phones = min(jobs or min(os.cpu_count() or 1, MAX_PHONES), len(work.pending))
            if not devices:
                names = connected(names, clock, on_message)
            with open_devices(
                names,
                clock,
                phones=phones,
                seed=run.plan.seed,
                emulators=True,
                apps=suite.app_files,
                on_message=on_message,
            ) as leases:
                require_consent(wipe, lambda: real_devices(names), apps)
                work.perform(leases, done, len(keys), on_progress)
    ordered = {key: done[key] for key in keys if key in done}
    left = tuple(key for key in keys if key not in done)
    return RunDiagnosis(run, ordered, left, unknown_outcomes(run, select))


def _elsewhere(other: Sequence[Diagnosis], names: Sequence[str]) -> str:
    """Say that stored diagnoses are not of these devices."""
    where = sorted({device for each in other for device in each.devices})
    return (
        f"The stored diagnoses of {counted(len(other), 'failure')} are from "
        f"{', '.join(where) or 'devices that were not recorded'}, not from {', '.join(names)}; "
        "use --again to replace them"
    )


@dataclass(frozen=True, slots=True)
class _Ended:
    """A device's thread has ended: because of an error, or because nothing is left."""

    error: BaseException | None


@dataclass
class _Work:
    """The failures that are left, shared by the threads of the devices."""

    run: Run
    suite: Suite
    method: DiagnosisMethod
    supervisor: Supervisor
    clock: Clock
    models: ModelOptions | None
    budget: DiagnosisBudget
    names: tuple[str, ...]
    pending: list[EpisodeKey]
    replaced: tuple[EpisodeKey, ...]
    stop: threading.Event = field(default_factory=threading.Event)
    messages: queue.SimpleQueue[tuple[EpisodeKey, Diagnosis] | _Ended] = field(
        default_factory=queue.SimpleQueue
    )

    def __post_init__(self) -> None:
        names = [agent.name for agent in self.run.agents]
        left_out = self.run.environment.left_out or {}
        known = [name for name in self.run.plan.tasks if name in self.suite.every_task]
        plan = self.run.plan.model_copy(update={"tasks": tuple(known)})
        self._specs = {spec.key: spec for spec in episodes(plan, self.suite, names, left_out=left_out)}
        self._session = ModelSession(self.models or ModelOptions(), self.clock)
        self._agents = RecordedAgents(self.run)
        self._begun = self.clock.monotonic()
        self._lock = threading.Lock()
        self._episode_devices = episode_devices(self.run)
        self._leased: frozenset[str] = frozenset()
        self._begins = True

    def limit(self, failures: int | None) -> None:
        """Leave all but the first failures for a later call."""
        if failures is not None:
            self.pending = self.pending[:failures]

    def perform(
        self,
        leases: Sequence[RecoverableLease],
        done: dict[EpisodeKey, Diagnosis],
        total: int,
        on_progress: Callable[[Progress[Diagnosis]], None],
    ) -> None:
        """Diagnose all failures that are left, on all devices."""
        self._leased = frozenset(map(lease_name, leases))
        threads = [
            threading.Thread(target=self._serve, args=(lease,), name=f"diagnosis-{number}", daemon=True)
            for number, lease in enumerate(leases)
        ]
        errors: list[BaseException] = []
        try:
            for thread in threads:
                thread.start()
            ended = 0
            while ended < len(threads):
                message = self.messages.get()
                if isinstance(message, _Ended):
                    ended += 1
                    if message.error is not None:
                        errors.append(message.error)
                        if not isinstance(message.error, DeviceError):
                            self.stop.set()
                    continue
                key, diagnosis = message
                done[key] = diagnosis
                on_progress(Progress(len(done), total, diagnosis))
        finally:
            self.stop.set()
            for thread in threads:
                if thread.ident is not None:
                    thread.join(_JOIN_LIMIT)
        fatal = [error for error in errors if not isinstance(error, DeviceError)]
        if fatal or (errors and self.pending):
            raise (fatal or errors)[0]

    def _serve(self, lease: RecoverableLease) -> None:
        error: BaseException | None = None
        device = ProbedDevice(lease, DeviceRecoveryPolicy())
        try:
            if self.replaced:
                device.connect()  # before anything is discarded
            self._begin()
            while (key := self._next(lease_name(lease))) is not None:
                try:
                    diagnosis = self._diagnose(key, device)
                except DeviceError:
                    with self._lock:
                        self.pending.insert(0, key)  # another device may still probe it, or a later call
                    raise
                write_diagnosis(self.run, key, diagnosis)
                self.messages.put((key, diagnosis))
        except EpisodeStoppedError:
            pass
        except BaseException as caught:  # noqa: BLE001  # raised again in the caller's thread
            error = caught
        finally:
            device.close()
        self.messages.put(_Ended(error))

    def _begin(self) -> None:
        """Store the method and discard the replaced diagnoses, once for all devices.

        Raises:
            RecordError: The method cannot be written.
        """
        with self._lock:
            if self._begins:
                for key in self.replaced:
                    discard_diagnosis(self.run, key)
                store_method(self.run, self.method)
                self._begins = False

    def _next(self, device: str) -> EpisodeKey | None:
        """Return the next failure for a device: one that it recorded, or that an unused device recorded."""
        late = self.budget.seconds is not None and self.clock.monotonic() - self._begun >= self.budget.seconds
        if late or self.stop.is_set():
            return None
        with self._lock:
            return take_failure(self.pending, device, self._episode_devices, self._leased)

    def _diagnose(self, key: EpisodeKey, device: ProbedDevice) -> Diagnosis:
        name = str(key)
        try:
            spec, case = self._case(key)
        except InputError as error:
            return unprobed_diagnosis(name, self.method.settings, error.message, self.supervisor.name)
        recorded_version = (self.run.environment.apps or {}).get(spec.app, "")
        context = ProbeContext(
            run=self.run.folder,
            folder=case_folder(key),
            spec=spec,
            make_agent=lambda folder: self._agent(spec, folder),
            clock=self.clock,
            stop=self.stop.is_set,
        )

        def perform(case: FailedCase, task: ProbeTask) -> DiagnosticProbeResult:
            folder = self.run.folder / context.folder / task.name
            stored = read_result(folder)
            if stored is not None and (not stored.device or is_one_of(stored.device, self.names)):
                return stored
            result = device.perform(case, task, context, recorded_version)
            if result.outcome is not ProbeOutcome.INCONCLUSIVE:
                write_result(folder, result)
            return result

        return diagnose_case(case, self.supervisor, self.method.settings, perform)

    def _case(self, key: EpisodeKey) -> tuple[EpisodeSpec, FailedCase]:
        """Return the specification and the record of a failure.

        Raises:
            InputError: It cannot be diagnosed.
        """
        spec = self._specs.get(key)
        if spec is None:
            raise InputError(f"the suite has no task {key.task!r}")
        if self.run.file.suite_hash != self.suite.digest:
            raise InputError("the run was performed with another version of the suite")
        episode = self.run.episode(key)
        if episode is None:
            raise InputError("the episode has no record")
        return spec, read_failed_case(episode, spec.app)

    def _agent(self, spec: EpisodeSpec, folder: Path) -> Agent | AutonomousAgent:
        """Make the agent under test anew."""
        context = AgentContext(
            name=spec.agent,
            folder=folder,
            seconds=spec.decision_seconds,
            start_seconds=spec.start_seconds,
            clock=self.clock,
            stop=self.stop.is_set,
            models=self._session,
        )
        folder.mkdir(parents=True, exist_ok=True)
        return make_agent(self._agents.spec(spec.agent), context, spec.task)
