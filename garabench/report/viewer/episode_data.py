"""An episode as its page shows it: frames, steps, interruptions and times, as JSON-compatible data."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from garabench.core import events as ev
from garabench.core.app_state import AppEffects, ChangedRecord, StateRecord
from garabench.errors import InputError
from garabench.records.episode import Attempt, RecordedInterruption, RecordedObservation
from garabench.records.results import unknown_outcome
from garabench.report.viewer.clipping import clip, clip_all
from garabench.report.viewer.comparable_steps import target_name

_ACTIVITIES: Mapping[str, str] = {
    "observed": "observe",
    "final_observed": "observe",
    "interruption_injected": "inject",
    "interruption_shown": "inject",
    "injection_failed": "inject",
    "decided": "decide",
    "action_observed": "decide",
    "performed": "act",
    "settled": "settle",
    "interruption_event": "follow up",
    "follow_up_performed": "follow up",
    "interruption_resolved": "follow up",
    "goal_checked": "check",
    "harm_checked": "check",
}
"""What the time before an event was spent on."""
_PNG_HEAD = 24


def attempt_data(attempt: Attempt, transcripts: Mapping[int, int]) -> dict[str, Any]:
    """Return an attempt at an episode.

    Args:
        attempt: The attempt.
        transcripts: The number of exchanges with the model, by step.

    Raises:
        InputError: Its log is broken or of a newer version.
    """
    events = attempt.events
    frames = [_frame(index, each) for index, each in enumerate(frames_of(attempt))]
    started, ended = attempt.started, attempt.ended
    return {
        "instruction": clip(started.instruction) if started else "",
        "language": started.language if started else "",
        "infeasible": bool(started and started.infeasible),
        "solution_steps": started.solution_steps if started else None,
        "device": clip_all(started.device) if started else {},
        "version": started.version if started else None,
        "events": len(events),
        "ended": None if ended is None else clip_all(_ended(ended, unknown_outcome(events))),
        "frames": frames,
        "steps": list(_steps(events, frames, transcripts, _targets(attempt))),
        "interruptions": [_timeline(each) for each in attempt.interruptions],
        "faults": [
            clip_all(each.model_dump(mode="json")) for each in events if isinstance(each, ev.FaultEvent)
        ],
        "effects": [_effects(each) for each in attempt.effects.apps],
        "effects_unknown": clip(attempt.effects.unknown),
        "usage": None if attempt.usage is None else attempt.usage.model_dump(mode="json"),
    }


def _ended(ended: ev.EpisodeEnded, unknown: str) -> dict[str, Any]:
    """Return how an attempt ended; a failure that is not known to be one is unknown, with the reason."""
    data = ended.model_dump(mode="json")
    return {**data, "outcome": "unknown", "reason": unknown} if unknown else data


def frames_of(attempt: Attempt) -> tuple[RecordedObservation, ...]:
    """Return every observation of an attempt, the final one last.

    Raises:
        InputError: The log is broken, or names a file outside of the record.
    """
    final = attempt.final_observation
    return (*attempt.observations, *(() if final is None else (final,)))


def _faults(events: Sequence[ev.Event]) -> Iterator[ev.FaultEvent]:
    return (event for event in events if isinstance(event, ev.FaultEvent))


def _frame(index: int, observation: RecordedObservation) -> dict[str, Any]:
    event = observation.event
    return {
        "index": index,
        "step": event.step,
        "t": event.t,
        "package": clip(event.package, 200),
        "activity": clip(event.activity, 200),
        "source": event.source,
        "source_reason": clip(event.source_reason),
        "signature": event.signature[:12],
        "still": event.still,
        "final": isinstance(event, ev.FinalObserved),
        "picture": event.screen[-16:],
        "size": _picture_size(observation),
        "tree": observation.tree_path.is_file(),
    }


def _picture_size(observation: RecordedObservation) -> list[int] | None:
    """Return width and height from a PNG's header; None if the picture is missing or damaged."""
    try:
        with observation.picture_path.open("rb") as file:
            head = file.read(_PNG_HEAD)
    except OSError:
        return None
    if len(head) < _PNG_HEAD or not head.startswith(b"\x89PNG"):
        return None
    size = [int.from_bytes(head[16:20]), int.from_bytes(head[20:24])]
    return size if all(0 < side < 100_000 for side in size) else None


