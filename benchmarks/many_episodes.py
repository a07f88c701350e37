"""Memory, descriptors and the time of a step over thousands of episodes on one phone.

The campaign performs one task after the other, each with all seeds, so a quarter has a task to itself. And
the time of a step depends on what else the computer does. So in the last quarter a fresh runner with a fresh
phone performs episodes of the same task now and then while the campaign waits, and the episodes just before
are compared with it.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import psutil

from benchmarks.report import Measure
from garabench.agents.registry import resolve_all
from garabench.campaign.device_kind import kind_of
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.devices import VirtualLease
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
"""As many as there are quarters."""
BLOCKS = 8
"""Blocks of fresh runners in the last quarter."""
BLOCK_EPISODES, WARM_UP = 12, 4
"""Episodes of a block, and how many of them warm up and are not counted."""
_PROFILE = "android-34:720x1280"


@dataclass(frozen=True, slots=True)
class Sample:
    """One episode.

    Attributes:
        runner_mb: Resident memory of the runner after it.
        phone_mb: Resident memory of the phone after it.
        descriptors: Open files of the runner after it.
        step_s: Duration of the episode per step.
        step_cpu_s: Processor time of runner and phone per step.
    """

    runner_mb: float
    phone_mb: float
    descriptors: int
    step_s: float
    step_cpu_s: float


class Campaign:
    """A campaign of one virtual phone and a runner in this process."""

    def __init__(self, folder: Path, seeds: int, tasks: slice) -> None:
        """Plan it.

        Args:
            folder: The folder of its run.
            seeds: Number of episodes of each task.
            tasks: Which of the tasks, which are performed one after the other.
        """
        self._folder, self._seeds, self._tasks = folder, seeds, tasks
        self.samples: list[Sample] = []

    def perform(self, after_each: Callable[[int], None] = lambda done: None) -> None:
        """Perform all episodes.

        Args:
            after_each: Called with the number of samples; what it takes counts for no episode.
        """
        suite, clock = Suite.load(), SystemClock()
        tasks = suite.select("bilibili")[:TASKS][self._tasks]
        plan = make_plan(tasks, (AGENT,), conditions=("clean",), seeds=self._seeds)
        agents = resolve_all(plan.agents)
        with VirtualPhone(_PROFILE) as phone:
            assert phone._process is not None
            processes = psutil.Process(), psutil.Process(phone._process.pid)
            used_s = _processor_s(processes)

            def on_event(event: ev.CampaignEvent) -> None:
                nonlocal used_s
                if isinstance(event, ev.AttemptEnded):
                    self.samples.append(_sample(event, processes, used_s))
                    after_each(len(self.samples))
                    used_s = _processor_s(processes)

            with Device.connect(phone.serial, clock) as device:
                environment = Environment(kind=kind_of(device.info), model=device.info.model)
            file = RunFile(
                garabench="0",
                plan=plan,
                agents=recorded_agents(plan, agents),
                suite_hash=suite.digest,
                device=environment,
            )
            perform_episodes(
                RunWriter.create(self._folder, file),
                suite,
                agents,
                [VirtualLease(phone, clock)],
                clock,
                device_recovery=DeviceRecoveryPolicy(),
                on_event=on_event,
            )


def _processor_s(processes: Sequence[psutil.Process]) -> float:
    return sum(sum(each.cpu_times()[:2]) for each in processes)


def _sample(event: ev.AttemptEnded, processes: Sequence[psutil.Process], used_s: float) -> Sample:
    runner_mb, phone_mb = (each.memory_info().rss / 1024**2 for each in processes)
    steps = max(1, event.steps)
    return Sample(
        runner_mb,
        phone_mb,
        processes[0].num_fds(),
        event.seconds / steps,
        (_processor_s(processes) - used_s) / steps,
    )


def measure_block(task: int) -> tuple[float, float]:
    """Return the median duration and processor time of a task's step, in s, with a fresh runner and phone."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder) / "run", BLOCK_EPISODES, slice(task, task + 1))
        campaign.perform()
    counted = campaign.samples[WARM_UP:]
    return (
        statistics.median(each.step_s for each in counted),
        statistics.median(each.step_cpu_s for each in counted),
    )


def relative_growth(used: Sequence[float], fresh: Sequence[float]) -> float:
    """Return by how many percent a step takes longer at the end than with a fresh runner and phone.

    The last quarter is cut into as many parts as there are fresh blocks, each of which was measured directly
    after its part: what else the computer does then is nearly the same for both. The median of the parts'
    ratios is not moved by a few parts in which it changed.

    Args:
        used: The time of a step in each episode of the last quarter, in order.
        fresh: The time of a step in each fresh block, in order.
    """
    size = max(1, len(used) // len(fresh))
    parts = (used[place * size : (place + 1) * size] for place in range(len(fresh)))
    ratios = [statistics.median(part) / block for part, block in zip(parts, fresh, strict=True) if part]
    return 100 * (statistics.median(ratios) - 1)


def measure_many_episodes(folder: Path, episodes: int) -> list[Measure]:
    """Measure how memory, descriptors and the time of a step grow after a quarter of the episodes.

    Args:
        folder: A folder for the run.
        episodes: The number of episodes, of four tasks.
    """
    quarter = max(1, episodes // 4)
    every = max(1, quarter // BLOCKS)
    late: list[tuple[float, float]] = []

    def measure_fresh(done: int) -> None:
        place = (done - 1) // quarter
        within = done - 3 * quarter
        if place == 3 and within % every == 0:
            context = get_context("spawn")
            with ProcessPoolExecutor(1, mp_context=context) as pool:  # a new process each time
                late.append(pool.submit(measure_block, place).result())

    campaign = Campaign(folder, max(1, episodes // TASKS), slice(None))
    campaign.perform(measure_fresh)
    samples = campaign.samples
    second, last = samples[quarter : 2 * quarter], samples[-quarter:]

    def growth(value: Callable[[Sample], float]) -> float:
        before, now = (statistics.median(map(value, rows)) for rows in (second, last))
        return 100 * (now / before - 1)

    def relative(value: Callable[[Sample], float], number: int) -> tuple[float, str]:
        used = [value(each) for each in last]
        fresh = [each[number] for each in late]
        note = f"{1000 * statistics.median(used):.0f} ms, fresh {1000 * statistics.median(fresh):.0f} ms"
        return relative_growth(used, fresh), note

    duration, duration_note = relative(lambda each: each.step_s, 0)
    processor, processor_note = relative(lambda each: each.step_cpu_s, 1)
    note = f"{len(samples)} episodes on one phone: last quarter against the second"
    return [
        Measure(
            "memory of the runner",
            growth(lambda each: each.runner_mb),
            "%",
            5,
            note=f"{note}; {last[-1].runner_mb:.0f} MB",
        ),
        Measure(
            "memory of the phone",
            growth(lambda each: each.phone_mb),
            "%",
            5,
            note=f"{last[-1].phone_mb:.0f} MB",
        ),
        Measure(
            "open files of the runner",
            growth(lambda each: each.descriptors),
            "%",
            0,
            note=f"{last[-1].descriptors} files",
        ),
        Measure(
            "duration of a step",
            duration,
            "%",
            5,
            note=f"median against {len(late)} fresh blocks: at the end {duration_note}",
        ),
        Measure("processor time of a step", processor, "%", 5, note=f"likewise: at the end {processor_note}"),
    ]
