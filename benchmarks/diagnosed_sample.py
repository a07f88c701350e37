"""Diagnoses of a fixed sample of failures with known causes: how many are right, and what they use."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from benchmarks.report import Measure
from garabench.diagnosis.evaluation import simulate
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings
from garabench.known_causes.data_set import make_data_set
from garabench.known_causes.probed_failures import MeasureOptions, measure

_EPISODES = 52
"""Episodes of the sample, of which more than `_FAILURES` fail."""
_FAILURES = 40
_PHONES = 2
_OPTIONS = MeasureOptions(rounds=1, retries=0, phones=_PHONES, limit=_FAILURES, compare=False)


def measure_sample() -> list[Measure]:
    """Produce the sample, diagnose it, and compare the attributions with the causes."""
    began, used = time.perf_counter(), sum(os.times()[:4])
    with tempfile.TemporaryDirectory() as folder:
        make_data_set(Path(folder), episodes=_EPISODES, phones=_PHONES)
        cases = measure(Path(folder), _OPTIONS)
    seconds, processor = time.perf_counter() - began, sum(os.times()[:4]) - used
    outcomes = [simulate(case, DiagnosisSettings()) for case in cases if case.certain]
    agent = [each.right for each in outcomes if each.case.truth is AttributedTo.AGENT]
    environment = [
        each.attributed_to is not AttributedTo.AGENT
        for each in outcomes
        if each.case.truth is AttributedTo.ENVIRONMENT
    ]
    right = [each.right for each in outcomes]
    return [
        Measure("failures", len(cases), "times", _FAILURES, at_least=True),
        Measure("FN recovery", _share(agent), "x", 0.85, at_least=True, note=f"{len(agent)} of the agent"),
        Measure("TN kept", _share(environment), "x", 0.9, at_least=True, note=f"{len(environment)} defects"),
        Measure("accuracy", _share(right), "x", 0.85, at_least=True, note=f"{len(right)} failures"),
        Measure("duration", seconds, "s", note=f"{_PHONES} phones"),
        Measure("processor time", processor, "s", note="phones included"),
    ]


def _share(values: list[bool]) -> float:
    return sum(values) / len(values)
