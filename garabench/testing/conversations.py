"""Which request goes on with which conversation: an endpoint is told of no episodes, only prompts.

What a model remembers stands in the prompt. Each thought of a played model ends in a note to itself, such as
``(note 17.3)``: the third reply of its conversation 17. A prompt that repeats its thoughts so tells all.
Where a prompt repeats the actions alone, their number is known; where it repeats nothing, as some models are
asked, only the screen is. Conversations of one agent about one task at the same time are then told apart by
the episodes that show the screen at present. Where the screens are not of the run itself, the conversation is
the latest one about the task in which something on the screen is to be done next; or else a new one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from garabench.testing.player import Look, Move
from garabench.testing.prompt import Prompt, note

_MOST = 4_000
_LATEST = 6
"""Conversations about a task that may be meant by a prompt without a note."""

Next = Callable[[Sequence[Look]], Move]
"""The move for the last of some looks."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a request shows.

    Attributes:
        look: The screen.
        digest: Its hash.
        places: The episodes that show it at present; empty where that is not known.
    """

    look: Look
    digest: str
    places: frozenset[str] = frozenset()


@dataclass(slots=True)
class Conversation:
    """An episode, as far as requests tell.

    Attributes:
        number: By which it is noted.
        looks: What was seen at each step.
        seen: Hashes of those screens.
        places: The episodes that it can be: those that showed each of the screens when it was seen.
        over: Whether the model has said that it is done.
    """

    number: int
    looks: list[Look] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    places: frozenset[str] = frozenset()
    over: bool = False


class Conversations:
    """The conversations with all models about all tasks, the latest ones; not for several threads at once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], list[Conversation]] = {}
        self._count = 0

    def answer(
        self,
        key: tuple[str, str],
        prompt: Prompt,
        seen: Seen,
        decide: Next,
        *,
        arrives: bool,
    ) -> Move:
        """Take a look in, and decide on the move for it.

        Args:
            key: Agent and task.
            prompt: What was asked.
            seen: What was seen.
            decide: Decides on the move.
            arrives: Whether the client will get the reply; one that a fault spoils is forgotten.
        """
        known = self._known.get(key, [])
        found, steps = _meant(known, prompt, seen, decide)
        if found is None:
            found, steps = Conversation(self._count + 1), 0
        looks = [*found.looks[:steps], seen.look]
        move = decide(looks)
        if arrives:
            self._count = max(self._count, found.number)
            found.looks, found.seen, found.over = looks, [*found.seen[:steps], seen.digest], move.ends
            found.places = (found.places & seen.places) or seen.places
            _leave_alone(found, known)
            self._known.pop(key, None)
            self._known[key] = [*(one for one in known if one is not found), found]
            self._forget()
        return dataclasses.replace(move, thought=f"{move.thought} {note(found.number, len(looks))}".strip())

    def _forget(self) -> None:
        """Forget the conversations about the task that was asked of longest ago."""
        while sum(map(len, self._known.values())) > _MOST and len(self._known) > 1:
            del self._known[next(iter(self._known))]


def _leave_alone(found: Conversation, others: Sequence[Conversation]) -> None:
    """A conversation that is known to be of one episode leaves the others to the rest."""
    if len(found.places) == 1:
        for other in others:
            if other is not found and len(other.places) > 1:
                other.places -= found.places


def _meant(
    known: Sequence[Conversation], prompt: Prompt, seen: Seen, decide: Next
) -> tuple[Conversation | None, int]:
    """The conversation that a request goes on with, and how many of its looks are older; None: a new one."""
    if prompt.note is not None:
        number, steps = prompt.note
        noted = next((one for one in known if one.number == number), None)
        return noted, min(steps, len(noted.looks) if noted else 0)
    latest = tuple(reversed(known))[:_LATEST]
    if seen.places:
        latest = tuple(one for one in latest if one.places & seen.places)
        # of several that may be meant, one that has not seen this screen yet, and one that can be no other
        latest = tuple(
            sorted(latest, key=lambda one: (one.seen[-1] == seen.digest, len(one.places & seen.places)))
        )
    if prompt.steps is not None:
        return _by_steps(latest, prompt.steps, seen, decide)
    if prompt.repair and (asked := [one for one in latest if one.seen[-1] == seen.digest]):
        return asked[0], len(asked[0].looks) - 1
    if seen.places:
        fresh = bool(latest) and (latest[0].seen[-1] != seen.digest or len(latest) >= len(seen.places))
        return (latest[0], len(latest[0].looks)) if fresh else (None, 0)
    going_on = tuple(one for one in latest if not one.over)
    if likely := _likely(((one, len(one.looks)) for one in going_on), seen.look, decide):
        return likely
    if not going_on or decide([seen.look]).sure:
        return None, 0
    return going_on[0], len(going_on[0].looks)


def _by_steps(
    latest: Sequence[Conversation], steps: int, seen: Seen, decide: Next
) -> tuple[Conversation | None, int]:
    """By how many steps the prompt tells: that many looks, or one more where it was asked before."""
    exact = [one for one in latest if len(one.looks) == steps]
    again = [one for one in latest if one.seen[steps : steps + 1] == [seen.digest]]
    if steps == 0 or not (exact or again):
        return None, 0
    if seen.places:
        return (exact or again)[0], steps
    ways = ((one, steps) for one in (*exact, *again))
    return _likely(ways, seen.look, decide) or ((exact or again)[0], steps)


def _likely(
    ways: Iterable[tuple[Conversation, int]], look: Look, decide: Next
) -> tuple[Conversation, int] | None:
    """The first conversation in which the model knows what to do on the screen."""
    for one, steps in ways:
        if decide([*one.looks[:steps], look]).sure:
            return one, steps
    return None
