"""Which actions were necessary, without a model: those that are in no loop and that changed something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from garabench.graph.action_trajectory import ActionTrajectory

_REPEATABLE = frozenset({"scroll", "wait", "key"})
"""Actions that may be repeated on purpose; without a recorded state, repeating one is not a loop."""


def necessity(
    trajectory: ActionTrajectory, path: Sequence[int], guarded: frozenset[int]
) -> tuple[bool | None, ...]:
    """Return for each step whether it was necessary; None for the arrival of an interruption, and for an end.

    An action is unnecessary if it changed nothing, or if it is in a loop: it, and what came after it, led
    back to a state that the trajectory had been in. Removing the loop leaves a path that was possible.
    Without recorded states, a loop is a return to the same action.

    A visible state does not show everything: an agent that changes a setting and goes back has done
    something. So a loop is not removed if with it a guarded node would be missing from the trajectory.

    `done` and `give_up` change no screen by nature, and a record may end with a screen or not: they have no
    label. The screen on which they are called is the last one of the trajectory.

    Args:
        trajectory: The trajectory.
        path: The nodes of its steps.
        guarded: Nodes that every successful trajectory visits, see `unavoidable_nodes`.
    """
    steps = trajectory.steps
    labels: list[bool | None] = [
        None if step.action.is_arrival or step.action.is_ending else True for step in steps
    ]
    places = [index for index, label in enumerate(labels) if label]
    remaining = Counter(path[index] for index in places)
    stack: list[tuple[str, int]] = []
    last_at: dict[str, int] = {}

    def erase(position: int) -> bool:
        loop = [index for _, index in stack[position:]]
        lost = Counter(path[index] for index in loop)
        if any(node in guarded and remaining[node] == count for node, count in lost.items()):
            return False
        for index in loop:
            labels[index] = False
        remaining.subtract(lost)
        for state, _ in stack[position:]:
            last_at.pop(state, None)
        del stack[position:]
        return True

    for index, step in enumerate(steps):
        if step.action.is_arrival:
            continue
        state = step.state if step.action.is_ending else _state(trajectory, path, index)
        if state and state in last_at:
            erase(last_at[state])
        if labels[index] is None:
            continue
        if state:
            last_at[state] = len(stack)
        stack.append((state, index))
    if trajectory.final_state and trajectory.final_state in last_at:
        erase(last_at[trajectory.final_state])
    return tuple(labels)


def _state(trajectory: ActionTrajectory, path: Sequence[int], index: int) -> str:
    step = trajectory.steps[index]
    if step.state:
        return step.state
    return "" if step.action.kind in _REPEATABLE else f"node {path[index]}"


def unavoidable_nodes(
    trajectories: Sequence[ActionTrajectory], paths: dict[str, tuple[int, ...]]
) -> frozenset[int]:
    """Return the nodes that every successful trajectory visits; none if all of them took the same path."""
    found = {paths[each.id] for each in trajectories if each.success and each.steps}
    if len(found) < 2:  # one path cannot show which of its actions are needed
        return frozenset()
    first, *others = found
    return frozenset(first).intersection(*others)
