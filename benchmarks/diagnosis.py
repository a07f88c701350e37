"""Diagnoses of failures with a known cause: their cost, and how well the failed state was restored.

On phones with a defect the reference agent fails. Each failure is diagnosed with three probes, none left out:
on an emulator, which saves the fork, and on a phone, on which each probe replays the prefix.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Measure, cpu_ms
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.loop import DiagnosisSettings, begin, begin_round, record_result
from garabench.diagnosis.offline_supervisor import OfflineSupervisor
from garabench.diagnosis.probe import DiagnosticProbeResult, ProbeOutcome
from garabench.diagnosis.routing import quotas, routing_weights
from garabench.probing.case_reader import read_failed_case
from garabench.probing.diagnose_run import diagnose_run
from garabench.suite.suite import Suite
from garabench.virtual.defects.defect_table import defect_table
from garabench.virtual.phone_process import VirtualPhone

_PROFILE = "android-34:1080x2400"
_LIMIT_S = 12
_AGENT = "dismiss"
_SETTINGS = DiagnosisSettings(stop=False)
_FAILED = DiagnosticProbeResult(ProbeOutcome.FAIL, "step_limit")
_DEFECTS = (
    "bili-like-dead",
    "bili-comment-unsaved",
    "bili-search-submit-dead",
    "jd-add-to-cart-dead",
    "jd-favorite-unsaved",
    "jd-address-unsaved",
)


def _task_of(defect: str, suite: Suite) -> str:
    """Return the longest task whose solution touches what the defect breaks."""
    found = defect_table()[defect]
    name = found.at.id if found.at is not None else None
    if name is None:
        raise ValueError(f"{defect} breaks no element with an id")
    tasks = [
        item.task
        for item in suite.tasks.values()
        if item.app == found.app and any(name in str(step) for step in item.task.solution)
    ]
    return max(tasks, key=lambda task: len(task.solution)).id


@dataclass(frozen=True, slots=True)
class _Diagnosed:
    """A diagnosed failure.

    Attributes:
        diagnosis: Its diagnosis.
        case: Its record.
        processor: Processor time of its diagnosis in seconds, without the phone's: the mean of its run.
    """

    diagnosis: Diagnosis
    case: FailedCase
    processor: float

    @property
    def seconds(self) -> float:
        """Duration of its probes."""
        return sum(each.result.seconds for each in self.diagnosis.probes)


def _diagnose(emulator: bool, folder: Path) -> Iterator[_Diagnosed]:
    suite = Suite.load()
    with VirtualPhone(_PROFILE, emulator=emulator) as phone:
        for defect in _DEFECTS:
            plan = make_plan(suite.select(_task_of(defect, suite)), (_AGENT,), conditions=("clean", "dual"))
            phone.defect(defect)
            done = run(plan, folder / defect, devices=(phone.serial,), wipe=True)
            used = time.process_time()
            found = diagnose_run(done, settings=_SETTINGS, devices=(phone.serial,), wipe=True, suite=suite)
            used = time.process_time() - used
            phone.defect(defect, on=False)
            for key, diagnosis in found.diagnoses.items():
                episode = done.episode(key)
                if episode is None:
                    raise ValueError(f"{key} has no record")
                case = read_failed_case(episode, suite.tasks[key.task].app)
                yield _Diagnosed(diagnosis, case, used / len(found.diagnoses))


def _decide(case: FailedCase) -> tuple[float, float]:
    """Return the processor time of what is decided about a failure, in milliseconds.

    Returns:
        That of the loop (order, signal, stop rule), and that of the supervisor, which reads the screens.
    """
    supervisor = OfflineSupervisor()
    summary = supervisor.summarize(case, ())
    weights = routing_weights(summary.category)
    probes = supervisor.propose(case, summary, quotas(weights, _SETTINGS.candidates), ())

    def loop() -> None:
        state = begin_round(begin(_SETTINGS), probes, weights=weights)
        while state.next_probe is not None:
            state = record_result(state, _FAILED)

    def supervise() -> None:
        found = supervisor.summarize(case, ())
        supervisor.select(case, found, supervisor.propose(case, found, quotas(weights, 5), ()), ())

    return cpu_ms(loop, 20), cpu_ms(supervise, 20)


def measure_diagnosis() -> list[Measure]:
    """Measure diagnoses with three probes each, on an emulator and on a phone."""
    measures: list[Measure] = []
    every: list[_Diagnosed] = []
    for kind, emulator in (("emulator", True), ("phone", False)):
        with tempfile.TemporaryDirectory() as folder:
            found = list(_diagnose(emulator, Path(folder)))
        every += found
        results = [probe.result for each in found for probe in each.diagnosis.probes]
        whole = [each for each in found if len(each.diagnosis.probes) >= _SETTINGS.select]
        qualities = [each.restore_quality for each in results if each.restore_quality is not None]
        lost = sum(each.outcome is ProbeOutcome.INCONCLUSIVE for each in results)
        over = f"{len(whole)} failures, three probes each, and one from the start to confirm"
        measures += [
            Measure(
                f"{kind}: diagnosis, median",
                statistics.median(each.seconds for each in whole),
                "s",
                note=over,
            ),
            Measure(
                f"{kind}: diagnosis, longest", max(each.seconds for each in whole), "s", _LIMIT_S, note=over
            ),
            Measure(
                f"{kind}: processor time of a diagnosis, mean",
                statistics.mean(each.processor for each in found),
                "s",
                note="without the phone's",
            ),
            Measure(f"{kind}: restore quality, lowest", min(qualities), "x", 0.9, at_least=True),
            Measure(f"{kind}: inconclusive probes", lost, "times", note=f"of {len(results)}"),
        ]
    times = [_decide(each.case) for each in every]
    over = f"the slowest of {len(times)} failures, processor time"
    return [
        *measures,
        Measure("routing, order, signal and stop rule", max(loop for loop, _ in times), "ms", 1, note=over),
        Measure("offline supervisor reads the screens", max(read for _, read in times), "ms", note=over),
    ]
