"""Diagnoses of failures with a known cause: their duration, and how well the failed state was restored.

On phones with a defect the reference agent fails. Each failure is diagnosed with three probes, none left out:
on an emulator, which saves the fork, and on a phone, on which each probe replays the prefix.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Measure
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.loop import DiagnosisSettings
from garabench.diagnosis.probe import ProbeOutcome
from garabench.probing.diagnose_run import diagnose_run
from garabench.suite.suite import Suite
from garabench.virtual.defects.defect_table import defect_table
from garabench.virtual.phone_process import VirtualPhone

_PROFILE = "android-34:720x1280"
_LIMIT_S = 12
_AGENT = "dismiss"
_SETTINGS = DiagnosisSettings(stop=False)
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


def _diagnose(emulator: bool, folder: Path) -> Iterator[tuple[Diagnosis, float]]:
    suite = Suite.load()
    with VirtualPhone(_PROFILE, emulator=emulator) as phone:
        for defect in _DEFECTS:
            plan = make_plan(suite.select(_task_of(defect, suite)), (_AGENT,), conditions=("clean", "dual"))
            phone.defect(defect)
            done = run(plan, folder / defect, devices=(phone.serial,), wipe=True)
            found = diagnose_run(done, settings=_SETTINGS, devices=(phone.serial,), wipe=True)
            phone.defect(defect, on=False)
            for diagnosis in found.diagnoses.values():
                yield diagnosis, sum(each.result.seconds for each in diagnosis.probes)


def measure_diagnosis() -> list[Measure]:
    """Measure diagnoses with three probes each, on an emulator and on a phone."""
    measures: list[Measure] = []
    for kind, emulator in (("emulator", True), ("phone", False)):
        with tempfile.TemporaryDirectory() as folder:
            found = list(_diagnose(emulator, Path(folder)))
        results = [probe.result for diagnosis, _ in found for probe in diagnosis.probes]
        seconds = [duration for diagnosis, duration in found if len(diagnosis.probes) == _SETTINGS.select]
        qualities = [each.restore_quality for each in results if each.restore_quality is not None]
        lost = sum(each.outcome is ProbeOutcome.INCONCLUSIVE for each in results)
        over = f"{len(seconds)} failures, three probes each"
        measures += [
            Measure(f"{kind}: diagnosis, median", statistics.median(seconds), "s", note=over),
            Measure(f"{kind}: diagnosis, longest", max(seconds), "s", _LIMIT_S, note=over),
            Measure(f"{kind}: restore quality, lowest", min(qualities), "x", 0.9, at_least=True),
            Measure(f"{kind}: inconclusive probes", lost, "times", note=f"of {len(results)}"),
        ]
    return measures
