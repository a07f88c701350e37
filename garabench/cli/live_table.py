"""The devices of a run as a table, and its progress in one line."""

from __future__ import annotations

import datetime as dt
from typing import Any

from rich.table import Table

from garabench.campaign.live_state import DeviceActivity, LiveState

_STYLES = {
    DeviceActivity.IDLE: "dim",
    DeviceActivity.RUNNING: "green",
    DeviceActivity.RECOVERING: "yellow",
    DeviceActivity.PAUSED: "yellow",
    DeviceActivity.RETIRED: "red",
}
_MAX_DETAIL = 60
_ACTIVITY_WIDTH = max(len(each.value) for each in DeviceActivity)


def duration(seconds: float) -> str:
    """Return a duration for people: ``42 s``, ``7 min``, ``16.6 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def progress_line(state: LiveState) -> str:
    """Return how far a run is, in one line."""
    parts = [f"{state.ended}/{state.planned} episodes"]
    parts += [
        f"{state.outcomes[name]} {name}"
        for name in ("success", "failure", "error", "unknown")
        if name in state.outcomes
    ]
    if state.finished:
        parts.append(f"stopped: {state.detail}" if state.detail else "ended")
    elif (remaining := state.remaining_seconds) is not None:
        parts.append(f"about {duration(remaining)} left")
    return ", ".join(parts)


def device_table(state: LiveState, now: dt.datetime) -> Table:
    """Return the devices of a run as a table.

    Args:
        state: The state of the run.
        now: The present time.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    longest = max(map(len, state.devices), default=0)
    widths = {
        "device": longest,
        "doing": _ACTIVITY_WIDTH,
        "for": 6,
        "ended": 5,
        "faults": 6,
        "recoveries": 10,
    }
    for name, width in widths.items():
        right = name not in ("device", "doing")
        table.add_column(name, justify="right" if right else "left", no_wrap=True, min_width=width)
    table.add_column("episode", no_wrap=True, overflow="ellipsis", ratio=1)
    for label, each in state.devices.items():
        since = "" if each.since is None else duration(max(0.0, (now - each.since).total_seconds()))
        episode = each.episode if each.activity is DeviceActivity.RUNNING else each.detail or each.episode
        style = _STYLES[each.activity]
        table.add_row(
            label,
            f"[{style}]{each.activity.value}[/{style}]",
            since,
            *map(str, (each.ended, each.faults, each.rungs)),
            _plain(episode),
        )
    return table


def _plain(text: str) -> str:
    """Return a text of a device on one line, which is not read as markup."""
    shown = " ".join(text.split())
    shown = shown if len(shown) <= _MAX_DETAIL else f"{shown[:_MAX_DETAIL]}…"
    return shown.replace("[", r"\[")


def as_json(state: LiveState) -> dict[str, Any]:
    """Return the state of a run as JSON-compatible data."""
    return {
        "planned": state.planned,
        "ended": state.ended,
        "outcomes": dict(state.outcomes),
        "remaining_seconds": state.remaining_seconds,
        "started": None if state.started is None else state.started.isoformat(),
        "updated": None if state.updated is None else state.updated.isoformat(),
        "finished": state.finished,
        "detail": state.detail,
        "devices": {
            label: {
                "activity": each.activity.value,
                "since": None if each.since is None else each.since.isoformat(),
                "episode": each.episode,
                "ended": each.ended,
                "faults": each.faults,
                "recoveries": each.rungs,
                "detail": each.detail,
            }
            for label, each in state.devices.items()
        },
    }
