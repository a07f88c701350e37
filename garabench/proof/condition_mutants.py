"""Goals with one condition left out, to test that each condition matters.

Left out is, at any depth, each part of an ``all``, each alternative of an ``any``, and the goal as a whole
unless it is an ``all``. A ``not`` or ``earlier`` is left out together with its only condition, as a part of
what contains it.
Each mutant accepts either more than the goal or less, never both: without a part of an ``all`` it is looser,
without an alternative of an ``any`` stricter, and inside a ``not`` the other way round.
`garabench.proof.field_mutants` opens the fields of a condition's selector.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from garabench.core.condition import AllOf, AnyOf, Condition, Earlier, Not
from garabench.core.goal import Guard

SEEN, HARM, WHOLE = "seen", "harm", "whole"
"""Mutants without a number.

`SEEN` and `HARM` belong to infeasible tasks: without the evidence of the cause, without the harm condition.
`WHOLE` is the goal as a whole.
"""


class Change(enum.Enum):
    """How leaving out a condition changes what a goal accepts."""

    LOOSER = enum.auto()
    """It accepts more: a near miss must show it."""
    STRICTER = enum.auto()
    """It accepts less: a correct path must show it."""
    MIXED = enum.auto()
    """It accepts more and less: either shows it."""


INVERSE_CHANGE = {
    Change.LOOSER: Change.STRICTER,
    Change.STRICTER: Change.LOOSER,
    Change.MIXED: Change.MIXED,
}
"""The change of a whole ``not``, given the change of the condition inside it."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A goal without one of its conditions, or with a parameter left open in one of its fields.

    Attributes:
        part: The missing part, as a guard names it: its numbers from 1, such as ``2.1`` (a ``not`` or
            ``earlier`` has no separate number), and, for a field, its path, such as
            ``2.1 inside.has.text``; or `SEEN`, `HARM`, `WHOLE`.
        condition: The remaining condition; None if nothing remains, which everything meets.
        change: Whether the mutant accepts more than the goal, or less.
        guard: Why the part is in the goal although no path needs it; empty if it is not a guard.
        step: Id of the goal for an earlier screen to which the part belongs; empty for the task's goal.
    """

    part: str
    condition: Condition | None
    change: Change = Change.LOOSER
    guard: str = ""
    step: str = ""

    @property
    def subject(self) -> str:
        """Name of the part in findings."""
        if self.part == WHOLE:
            return "whole goal"
        if self.part in (SEEN, HARM):
            return self.part
        if self.step:
            return f"earlier {self.part}"
        return f"{'part' if self.part[0].isdigit() else 'field'} {self.part}"


def condition_mutants(condition: Condition, guards: tuple[Guard, ...] = ()) -> tuple[Mutant, ...]:
    """Return the goal's condition without each of its parts in turn; at least one mutant.

    Args:
        condition: The condition of the goal.
        guards: Parts that need no path as a reason.
    """
    reasons = {guard.part: guard.reason for guard in guards if guard.field is None}
    made = []
    for path, left, change in _without_each(condition, (), Change.LOOSER, lambda left: left):
        around = [".".join(map(str, path[:length])) for length in range(len(path), 0, -1)]
        guard = next((reasons[part] for part in around if part in reasons), "")
        made.append(Mutant(around[0], left, change, guard))
    if not isinstance(condition, AllOf) or len(condition.all) == 1:
        made.insert(0, Mutant(WHOLE, None))
    return tuple(made)


_Path = tuple[int, ...]


def _without_each(
    condition: Condition, path: _Path, dropping: Change, rebuild: Callable[[Condition], Condition]
) -> Iterator[tuple[_Path, Condition, Change]]:
    """Yield the goal without each condition inside one of its conditions.

    Args:
        condition: The containing condition.
        path: Its numbers.
        dropping: How the goal changes if a part of an ``all`` is dropped here.
        rebuild: Returns the goal with another condition in this place.
    """
    match condition:
        case Not():
            yield from _without_each(
                condition.not_,
                path,
                INVERSE_CHANGE[dropping],
                lambda left: rebuild(Not.model_validate({"not": left})),
            )
        case Earlier():
            yield from _without_each(
                condition.earlier, path, dropping, lambda left: rebuild(Earlier(earlier=left))
            )
        case AllOf():
            yield from _without_one_of(
                condition.all, path, dropping, dropping, lambda rest: rebuild(AllOf(all=rest))
            )
        case AnyOf():
            yield from _without_one_of(
                condition.any, path, dropping, INVERSE_CHANGE[dropping], lambda rest: rebuild(AnyOf(any=rest))
            )


def _without_one_of(
    parts: tuple[Condition, ...],
    path: _Path,
    dropping: Change,
    change: Change,
    rebuild: Callable[[tuple[Condition, ...]], Condition],
) -> Iterator[tuple[_Path, Condition, Change]]:
    for place, part in enumerate(parts):
        before, after, here = parts[:place], parts[place + 1 :], (*path, place + 1)
        if before or after:
            yield here, rebuild(before + after), change
        yield from _without_each(part, here, dropping, _replacing(before, after, rebuild))


def _replacing(
    before: tuple[Condition, ...],
    after: tuple[Condition, ...],
    rebuild: Callable[[tuple[Condition, ...]], Condition],
) -> Callable[[Condition], Condition]:
    return lambda left: rebuild((*before, left, *after))
