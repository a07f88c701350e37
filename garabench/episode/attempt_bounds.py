"""The events with which the record of an attempt at an episode begins, and ends after a fault."""

from __future__ import annotations

from garabench.core import events as ev
from garabench.device.device import DeviceInfo
from garabench.episode.spec import EpisodeSpec


def started(spec: EpisodeSpec, info: DeviceInfo, attempt: int) -> ev.EpisodeStarted:
    """Return the first event of an attempt.

    Args:
        spec: The episode.
        info: The properties of the device.
        attempt: Number of the attempt, from 1.
    """
    language = spec.task.instruction_language(info.language)
    return ev.EpisodeStarted(
        step=0,
        t=0,
        task=spec.task.id,
        agent=spec.agent,
        condition=spec.condition,
        seed=spec.seed,
        attempt=attempt,
        suite_hash=spec.suite_hash,
        instruction=spec.task.instruction[language],
        language=language,
        infeasible=spec.task.infeasible is not None,
        interruptions=None if spec.mode is None else spec.stress_level,
        device={"model": info.model, "sdk": info.sdk, "size": str(info.size)},
        solution_steps=len(spec.task.solution),
        end=spec.end,
        app=spec.app,
        max_steps=spec.task.max_steps,
    )


def error_end(step: int, t: float) -> ev.EpisodeEnded:
    """Return the last event of an attempt that a fault has ended."""
    return ev.EpisodeEnded(step=step, t=t, outcome="error", reason="fault", steps=step)
