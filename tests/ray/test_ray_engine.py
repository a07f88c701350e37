"""Campaigns on a Ray cluster of several processes: the same records as here, also if workers and nodes die.

The tests run in this order: the last one kills a node of the cluster.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from garabench import Run, Suite, load_run, make_plan, run
from garabench.core import campaign_events as ev
from garabench.core.line_checksum import parse_line
from garabench.records.campaign_log import read_campaign
from garabench.records.plan import Plan
from garabench.records.results import Summary
from garabench.records.run_layout import RESULTS
from tests.ray.conftest import TwoNodes
from tests.waits import until

TASK, AGENT, SEEDS = "bili-like-song-live", "dismiss", 2
TIMES = ("t", "seconds", "crc", "time")


@pytest.fixture(scope="session")
def plan() -> Plan:
    suite = Suite.load()
    return make_plan(suite.select(TASK), (AGENT,), conditions=("clean", "dual"), seeds=SEEDS)


@pytest.fixture(scope="session")
def local(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(plan, tmp_path_factory.mktemp("local") / "run", jobs=2)


def results(done: Run) -> list[Summary]:
    """Return the results without their durations."""
    return [
        dataclasses.replace(
            each,
            seconds=0,
            deciding=0,
            interruptions=tuple(
                dataclasses.replace(
                    one, aftermath=one.aftermath and dataclasses.replace(one.aftermath, seconds=None)
                )
                for one in each.interruptions
            ),
        )
        for each in sorted(done.summaries, key=lambda each: str(each.key))
    ]


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name not in TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def events(done: Run) -> dict[str, list[Any]]:
    """Return the events of each episode without their times."""
    return {
        str(key): [
            without_times(parse_line(line))
            for line in (done.folder / key.folder / "events.jsonl").read_text("utf-8").splitlines()
        ]
        for key in done.file.episode_keys()
    }


def stored(done: Run) -> set[str]:
    return {path.name for path in done.store.folder.rglob("*") if path.is_file()}


def attempts(done: Run, kind: type[ev.AttemptBegun] | type[ev.AttemptEnded]) -> list[Any]:
    return [event for event in read_campaign(done.folder) if isinstance(event, kind)]


def processes_of_devices() -> list[psutil.Process]:
    """Return the processes that hold devices, which Ray names after the class and the method."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.cmdline()[:1] and process.cmdline()[0].startswith("ray::RemoteDevice"):
                found.append(process)
    return found


def at_first_attempt(act: Callable[[], None]) -> Callable[[ev.CampaignEvent], None]:
    """Act when the first attempt begins."""
    begun: list[ev.CampaignEvent] = []

    def on_event(event: ev.CampaignEvent) -> None:
        if isinstance(event, ev.AttemptBegun) and not begun:
            begun.append(event)
            act()

    return on_event


def assert_nothing_lost_or_doubled(done: Run, local: Run) -> None:
    assert results(done) == results(local)
    lines = (done.folder / RESULTS).read_text("utf-8").splitlines()
    assert len(lines) == len(local.summaries)


def test_records_are_those_of_a_local_run(nodes: TwoNodes, plan: Plan, local: Run, tmp_path: Path) -> None:
    reported: list[ev.CampaignEvent] = []
    done = run(plan, tmp_path / "run", engine="ray", ray_address=nodes.address, on_event=reported.append)
    assert_nothing_lost_or_doubled(done, local)
    assert events(done) == events(local)
    assert stored(done) == stored(local)
    assert {each.device for each in attempts(done, ev.AttemptBegun)} == {"virtual#1", "virtual#2"}
    assert tuple(reported) == read_campaign(done.folder)
    until(lambda: not processes_of_devices(), "the workers end with the run")
    assert "shell" in (done.folder / "run.log").read_text("utf-8")  # the nodes' device calls


def test_killed_driver_resumes_and_a_killed_worker_is_replaced(
    nodes: TwoNodes, plan: Plan, local: Run, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    words = ["run", "--engine", "ray", "--ray-address", nodes.address, "--tasks", TASK, "--agents", AGENT]
    words += ["--conditions", "clean,dual", "--seeds", str(SEEDS), "--out", str(out), "--no-report"]
    start = "from garabench.cli.main import main; main()"
    driver = subprocess.Popen(
        [sys.executable, "-c", start, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until(lambda: (out / RESULTS).is_file() and (out / RESULTS).stat().st_size > 0, what="a result")
    finally:
        driver.kill()
        driver.wait()
    until(lambda: not processes_of_devices(), "the workers end with their driver")
    before = {str(each.key) for each in load_run(out).summaries}
    assert before

    def kill_worker() -> None:
        os.kill(processes_of_devices()[0].pid, signal.SIGKILL)

    done = run(
        plan,
        out,
        engine="ray",
        ray_address=nodes.address,
        resume=True,
        on_event=at_first_attempt(kill_worker),
    )
    assert_nothing_lost_or_doubled(done, local)
    log = [json.dumps(each.model_dump(mode="json")) for each in read_campaign(out)]
    after = log[[each for each, line in enumerate(log) if '"run_begun"' in line][-1] :]
    repeated = [each for each in attempts(done, ev.AttemptEnded) if "was lost" in each.message]
    assert len(repeated) <= 1  # it may have died before its attempt began
    assert all(each.at_fault == "harness" and not each.last for each in repeated)
    assert not any(key in line for key in before for line in after if "attempt_begun" in line)


def test_episodes_of_a_killed_node_are_performed_on_another(
    nodes: TwoNodes, plan: Plan, local: Run, tmp_path: Path
) -> None:
    done = run(
        plan,
        tmp_path / "run",
        engine="ray",
        ray_address=nodes.address,
        on_event=at_first_attempt(nodes.kill_second),
    )
    assert_nothing_lost_or_doubled(done, local)
    ended = [each for each in attempts(done, ev.AttemptEnded) if each.last]
    assert len(ended) == len(local.summaries)
