"""Which request goes on with which conversation: an endpoint is told of no episodes, only prompts.

A reply is a function of what its prompt tells, so episodes that go on at the same time cannot be mixed up.
Each thought of a played model ends in a note to itself, such as ``(note 17.3)``: its reply number 17, the
third of a conversation. A prompt that repeats its thoughts so names the reply that it goes on with. One that
repeats the actions alone goes on with a reply to a prompt that told the same but for the last step, and that
said what is told as the last step. Where several did, they have the same past, and it does not matter which
is meant. What was said before is never changed: each reply is one more, and any number of prompts may go on
with it.

A prompt that repeats nothing is another matter; see `garabench.testing.memoryless`.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.testing.memoryless import Memoryless
from garabench.testing.player import Look, Move, Next
from garabench.testing.prompt import Prompt, note
from garabench.testing.seen import Seen

_MOST = 4_000
"""Replies, the latest ones, that are remembered; each keeps the tree of a screen."""
_LATEST = 6
"""Replies with the same past that are tried."""
_NUMBER = re.compile(r"\d+")

Tell = Callable[[Move], str]
"""How a client that repeats actions will tell of a move."""


@dataclass(frozen=True, slots=True)
class Said:
    """A reply that was given.

    Attributes:
        key: By which agent, about which task.
        number: By which it is noted.
        looks: What was seen until then, this time included.
        steps: How many steps were done before it.
        lines: What the prompts told of those steps, as far back as they did.
        line: How a prompt will tell of this one.
    """

    key: tuple[str, str]
    number: int
    looks: tuple[Look, ...]
    steps: int
    lines: tuple[str, ...]
    line: str


class Conversations:
    """The conversations with all models about all tasks, the latest ones; not for several threads at once."""

    def __init__(self) -> None:
        self._said: dict[int, Said] = {}
        self._count = 0
        self._memoryless = Memoryless()

    def answer(
        self,
        key: tuple[str, str],
        prompt: Prompt,
        seen: Seen,
        decide: Next,
        *,
        tell: Tell,
        arrives: bool,
    ) -> Move:
        """Decide on the move for a look.

        Args:
            key: Agent and task.
            prompt: What was asked.
            seen: What was seen.
            decide: Decides on the move.
            tell: Says how the client will tell of the move.
            arrives: Whether the client will get the reply; one that a fault spoils is forgotten.
        """
        if prompt.tells_nothing:
            move, replies = self._memoryless.answer(key, prompt, seen, decide, arrives=arrives)
            return self._noted(move, replies, count=arrives)
        before = self._before(key, prompt, seen.look, decide)
        looks = (*before.looks, seen.look) if before else (seen.look,)
        move = decide(looks)
        noted = self._noted(move, len(looks), count=arrives)
        if arrives:
            lines = prompt.lines if before is None else (*before.lines, *prompt.lines[-1:])
            steps = prompt.steps or 0
            self._said[self._count] = Said(key, self._count, looks, steps, lines, tell(move))
            if len(self._said) > _MOST:
                del self._said[next(iter(self._said))]
        return noted

    def _noted(self, move: Move, replies: int, *, count: bool) -> Move:
        """A move whose thought ends in the note of the next reply."""
        number = self._count + 1
        if count:
            self._count = number
        return dataclasses.replace(move, thought=f"{move.thought} {note(number, replies)}".strip())

    def _before(self, key: tuple[str, str], prompt: Prompt, look: Look, decide: Next) -> Said | None:
        """The reply that a prompt goes on with; None: it begins, or goes on with none that is known."""
        if prompt.note is not None:
            noted = self._said.get(prompt.note[0])
            return noted if noted is not None and noted.key == key else None
        steps, lines = prompt.steps or 0, prompt.lines
        if not steps:
            return None
        ways = [
            (_apart(said.line, lines[-1]), said)
            for said in reversed(self._said.values())
            if said.key == key and said.steps == steps - 1 and _agree(said.lines, lines[:-1])
        ]
        nearest = min((apart for apart, _ in ways), default=0.0)
        meant = [said for apart, said in ways if apart == nearest][:_LATEST]
        sure = (said for said in meant if decide((*said.looks, look)).sure)
        return next(sure, meant[0]) if meant else None


def _agree(some: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two tellings of the same steps agree, as far back as both go."""
    return all(one == other for one, other in zip(reversed(some), reversed(others), strict=False))


def _apart(one: str, other: str) -> float:
    """How far the numbers of two texts are apart; infinitely, where the texts differ otherwise.

    A client reads places as pixels of the screen and writes them again, so that they can come back rounded.
    """
    if _NUMBER.sub("0", one) != _NUMBER.sub("0", other):
        return math.inf
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return float(max((abs(int(first) - int(second)) for first, second in pairs), default=0))
