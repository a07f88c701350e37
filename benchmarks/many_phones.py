"""Campaigns on 1 to 16 virtual phones that respond as fast as real ones.

Throughput, scheduling, memory, and how well the simulation of a campaign's duration fits.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.report import Measure
from garabench.agents.registry import resolve_all
from garabench.campaign.device_kind import kind_of
from garabench.campaign.devices import VirtualLease
from garabench.campaign.executor import perform_episodes
from garabench.campaign.fleet_simulation import episode_seconds, predict
from garabench.campaign.planner import make_plan, recorded_agents
from garabench.core.campaign_events import AttemptEnded, CampaignEvent
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.records.campaign_log import read_campaign
from garabench.records.device_environment import Environment
from garabench.records.run_file import RunFile
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone

COUNTS = (1, 2, 4, 8, 16)
TASK, AGENT, CONDITIONS = "bili-like-song-live", "dismiss", ("clean", "dual")
BLOCKS = 4
"""Blocks of `CONDITIONS` per phone; each phone performs equal work."""
FULL = 0.95
"""Share of the processor from which on it counts as full."""
_PROFILE = "android-34:720x1280"
_SEEDS, _HOUR = 200, 3600.0


@dataclass(frozen=True, slots=True)
class _Campaign:
    """What a campaign on some phones showed after the first episode of each.

    Attributes:
        phones: Number of phones.
        throughput: Episodes per second, all phones together.
        scheduling: Share of the devices' time in which they waited for the runner: neither an attempt nor the
            health check and preparation before it was going on.
        memory_mb: Resident memory of the runner at the end, in MB.
        processor: Share of the computer's processor time used, by all processes.
        own_s: Processor time of the runner and the phones per episode, in seconds.
        duration_s: Duration from the beginning of the run to its end, in seconds.
        episode_s: How long each episode kept its phone busy, in seconds.
        errors: Number of episodes that ended in error.
    """

    phones: int
    throughput: float
    scheduling: float
    memory_mb: float
    processor: float
    own_s: float
    duration_s: float
    episode_s: tuple[float, ...] = field(repr=False)
    errors: int

    def simulated(self, phones: int | None = None) -> tuple[float, ...]:
        """Return the durations of its episodes by simulation, in order, with one seed each.

        Args:
            phones: The number of phones, with as many episodes each; default: its own.
        """
        phones = phones or self.phones
        episodes = len(self.episode_s) // self.phones * phones
        durations = (predict(self.episode_s, episodes, phones, seed=seed).hours for seed in range(_SEEDS))
        return tuple(sorted(hours * _HOUR for hours in durations))

    @property
    def full(self) -> bool:
        """Whether the processor was full."""
        return self.processor >= FULL


def measure_many_phones(folder: Path) -> list[Measure]:
    """Perform campaigns of equal work per phone on more and more phones.

    Args:
        folder: An empty folder.
    """
    campaigns = [_perform(folder / str(count), count) for count in COUNTS]
    for each in campaigns:
        print(each, file=sys.stderr)
    one, most = campaigns[0], campaigns[-1]
    episodes = BLOCKS * len(CONDITIONS)
    how = f"latency profile phone, {episodes} episodes per phone, the first one not counted"
    scaling = [
        Measure(
            f"throughput of {each.phones} phone{'s' if each.phones > 1 else ''}",
            each.throughput / one.throughput / each.phones,
            "x",
            None if each.full else 0.9,
            at_least=True,
            note=f"of {each.phones} times that of one; processor {100 * each.processor:.0f}% busy"
            + (": full" if each.full else ""),
        )
        for each in campaigns
    ]
    return [
        Measure(
            f"scheduling overhead on {most.phones} phones",
            100 * most.scheduling,
            "%",
            3,
            note=f"of the devices' time; {how}",
        ),
        Measure(
            "memory of the runner per phone",
            most.memory_mb / most.phones,
            "MB",
            60,
            note=f"{most.memory_mb:.0f} MB with {most.phones} phones, {one.memory_mb:.0f} MB with one",
        ),
        *scaling,
        Measure(
            f"processor time of an episode on {most.phones} phones",
            most.own_s / one.own_s,
            "x",
            1 / 0.9,
            note=f"of that on one phone, {one.own_s:.2f} s; runner and phones, what else runs matters little",
        ),
        *(_simulation(each, one) for each in campaigns),
        Measure("episodes that ended in error", sum(each.errors for each in campaigns), "times", 0),
    ]


def _simulation(campaign: _Campaign, one: _Campaign) -> Measure:
    """Compare the duration of a campaign with that by simulation."""
    durations = campaign.simulated()
    mean = statistics.fmean(durations)
    low, high = durations[len(durations) // 20], durations[-1 - len(durations) // 20]
    spread = f"{mean:.0f} s, {low:.0f}-{high:.0f} s in 90% of the seeds"
    note = f"measured {campaign.duration_s:.0f} s; simulated {spread}"
    if campaign is not one:
        note += f"; from the episodes on one phone {statistics.fmean(one.simulated(campaign.phones)):.0f} s"
    off = 100 * abs(mean / campaign.duration_s - 1)
    plural = "s" if campaign.phones > 1 else ""
    return Measure(f"error of the simulation of {campaign.phones} phone{plural}", off, "%", 10, note=note)


def _own_processor_s() -> float:
    """Return the processor time of this process and the phones, in seconds."""
    total = 0.0
    own = psutil.Process()
    for process in (own, *own.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            total += sum(process.cpu_times()[:2])
    return total


def _perform(folder: Path, count: int) -> _Campaign:
    suite, clock = Suite.load(), SystemClock()
    plan = make_plan(suite.select(TASK), (AGENT,), conditions=CONDITIONS, seeds=count * BLOCKS)
    agents = resolve_all(plan.agents)
    ended: dict[str, list[AttemptEnded]] = defaultdict(list)
    warm: list[tuple[float, int]] = []

    def on_event(event: CampaignEvent) -> None:
        if isinstance(event, AttemptEnded):
            ended[event.device].append(event)
            if len(ended) == count and not warm:
                psutil.cpu_percent()  # the time from here on is measured
                warm.append((_own_processor_s(), sum(map(len, ended.values()))))

    with contextlib.ExitStack() as stack:
        phones = [stack.enter_context(VirtualPhone(_PROFILE, latency="phone")) for _ in range(count)]
        with Device.connect(phones[0].serial, clock) as device:
            environment = Environment(kind=kind_of(device.info), model=device.info.model)
        file = RunFile(
            garabench="0",
            plan=plan,
            agents=recorded_agents(plan, agents),
            suite_hash=suite.digest,
            device=environment,
        )
        writer = RunWriter.create(folder, file)
        leases = [VirtualLease(phone, clock, _PROFILE) for phone in phones]
        psutil.cpu_percent()
        perform_episodes(writer, suite, agents, leases, clock, on_event=on_event)
        processor = psutil.cpu_percent() / 100
        own_s = _own_processor_s()
        memory_mb = psutil.Process().memory_info().rss / 1024**2
    events = read_campaign(folder)
    duration_s = (events[-1].time - events[0].time).total_seconds()
    ((before_s, before),) = warm
    performed = sum(map(len, ended.values())) - before
    throughput = scheduling = total = 0.0
    for attempts in ended.values():
        duration = (attempts[-1].time - attempts[0].time).total_seconds()
        throughput += (len(attempts) - 1) / duration
        scheduling += duration - sum(each.seconds for each in attempts[1:])
        total += duration
    errors = sum(each.outcome == "error" for attempts in ended.values() for each in attempts)
    return _Campaign(
        phones=count,
        throughput=throughput,
        scheduling=scheduling / total,
        memory_mb=memory_mb,
        processor=processor,
        own_s=(own_s - before_s) / performed,
        duration_s=duration_s,
        episode_s=episode_seconds(events),
        errors=errors,
    )
