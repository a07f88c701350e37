"""Goals with one part left out: a goal is as strict as it has to be when each of them accepts a near miss."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.condition import AllOf, Condition
from garabench.core.goal import Guard

SEEN, HARM = 0, -1
"""Parts of what is asked of a task that cannot be done: that it is seen why, and that no harm is done."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A goal without one of its parts.

    Attributes:
        part: Which one is missing: its number in the goal's ``all``, from 1; or `SEEN` or `HARM`.
        condition: What is left of the goal's condition.
        guard: Why the part stands in the goal though no near miss needs it; empty where it is no guard.
    """

    part: int
    condition: Condition
    guard: str = ""

    @property
    def subject(self) -> str:
        """The part's name."""
        return {SEEN: "seen", HARM: "harm"}.get(self.part) or f"part {self.part}"


def mutants(condition: Condition, guards: tuple[Guard, ...] = ()) -> tuple[Mutant, ...]:
    """The goal's condition without each part of its ``all`` in turn; none when it is of one part.

    A condition of one part is no ``all``: without it everything would be accepted, each near miss with it.
    """
    if not isinstance(condition, AllOf) or len(condition.all) == 1:
        return ()
    reasons = {guard.part: guard.reason for guard in guards}
    made = []
    for place in range(len(condition.all)):
        rest = condition.all[:place] + condition.all[place + 1 :]
        made.append(Mutant(place + 1, AllOf(all=rest), reasons.get(place + 1, "")))
    return tuple(made)
