"""Trajectories made of short texts, for tests."""

from __future__ import annotations

from collections.abc import Iterable

from garabench.graph.action_trajectory import ActionStep, ActionTrajectory, Encounter
from garabench.graph.android_actions import arrival
from garabench.graph.canonical_action import CanonicalAction


def tap(target: str, **more: str) -> CanonicalAction:
    return CanonicalAction("tap", "app/.Main", target, **more)


def steps_of(names: Iterable[str], states: str = "") -> tuple[ActionStep, ...]:
    """One step per character; ``!x`` is the arrival of the interruption x. `states` has one per action."""
    made = []
    seen = iter(states)
    waiting = False
    for name in names:
        if name == "!":
            waiting = True
            continue
        action = arrival(name) if waiting else tap(name)
        made.append(ActionStep(action, len(made), "" if waiting else next(seen, "")))
        waiting = False
    return tuple(made)


def trajectory(
    names: str, success: bool, number: int = 0, *, states: str = "", **more: object
) -> ActionTrajectory:
    """A trajectory that taps the elements named by single characters."""
    steps = steps_of(names, states)
    values: dict[str, object] = {
        "id": f"run/{number:03}",
        "task": "task",
        "agent": "one",
        "success": success,
        "steps": steps,
        "source": "run",
        "condition": "clean",
        "encounters": tuple(
            Encounter(at, step.action.target, "dual", "app/.Main")
            for at, step in enumerate(steps)
            if step.action.is_arrival
        ),
    }
    return ActionTrajectory(**{**values, **more})  # type: ignore[arg-type]


VECTOR = (trajectory("ABC", True, 1), trajectory("ABD", False, 2), trajectory("AC", True, 3))
"""The three trajectories whose values were computed by hand."""
