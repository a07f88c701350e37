"""Probes of a failure: the first one replays the prefix, later ones continue from the emulator's snapshot."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from garabench.agents.registry import resolve_all
from garabench.campaign.planner import episodes, make_plan
from garabench.campaign.run import run
from garabench.core import events as ev
from garabench.core.action import Wait
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.diagnosis.probe import DiagnosticProbe, ProbeOutcome, ProbeStep, ProbeType
from garabench.diagnosis.procedure import ProbeTask
from garabench.probing.case_reader import read_failed_case
from garabench.probing.forks import ForkStore
from garabench.probing.perform_probe import ProbeContext, perform_probe
from garabench.records.event_reader import read_events
from garabench.records.reader import load_run
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite

pytestmark = pytest.mark.e2e

CLOCK = SystemClock()
TASK, AGENT = "bili-like-hottest-comment", "faulty:gives-up-early:accept"
WAIT = ProbeStep(Wait(seconds=0.5), label="wait")


def probe(number: int, *steps: ProbeStep) -> DiagnosticProbe:
    return DiagnosticProbe(f"probe-{number}", ProbeType.C, steps, "as a test")


def test_later_probes_continue_from_the_fork(tmp_path: Path) -> None:
    suite = bundled_suite()
    plan = make_plan(suite.select(TASK), (AGENT,), conditions=("dual",))
    with VirtualPhone("android-34:720x1280", emulator=True) as phone:
        run(plan, tmp_path, devices=(phone.serial,), wipe=True)
        (spec,) = episodes(plan, suite, [each.name for each in resolve_all((AGENT,))])
        episode = load_run(tmp_path).episode(spec.key)
        assert episode is not None
        case = read_failed_case(episode, spec.app)
        assert case.interruptions
        fork = len(case.steps) - 1
        context = ProbeContext(
            tmp_path, PurePosixPath("diagnosis"), spec, lambda folder: pytest.fail(), CLOCK
        )
        with Device.connect(phone.serial, CLOCK) as device:
            forks = ForkStore(device)
            probes = (probe(1), probe(2, WAIT), probe(3))
            tasks = [ProbeTask(1, number, fork, each) for number, each in enumerate(probes, 1)]
            results = [perform_probe(case, task, forks, context) for task in tasks]
            forks.clear()
            assert device.journal.entries == ()
    assert [result.outcome for result in results] == [ProbeOutcome.PASS] * 3
    assert [result.restore_quality for result in results] == [1.0] * 3
    assert results[1].steps == results[0].steps + 1
    logs = [read_events((tmp_path / result.record).parent) for result in results]
    assert all(isinstance(log[-1], ev.EpisodeEnded) for log in logs)
    for log in logs:
        injected = [each for each in log if isinstance(each, ev.InterruptionInjected)]
        assert [(each.step, each.rule, each.interruption) for each in injected] == [
            (each.step, each.rule, each.interruption) for each in case.interruptions
        ]
    same = _common(logs[0], logs[2])
    prefix = sum(isinstance(each, ev.PerformedEvent) for each in same)
    assert prefix >= len(case.steps) - 1  # both records begin with the same events


def test_an_interruption_that_was_open_at_the_end_is_closed_at_the_fork(tmp_path: Path) -> None:
    suite = bundled_suite()
    plan = make_plan(suite.select("amazon-cart-tea-three"), ("heuristic",), conditions=("dual",))
    with VirtualPhone("android-34") as phone:
        run(plan, tmp_path, devices=(phone.serial,), wipe=True)
        (spec,) = episodes(plan, suite, [each.name for each in resolve_all(("heuristic",))])
        episode = load_run(tmp_path).episode(spec.key)
        assert episode is not None
        case = read_failed_case(episode, spec.app)
        assert case.open_interruption
        fork = len(case.steps) - 1
        assert case.steps[fork].action is None
        context = ProbeContext(
            tmp_path, PurePosixPath("diagnosis"), spec, lambda folder: pytest.fail(), CLOCK
        )
        with Device.connect(phone.serial, CLOCK) as device:
            result = perform_probe(case, ProbeTask(1, 1, fork, probe(1)), ForkStore(device), context)
    assert result.restore_quality == 1.0
    assert result.outcome is not ProbeOutcome.INCONCLUSIVE, result.reason


def _common(one: tuple[ev.Event, ...], other: tuple[ev.Event, ...]) -> list[ev.Event]:
    found: list[ev.Event] = []
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        found.append(left)
    return found
