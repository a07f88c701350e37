"""Predict how long a campaign takes on a number of devices, from the episode times of a recorded run; pure.

Each device takes the next episode when it is free, as in a run. The time of an episode is drawn from the
recorded ones, and includes all that kept its device busy: preparation, repetitions, recovery, pauses.
"""

from __future__ import annotations

import datetime as dt
import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from garabench.core import campaign_events as ev
from garabench.errors import InputError

MAX_EPISODES = 10_000_000
_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class FleetPrediction:
    """The predicted cost of a campaign.

    Attributes:
        devices: Number of devices.
        episodes: Number of episodes.
        hours: Hours from the first to the last episode.
        device_hours: Hours for which the devices are busy, in sum.
        busy: Share of the time for which a device is busy; the rest is waiting for the last episodes.
    """

    devices: int
    episodes: int
    hours: float
    device_hours: float
    busy: float


def episode_seconds(events: Iterable[ev.CampaignEvent]) -> tuple[float, ...]:
    """Return how long each episode of a run kept its device busy, in seconds.

    It is the time since the device's last episode ended, or since the run began or was resumed. In a merged
    run, each worker has its own devices, and began by itself.
    """
    started: dict[str, dt.datetime] = {}
    since: dict[tuple[str, str], dt.datetime] = {}
    found: list[float] = []
    for event in events:
        if isinstance(event, ev.RunBegun):
            started[event.worker] = event.time
            since = {key: time for key, time in since.items() if key[0] != event.worker}
        elif isinstance(event, ev.AttemptEnded) and event.last and event.worker in started:
            key = event.worker, event.device
            found.append(max(0.0, (event.time - since.get(key, started[event.worker])).total_seconds()))
            since[key] = event.time
    return tuple(found)


def predict(
    seconds: Sequence[float], episodes: int, devices: int, *, seed: int = 0, slowdown: float = 1.0
) -> FleetPrediction:
    """Predict the cost of a campaign.

    Args:
        seconds: Measured times of episodes; see `episode_seconds`.
        episodes: Number of episodes.
        devices: Number of devices.
        seed: Random seed of the drawn times.
        slowdown: How many times longer an episode takes than the measured ones.

    Raises:
        InputError: There are no times, or a number is out of range.
    """
    if not seconds:
        raise InputError("no episode time is recorded", hint="Record a run of at least one episode first.")
    if not 1 <= episodes <= MAX_EPISODES or not 1 <= devices <= episodes:
        raise InputError(f"cannot predict {episodes} episodes on {devices} devices")
    draws = Random(f"{seed}/fleet")  # noqa: S311  # not for cryptography
    free = [0.0] * devices
    busy = 0.0
    for _ in range(episodes):
        spent = draws.choice(seconds) * slowdown
        busy += spent
        heapq.heapreplace(free, free[0] + spent)
    total = max(free)
    share = busy / (devices * total) if total else 1.0
    return FleetPrediction(devices, episodes, total / _HOUR, busy / _HOUR, share)
