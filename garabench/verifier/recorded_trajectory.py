"""Build the trajectory of a recorded episode."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from garabench.core import action as act
from garabench.core import events as ev
from garabench.errors import InputError
from garabench.records.content_store import is_hash
from garabench.records.episode import Episode, RecordedAction, RecordedInterruption, RecordedObservation
from garabench.verifier.trajectory import (
    Ending,
    Trajectory,
    TrajectoryFrame,
    TrajectoryInterruption,
    TrajectorySource,
    TrajectoryStep,
)

TaskApps = Mapping[str, str]
"""The package of each task's app."""

_ENDINGS = {
    "gave_up": Ending.GAVE_UP,
    "gave_up_rightly": Ending.GAVE_UP,
    "did_harm": Ending.GAVE_UP,
    "false_done": Ending.DONE,
    "ambiguous_answer": Ending.DONE,
    "unparseable": Ending.AGENT_FAILED,
    "refused": Ending.AGENT_FAILED,
    "agent_timeout": Ending.AGENT_FAILED,
    "agent_failed": Ending.AGENT_FAILED,
    "fault": Ending.BROKEN,
}


def recorded_trajectory(episode: Episode, *, apps: TaskApps | None = None) -> Trajectory:
    """Return the trajectory of an episode, without its outcome and its goal checks.

    Args:
        episode: The episode.
        apps: The package of each task's app; None if the suite is not at hand.

    Raises:
        InputError: The episode has not begun, or its record is broken.
    """
    started = episode.started
    if started is None:
        raise InputError(f"{episode.key}: the episode has not begun")
    frames = _frames(episode)
    steps = _steps(episode.actions, frames)
    last = steps[-1].action if steps else None
    return Trajectory(
        key=str(episode.key),
        source=TrajectorySource.GARABENCH,
        digest=hashlib.sha256(episode.log.read_bytes()).hexdigest(),
        instruction=started.instruction,
        language=started.language,
        task=episode.key.task,
        app=(apps or {}).get(episode.key.task, ""),
        frames=frames,
        steps=steps,
        ending=_ending(episode.ended, last),
        answer=_answer(episode.ended, last),
        final_message=_final_message(steps),
        interruptions=tuple(_interruption(each) for each in episode.interruptions),
        effects=episode.effects,
    )


def action_text(action: act.Action) -> str:
    """Return an action as text: its type and its arguments."""
    data = act.to_json(action)
    arguments = ", ".join(f"{name}={value!r}" for name, value in data.items() if name != "type")
    return f"{action.type}({arguments})"


def _frames(episode: Episode) -> tuple[TrajectoryFrame, ...]:
    """Return the frames in order, with the one after the last action at the end if it was recorded."""
    frames = tuple(_frame(index, seen) for index, seen in enumerate(episode.observations))
    if (final := episode.final_observation) is not None:
        last = _frame(len(frames), final)
        return (*frames, replace(last, step=final.step + 1, final=True))
    performed = {action.step for action in episode.actions if _changes_screen(action)}
    if frames and frames[-1].step not in performed:
        return (*frames[:-1], replace(frames[-1], final=True))  # nothing was performed since
    return frames


def _changes_screen(action: RecordedAction) -> bool:
    return not isinstance(action.action, act.Done | act.GiveUp)


def _frame(index: int, seen: RecordedObservation) -> TrajectoryFrame:
    event = seen.event
    return TrajectoryFrame(
        index=index,
        step=event.step,
        picture_sha256=event.screen if is_hash(event.screen) else _file_hash(seen.picture_path),
        picture=seen.picture_path,
        tree_sha256=event.tree if is_hash(event.tree) else _file_hash(seen.tree_path),
        tree=seen.tree_path,
        package=event.package,
        activity=event.activity,
        still=event.still,
    )


def _file_hash(path: Path) -> str:
    """Return the SHA-256 of a file of an old record, which names files by path; empty if it is missing."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _steps(
    actions: tuple[RecordedAction, ...], frames: tuple[TrajectoryFrame, ...]
) -> tuple[TrajectoryStep, ...]:
    """Return the steps, each with the last frame of its own step and the first one of a later step."""
    last_of = {frame.step: frame.index for frame in frames}
    steps: list[TrajectoryStep] = []
    for number, recorded in enumerate(actions):
        action, decided, performed = recorded.action, recorded.decided, recorded.performed
        after = next((frame.index for frame in frames if frame.step > recorded.step), None)
        steps.append(
            TrajectoryStep(
                number=number,
                action=action,
                text="the screen changed" if action is None else action_text(action),
                thought="" if decided is None else decided.thought,
                ok=None if performed is None else performed.ok,
                detail="" if performed is None else performed.detail,
                before=last_of.get(recorded.step),
                after=after,
            )
        )
    return tuple(steps)


def _ending(ended: ev.EpisodeEnded | None, last: act.Action | None) -> Ending:
    if ended is None:
        return Ending.BROKEN
    if ended.reason in _ENDINGS:
        return _ENDINGS[ended.reason]
    if isinstance(last, act.Done):
        return Ending.DONE
    return Ending.GAVE_UP if isinstance(last, act.GiveUp) else Ending.STOPPED


def _answer(ended: ev.EpisodeEnded | None, last: act.Action | None) -> str | None:
    if ended is not None and ended.answer is not None:
        return ended.answer or None
    return (last.answer or None) if isinstance(last, act.Done) else None


def _final_message(steps: tuple[TrajectoryStep, ...]) -> str:
    if not steps:
        return ""
    last = steps[-1]
    reason = last.action.reason if isinstance(last.action, act.GiveUp) else ""
    return reason or last.thought


def _interruption(recorded: RecordedInterruption) -> TrajectoryInterruption:
    injected, resolved = recorded.injected, recorded.resolved
    plain = TrajectoryInterruption(
        id=injected.interruption,
        category=injected.category,
        severity=injected.severity,
        mode=injected.mode,
        step=injected.step,
        shown=recorded.shown is not None,
    )
    if resolved is None:
        return _controllability(plain, recorded)
    known = replace(
        plain,
        resolution=resolved.how,
        exit=resolved.exit,
        role=resolved.role,
        resolved_step=None if resolved.how == "open" else resolved.step,
    )
    return _controllability(known, recorded)


def _controllability(known: TrajectoryInterruption, recorded: RecordedInterruption) -> TrajectoryInterruption:
    """Mark whether the agent could pass an interruption.

    Every exit of the suite's interruptions is proven to leave the task solvable or is marked as ending it, so
    an interruption is beyond the agent's control only if the harness could not perform what an exit promises.
    """
    if not known.shown:
        return replace(known, controllable=None, reason="it was never seen on the screen")
    if recorded.incomplete:
        return replace(
            known,
            controllable=False,
            reason=f"what its exit does could not be performed: {recorded.incomplete}",
        )
    if known.resolution in ("answered", "left"):
        return replace(known, controllable=True, reason=f"the agent passed it by {known.exit!r}")
    return replace(known, controllable=True, reason="its exits are proven to lead back to the task")
