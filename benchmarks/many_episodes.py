"""Memory, descriptors and the time of a step over thousands of episodes on one phone.

The campaign performs its plan in parts, each with as many episodes of each task as the others. So a part is
compared with an earlier one task by task.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.report import Measure
from garabench.agents.registry import resolve_all
from garabench.campaign.device_kind import kind_of
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.devices import VirtualLease
from garabench.campaign.episode_queue import Shard
from garabench.campaign.executor import perform_episodes
from garabench.campaign.planner import make_plan, recorded_agents
from garabench.core import campaign_events as ev
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.records.device_environment import Environment
from garabench.records.run_file import RunFile
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone

AGENT = "accept"
TASKS = 4
PARTS = 4
"""Parts of the plan. The first one warms up, and the last one is compared with the second."""
_PROFILE = "android-34:720x1280"


@dataclass(frozen=True, slots=True)
class Sample:
    """One episode.

    Attributes:
        task: The task's id.
        runner_mb: Resident memory of the runner after it.
        phone_mb: Resident memory of the phone after it.
        descriptors: Open files of the runner after it.
        step_s: Duration of the episode per step.
        step_cpu_s: Processor time of runner and phone per step.
    """

    task: str
    runner_mb: float
    phone_mb: float
    descriptors: int
    step_s: float
    step_cpu_s: float


def perform_campaign(folder: Path, seeds: int) -> list[list[Sample]]:
    """Perform a campaign on one virtual phone and this runner, and return the samples of each part.

    Args:
        folder: The folder of its run.
        seeds: Number of episodes of each task.
    """
    suite, clock = Suite.load(), SystemClock()
    tasks = suite.select("bilibili")[:TASKS]
    plan = make_plan(tasks, (AGENT,), conditions=("clean",), seeds=seeds)
    agents = resolve_all(plan.agents)
    with VirtualPhone(_PROFILE) as phone:
        assert phone._process is not None
        processes = psutil.Process(), psutil.Process(phone._process.pid)
        with Device.connect(phone.serial, clock) as device:
            environment = Environment(kind=kind_of(device.info), model=device.info.model)
        file = RunFile(
            garabench="0",
            plan=plan,
            agents=recorded_agents(plan, agents),
            suite_hash=suite.digest,
            device=environment,
        )
        run = RunWriter.create(folder, file)
        parts: list[list[Sample]] = []
        for number in range(1, PARTS + 1):
            samples: list[Sample] = []
            used_s = _processor_s(processes)

            def on_event(event: ev.CampaignEvent, samples: list[Sample] = samples) -> None:
                nonlocal used_s
                if isinstance(event, ev.AttemptEnded):
                    samples.append(_sample(event, processes, used_s))
                    used_s = _processor_s(processes)

            perform_episodes(
                run,
                suite,
                agents,
                [VirtualLease(phone, clock)],
                clock,
                device_recovery=DeviceRecoveryPolicy(),
                shard=Shard(number, PARTS),
                on_event=on_event,
            )
            parts.append(samples)
    return parts


def _processor_s(processes: Sequence[psutil.Process]) -> float:
    return sum(sum(each.cpu_times()[:2]) for each in processes)


def _sample(event: ev.AttemptEnded, processes: Sequence[psutil.Process], used_s: float) -> Sample:
    runner_mb, phone_mb = (each.memory_info().rss / 1024**2 for each in processes)
    steps = max(1, event.steps)
    return Sample(
        event.episode.split("/")[0],
        runner_mb,
        phone_mb,
        processes[0].num_fds(),
        event.seconds / steps,
        (_processor_s(processes) - used_s) / steps,
    )


def growth(before: Sequence[Sample], after: Sequence[Sample], value: Callable[[Sample], float]) -> float:
    """Return by how many percent a value grew between two parts: the median of the growth of each task.

    Args:
        before: The episodes of the earlier part.
        after: Those of the later one, of the same tasks.
        value: The value of an episode.
    """
    ratios = [
        statistics.median(value(each) for each in after if each.task == task)
        / statistics.median(value(each) for each in before if each.task == task)
        for task in {each.task: None for each in before}
    ]
    return 100 * (statistics.median(ratios) - 1)


def measure_many_episodes(folder: Path, episodes: int) -> list[Measure]:
    """Measure how memory, descriptors and the time of a step grow after a quarter of the episodes.

    Args:
        folder: A folder for the run.
        episodes: The number of episodes, of four tasks.
    """
    parts = perform_campaign(folder, max(PARTS, episodes // TASKS))
    second, last = parts[1], parts[-1]

    def measure(name: str, limit: float, note: str, value: Callable[[Sample], float]) -> Measure:
        return Measure(name, growth(second, last, value), "%", limit, note=note)

    def in_ms(value: Callable[[Sample], float]) -> str:
        before, after = (1000 * statistics.fmean(map(value, part)) for part in (second, last))
        return f"mean of {before:.0f} ms in the second quarter, {after:.0f} ms in the last one"

    number = sum(map(len, parts))
    return [
        measure(
            "memory of the runner",
            5,
            f"{number} episodes on one phone: last quarter against the second; {last[-1].runner_mb:.0f} MB",
            lambda each: each.runner_mb,
        ),
        measure("memory of the phone", 5, f"{last[-1].phone_mb:.0f} MB", lambda each: each.phone_mb),
        measure(
            "open files of the runner", 0, f"{last[-1].descriptors} files", lambda each: each.descriptors
        ),
        measure("duration of a step", 5, in_ms(lambda each: each.step_s), lambda each: each.step_s),
        measure(
            "processor time of a step", 5, in_ms(lambda each: each.step_cpu_s), lambda each: each.step_cpu_s
        ),
    ]
