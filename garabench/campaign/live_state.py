"""How far a run is and what its devices do, from the events of its campaign; pure."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from garabench.core import campaign_events as ev
from garabench.core.phrases import counted


class DeviceActivity(enum.StrEnum):
    """What a device does."""

    IDLE = "idle"
    RUNNING = "running"
    RECOVERING = "recovering"
    PAUSED = "paused"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class LiveDevice:
    """One device of a run.

    Attributes:
        activity: What it does.
        since: Since when.
        episode: The episode in progress or, between two, the last one.
        ended: Number of episodes that it has ended.
        faults: Number of its attempts that ended in error.
        rungs: Number of measures of device recovery.
        detail: The last symptom, or why it pauses or was retired.
        worker: In a merged run, the worker whose device it is; empty otherwise.
    """

    activity: DeviceActivity = DeviceActivity.IDLE
    since: dt.datetime | None = None
    episode: str = ""
    ended: int = 0
    faults: int = 0
    rungs: int = 0
    detail: str = ""
    worker: str = ""


@dataclass(frozen=True, slots=True)
class LiveState:
    """A run in progress.

    Attributes:
        planned: Number of planned episodes.
        ended: Number of ended episodes, including those that ended before the run was resumed.
        outcomes: Number of ended episodes by outcome, since the run was begun or resumed.
        seconds: Sum of the durations of all attempts since then.
        devices: The devices, by label; in a merged run by ``WORKER/LABEL``.
        started, updated: Time of the beginning and of the last event.
        finished: Whether the run has ended.
        detail: Why it has ended although episodes remain.
    """

    planned: int = 0
    ended: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    devices: Mapping[str, LiveDevice] = field(default_factory=dict)
    started: dt.datetime | None = None
    updated: dt.datetime | None = None
    finished: bool = False
    detail: str = ""

    @property
    def active(self) -> int:
        """Number of devices that still perform episodes."""
        return sum(
            each.activity not in (DeviceActivity.PAUSED, DeviceActivity.RETIRED)
            for each in self.devices.values()
        )

    @property
    def remaining_seconds(self) -> float | None:
        """Estimated time to the end, from the measured durations of episodes; None if nothing is known yet.

        The duration of an episode includes its repetitions. Devices that pause or are retired do not count.
        The last episode takes its whole duration, however many devices there are.
        """
        measured = sum(self.outcomes.values())
        if not measured or not self.active:
            return None
        remaining = max(0, self.planned - self.ended)
        return self.seconds / measured * max(remaining / self.active, min(1, remaining))


def after(state: LiveState, event: ev.CampaignEvent) -> LiveState:
    """Return the state after an event."""
    state = replace(state, updated=event.time)
    match event:
        case ev.RunBegun():
            return _run_begun(state, event)
        case ev.AttemptBegun():
            return _device(state, event, activity=DeviceActivity.RUNNING, episode=event.episode, detail="")
        case ev.AttemptEnded():
            return _attempt_ended(state, event)
        case ev.HealthChecked():
            shown = ", ".join(each.symptom.value for each in event.problems)
            return _device(
                state, event, activity=DeviceActivity.RECOVERING, episode=event.episode, detail=shown
            )
        case ev.RungPerformed():
            rungs = state.devices.get(_label(event.worker, event.device), LiveDevice()).rungs + 1
            left = ", ".join(symptom.value for symptom in event.remaining)
            return _device(state, event, rungs=rungs, detail=f"{event.rung.value}: {left or 'recovered'}")
        case ev.DevicePaused():
            return _device(
                state, event, activity=DeviceActivity.PAUSED, detail=f"{event.seconds:.0f} s: {event.reason}"
            )
        case ev.DeviceRetired():
            return _device(state, event, activity=DeviceActivity.RETIRED, detail=event.reason)
        case ev.RunEnded(worker=""):
            idle = _all_idle(state, event.time)
            return replace(state, ended=event.ended, devices=idle, finished=True, detail=event.detail)
        case ev.RunMerged(worker=""):
            missing = event.planned - event.ended
            return replace(
                state,
                planned=event.planned,
                ended=event.ended,
                outcomes=event.outcomes,
                devices=_all_idle(state, event.time),
                finished=True,
                detail=f"the merged workers have not ended {counted(missing, 'episode')}" if missing else "",
            )
        case _:
            return state


def _run_begun(state: LiveState, event: ev.RunBegun) -> LiveState:
    """Begin anew; in a merged run, only the devices of the event's worker do."""
    devices = {
        _label(event.worker, label): LiveDevice(since=event.time, worker=event.worker)
        for label in event.devices
    }
    if event.worker:
        others = {label: each for label, each in state.devices.items() if each.worker != event.worker}
        return replace(state, devices={**others, **devices}, started=state.started or event.time)
    return LiveState(
        planned=event.planned, ended=event.ended, devices=devices, started=event.time, updated=event.time
    )


def as_killed(state: LiveState) -> LiveState:
    """Return the state of a run whose process ended without writing that it ended."""
    if state.started is None or state.finished:
        return state
    idle = _all_idle(state, state.updated)
    return replace(state, devices=idle, finished=True, detail="killed")


def _all_idle(state: LiveState, since: dt.datetime | None) -> dict[str, LiveDevice]:
    return {
        label: each
        if each.activity is DeviceActivity.RETIRED
        else replace(each, activity=DeviceActivity.IDLE, since=since)
        for label, each in state.devices.items()
    }


def _label(worker: str, device: str) -> str:
    return f"{worker}/{device}" if worker else device


def after_all(state: LiveState, events: Iterable[ev.CampaignEvent]) -> LiveState:
    """Return the state after some events."""
    for event in events:
        state = after(state, event)
    return state


def _attempt_ended(state: LiveState, event: ev.AttemptEnded) -> LiveState:
    before = state.devices.get(_label(event.worker, event.device), LiveDevice())
    state = _device(
        state,
        event,
        activity=DeviceActivity.IDLE,
        episode=event.episode,
        ended=before.ended + event.last,
        faults=before.faults + (event.outcome == "error"),
        detail=event.message,
    )
    outcomes = dict(state.outcomes)
    if event.last:
        outcomes[event.known_outcome] = outcomes.get(event.known_outcome, 0) + 1
    return replace(
        state, ended=state.ended + event.last, outcomes=outcomes, seconds=state.seconds + event.seconds
    )


def _device(
    state: LiveState,
    event: ev.AttemptBegun
    | ev.AttemptEnded
    | ev.HealthChecked
    | ev.RungPerformed
    | ev.DevicePaused
    | ev.DeviceRetired,
    *,
    activity: DeviceActivity | None = None,
    **changes: str | int,
) -> LiveState:
    label = _label(event.worker, event.device)
    before = state.devices.get(label, LiveDevice(worker=event.worker))
    since = (
        event.time
        if activity not in (None, before.activity) or activity is DeviceActivity.RUNNING
        else before.since
    )
    changed = replace(before, activity=activity or before.activity, since=since, **changes)  # type: ignore[arg-type]
    return replace(state, devices={**state.devices, label: changed})