def _steps(
    events: Sequence[ev.Event],
    frames: Sequence[Mapping[str, Any]],
    transcripts: Mapping[int, int],
    targets: Mapping[int, str],
) -> Iterator[dict[str, Any]]:
    previous = 0.0
    for number, group in itertools.groupby(events, key=lambda event: event.step):
        step: dict[str, Any] = {
            "step": number,
            "frames": [frame["index"] for frame in frames if frame["step"] == number],
            "exchanges": transcripts.get(number, 0),
            "target": targets.get(number, ""),
            "times": {},
            "events": [],
            "goal": None,
            "harm": None,
            "injected": [],
            "resolved": [],
        }
        for event in group:
            data = clip_all(event.model_dump(mode="json", exclude_defaults=True))
            step["events"].append({"type": event.type, **data})
            activity = _ACTIVITIES.get(event.type)
            if activity is not None:
                times = step["times"]
                times[activity] = round(times.get(activity, 0.0) + max(0.0, event.t - previous), 3)
            previous = event.t
            step["end"] = event.t
            _add(step, event, data)
        yield step


def _targets(attempt: Attempt) -> dict[int, str]:
    """Return the names of the elements that the actions touch, by step."""
    seen = {each.step: each for each in attempt.observations}
    found = {}
    for recorded in attempt.actions:
        try:
            action = recorded.action
        except InputError:  # the log's panel shows it as it is
            continue
        if action is not None and recorded.step in seen:
            found[recorded.step] = clip(target_name(action, seen[recorded.step]))
    return found


def _add(step: dict[str, Any], event: ev.Event, data: dict[str, Any]) -> None:
    match event:
        case ev.Decided():
            step["action"] = clip_all(event.action)
            step["thought"] = clip(event.thought)
            step["deciding"] = event.seconds
            step["usage"] = data.get("usage")
        case ev.ActionObserved():
            step["action"] = {"type": "observed"}
        case ev.PerformedEvent():
            step["performed"] = {"ok": event.ok, "detail": clip(event.detail)}
        case ev.SettledEvent():
            step["settled"] = {"still": event.still, "readings": event.readings, "seconds": event.seconds}
        case ev.GoalChecked():
            step["goal"] = {"holds": event.holds, "reason": clip(event.reason)}
        case ev.HarmChecked():
            step["harm"] = {"holds": event.holds, "reason": clip(event.reason)}
        case ev.InterruptionInjected():
            step["injected"].append(event.token)
        case ev.InterruptionResolved():
            step["resolved"].append(event.token)
        case _:
            pass


def _timeline(found: RecordedInterruption) -> dict[str, Any]:
    injected, resolved = found.injected, found.resolved
    return {
        "token": found.token,
        "interruption": found.id,
        "rule": injected.rule,
        "category": injected.category,
        "severity": injected.severity,
        "mode": injected.mode,
        "sequence": injected.sequence,
        "reason": clip(injected.reason),
        "how": "" if resolved is None else resolved.how,
        "exit": found.exit,
        "role": found.role,
        "steps": None if resolved is None else resolved.steps,
        "incomplete": clip(found.incomplete),
        "moments": sorted(_moments(found), key=lambda moment: moment["t"]),
    }


def _moments(found: RecordedInterruption) -> Iterator[dict[str, Any]]:
    yield _moment(
        found.injected, "injected", f"by the rule {found.injected.rule}" if found.injected.rule else ""
    )
    if found.shown is not None:
        seconds = "" if found.shown.seconds is None else f"after {found.shown.seconds:.2f} s "
        tries = f", {len(found.shown.tries)} failed attempts before" if found.shown.tries else ""
        evidence = "; ".join(found.shown.evidence)
        text = f"{seconds}by {found.shown.method}{tries}{'; ' + evidence if evidence else ''}"
        yield _moment(found.shown, "shown", text)
    if found.failed is not None:
        yield _moment(found.failed, "not shown", found.failed.reason, ok=False)
    for event in found.events:
        yield _moment(event, "reported", event.event)
    for step in found.follow_ups:
        detail = f": {step.detail}" if step.detail else ""
        yield _moment(step, "follow-up", f"{step.description}{detail}", ok=step.ok)
    if found.resolved is not None:
        role = f", a button of role {found.resolved.role}" if found.resolved.role else ""
        yield _moment(found.resolved, found.resolved.how, f"{found.resolved.exit}{role}")


def _moment(event: ev.Event, kind: str, text: str, *, ok: bool = True) -> dict[str, Any]:
    return {"t": event.t, "step": event.step, "kind": kind, "text": clip(text), "ok": ok}


def _effects(app: AppEffects) -> dict[str, Any]:
    return {
        "package": app.package,
        "unknown": clip(app.unknown),
        "added": [_record(each) for each in app.added],
        "removed": [_record(each) for each in app.removed],
        "changed": [_record(each) for each in app.changed],
    }


def _record(record: StateRecord | ChangedRecord) -> str:
    text = record.text.get("en") or next(iter(record.text.values()), "")
    return clip(text or f"{record.kind} {record.object}")
