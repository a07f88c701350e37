"""Goals with one condition left out: a goal is as strict, and as lenient, as it has to be when each matters.

Left out is, at any depth, each part of an ``all``, each alternative of an ``any``, and the goal as a whole
where it is no ``all``. A ``not`` has one condition, without which it says nothing: it is left out with it, as
a part of what it stands in. What is left accepts more than the goal or less, never both: without a part of an
``all`` it is looser, without an alternative of an ``any`` stricter, and within a ``not`` the other way round.
What a condition's selector says is left open by `garabench.campaign.field_mutants`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from garabench.core.condition import AllOf, AnyOf, Condition, Not
from garabench.core.goal import Guard

SEEN, HARM, WHOLE = "seen", "harm", "whole"
"""What is left out that has no number.

Of a task that cannot be done that it is seen why, and that no harm is done; of others the goal as a whole.
"""


class Change(enum.Enum):
    """What a goal accepts without one of its conditions."""

    LOOSER = enum.auto()
    """More: a near miss has to show it."""
    STRICTER = enum.auto()
    """Less: a right way has to show it."""
    MIXED = enum.auto()
    """Some of both: either shows it."""


OTHER_CHANGE = {
    Change.LOOSER: Change.STRICTER,
    Change.STRICTER: Change.LOOSER,
    Change.MIXED: Change.MIXED,
}
"""What a change within a condition is where that must not hold."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A goal without one of its conditions, or with a parameter left open in one of its fields.

    Attributes:
        part: Which one is missing, as a guard names it: the numbers from 1 on the way to it, such as ``2.1``
            (a ``not`` has no number of its own), and, after them, the field, such as ``2.1 inside.has.text``;
            or `SEEN`, `HARM` or `WHOLE`.
        condition: What is left; None when nothing is, which everything meets.
        change: Whether that accepts more than the goal, or less.
        guard: Why the condition, or what it stands in, is in the goal though no way needs it; empty where it
            is no guard.
    """

    part: str
    condition: Condition | None
    change: Change = Change.LOOSER
    guard: str = ""

    @property
    def subject(self) -> str:
        """The condition's name."""
        if self.part == WHOLE:
            return "whole goal"
        if self.part in (SEEN, HARM):
            return self.part
        return f"{'part' if self.part[0].isdigit() else 'field'} {self.part}"


def mutants(condition: Condition, guards: tuple[Guard, ...] = ()) -> tuple[Mutant, ...]:
    """The goal's condition without each of its conditions in turn; there is always at least one.

    Args:
        condition: The goal's.
        guards: Which of the conditions need no way that shows why they are there.
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
    condition: Condition, path: _Path, dropping: Change, put: Callable[[Condition], Condition]
) -> Iterator[tuple[_Path, Condition, Change]]:
    """What is left of a whole without each condition within one of its conditions.

    Args:
        condition: That one.
        path: Its numbers.
        dropping: What the whole is without a part of an ``all`` here.
        put: The whole with another condition in its place.
    """
    match condition:
        case Not():
            yield from _without_each(
                condition.not_,
                path,
                OTHER_CHANGE[dropping],
                lambda left: put(Not.model_validate({"not": left})),
            )
        case AllOf():
            yield from _without_one_of(
                condition.all, path, dropping, dropping, lambda rest: put(AllOf(all=rest))
            )
        case AnyOf():
            yield from _without_one_of(
                condition.any, path, dropping, OTHER_CHANGE[dropping], lambda rest: put(AnyOf(any=rest))
            )


def _without_one_of(
    parts: tuple[Condition, ...],
    path: _Path,
    dropping: Change,
    change: Change,
    put: Callable[[tuple[Condition, ...]], Condition],
) -> Iterator[tuple[_Path, Condition, Change]]:
    for place, part in enumerate(parts):
        before, after, here = parts[:place], parts[place + 1 :], (*path, place + 1)
        if before or after:
            yield here, put(before + after), change
        yield from _without_each(part, here, dropping, _replacing(before, after, put))


def _replacing(
    before: tuple[Condition, ...],
    after: tuple[Condition, ...],
    put: Callable[[tuple[Condition, ...]], Condition],
) -> Callable[[Condition], Condition]:
    return lambda left: put((*before, left, *after))
