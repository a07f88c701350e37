"""Perform a run on one device, episode after episode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from garabench.agents.registry import make_agent
from garabench.campaign.plan import episodes
from garabench.campaign.store import RunStore
from garabench.campaign.suite import Suite
from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.episode.runner import run_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import DeviceLost, DeviceOffline, DeviceUnreachable
from garabench.stats.measures import Summary

Reconnect = Callable[[], Device]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        done: Episodes that have ended.
        total: Of how many.
        spec: The one that has just ended.
        summary: What it came to.
    """

    done: int
    total: int
    spec: EpisodeSpec
    summary: Summary


def perform(
    store: RunStore,
    suite: Suite,
    connect: Reconnect,
    clock: Clock,
    *,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> tuple[Summary, ...]:
    """Perform what is left of a run.

    Args:
        store: The run.
        suite: The suite that it was planned with.
        connect: Connects to the device; called again when it was lost.
        clock: For every time and limit.
        tell: Called after each episode.

    Returns:
        The summaries of all ended episodes, in the plan's order.

    Raises:
        DeviceError: The device cannot be reached (again).
        HarnessError: The record cannot be written.
    """
    plan = store.run.plan
    specs = episodes(plan, suite)
    waiting = [spec for spec in specs if not store.has_ended(spec)]
    done = len(specs) - len(waiting)
    device = connect() if waiting else None
    try:
        for spec in waiting:
            for _ in range(plan.retries + 1):
                if device is None:
                    device = connect()
                end = run_episode(spec, device, make_agent(spec.agent, spec.task), store.folder, clock)
                if end.outcome != "error":
                    break
                if _lost(device):
                    device = None
            done += 1
            summary = store.summarize(spec)
            if summary is not None:
                store.append_result(summary)
                tell(Progress(done, len(specs), spec, summary))
    finally:
        if device is not None and not _lost(device):
            device.close()
    return store.rebuild(specs)


def _lost(device: Device) -> bool:
    try:
        return device.adb.state() != "device"
    except (DeviceLost, DeviceOffline, DeviceUnreachable):
        return True
