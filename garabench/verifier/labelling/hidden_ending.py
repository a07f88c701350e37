"""Hide how an episode ended, where that hints at its outcome.

A run with ``--end goal`` ends an episode when its goal is met. That the agent was stopped is then a sign of
success, and that it had to report the end itself is one of failure.
"""

from __future__ import annotations

from dataclasses import replace

from garabench.core.action import Done
from garabench.verifier.trajectory import Trajectory


def without_report(trajectory: Trajectory) -> Trajectory:
    """Return a trajectory without the agent's report that it is done; its answer stays.

    The screen on which the agent decided to report is left out: the one after it shows the same, later.

    Args:
        trajectory: The trajectory.
    """
    if not trajectory.steps or not isinstance(trajectory.steps[-1].action, Done):
        return trajectory
    *steps, last = trajectory.steps
    if last.before is None or last.before + 1 >= len(trajectory.frames):
        return replace(trajectory, steps=tuple(steps))
    *frames, _, final = trajectory.frames[: last.before + 2]
    return replace(
        trajectory,
        steps=tuple(steps),
        frames=(*frames, replace(final, index=len(frames), step=final.step - 1)),
    )
