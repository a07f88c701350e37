"""The effects of correct solutions: what a task asks to change.

They are compared with the recorded expected effects, which is how a change of a task, of an app or of a
phone that changes them is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.core.app_state import AppEffects
from garabench.core.expected_effects import StateChange
from garabench.core.side_effects import deliberate_effects
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.suite.suite import SuiteTask


class EffectsSource(Protocol):
    """Anything that knows what a path has changed."""

    def effects(self) -> tuple[AppEffects, ...]:
        """See `garabench.proof.path_performer.PathPerformer`."""
        ...


@dataclass(frozen=True, slots=True)
class PathEffects:
    """What a correct path changed.

    Attributes:
        path: Name of the alternative; empty for the solution.
        effects: Its changes, without the incidental ones.
    """

    path: str
    effects: tuple[StateChange, ...]


def path_effects(item: SuiteTask, source: EffectsSource, path: str = "") -> PathEffects | None:
    """Return what the path that was just performed changed; None if that is unknown.

    Args:
        item: The task.
        source: The performer, still at the end of the path.
        path: Name of the alternative; empty for the solution.
    """
    apps = source.effects()
    if not apps or not all(app.known for app in apps):
        return None
    return PathEffects(path, deliberate_effects(apps, item.effects.incidental))


def effects_finding(item: SuiteTask, solution: PathEffects, paths: Sequence[PathEffects]) -> ProofFinding:
    """Compare the effects of the paths with the expected ones.

    Without recorded ones, the solution must have the same effects on every phone.

    Args:
        item: The task.
        solution: The effects of the solution on the first phone.
        paths: The effects of the solution on the phones of one variant, and of the alternatives.
    """
    recorded = item.effects.variants
    expected = (solution.effects,) if recorded is None else recorded
    for path in paths:
        if recorded is None and path.path:
            continue  # an alternative may have its own effects
        if not any(_equal(path.effects, variant) for variant in expected):
            name = f"the alternative {path.path}" if path.path else "the solution"
            closest = min(expected, key=lambda variant: len(_difference(path.effects, variant)))
            reason = f"{name} has other effects than expected: {_describe(path.effects, closest)}"
            return ProofFinding(ProofCheck.EFFECTS, path.path, False, reason)
    count = len(solution.effects)
    return ProofFinding(
        ProofCheck.EFFECTS, "", True, f"{count} effect{'' if count == 1 else 's'} as expected"
    )


def distinct(paths: Sequence[PathEffects]) -> tuple[tuple[StateChange, ...], ...]:
    """Return the different sets of effects, in order of first appearance."""
    found: list[tuple[StateChange, ...]] = []
    for path in paths:
        if not any(_equal(path.effects, known) for known in found):
            found.append(path.effects)
    return tuple(found)


def _equal(one: Sequence[StateChange], other: Sequence[StateChange]) -> bool:
    return len(one) == len(other) and not _difference(one, other)


def _difference(
    found: Sequence[StateChange], expected: Sequence[StateChange]
) -> list[tuple[str, StateChange]]:
    extra = [("+", each) for each in found if not any(each.same(known) for known in expected)]
    missing = [("-", each) for each in expected if not any(each.same(known) for known in found)]
    return extra + missing


def _describe(found: Sequence[StateChange], expected: Sequence[StateChange]) -> str:
    parts = [
        f"{sign}{each.name} {each.object} {dict(each.fields)}" for sign, each in _difference(found, expected)
    ]
    return "; ".join(parts)[:600]
