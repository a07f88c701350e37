"""A played model whose prompts repeat nothing: neither thoughts nor actions.

Its request is a task and a screen, and nothing in it tells one episode from another. What such a model would
have to guess, the record of the run knows: which episodes show that screen at present, and what each of them
has shown before. Where several show it, the one that was answered least often at its step is meant; episodes
with the same past are answered alike. Two with different pasts that wait on the same screen cannot be told
apart: their requests are the same to the byte, and connections are shared by all episodes of a run. On one
phone only one episode goes on at a time.

Where the screens are not of the run itself, the conversation is the latest one about the task in which
something on the screen is to be done next; or else a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from garabench.testing.player import Look, Move, Next
from garabench.testing.prompt import Prompt
from garabench.testing.seen import Past, Seen

_MOST = 4_000
_LATEST = 6
"""Conversations about a task that may be meant."""


@dataclass(frozen=True, slots=True)
class _Conversation:
    """What was seen at each step, the hash of the last screen, and whether the model said that it is done."""

    looks: tuple[Look, ...]
    digest: str
    over: bool


class Memoryless:
    """The episodes of models that are told nothing of them; not for several threads at once."""

    def __init__(self) -> None:
        self._answered: dict[tuple[str, int], int] = {}  # episode and step: how often
        self._known: dict[tuple[str, str], tuple[_Conversation, ...]] = {}

    def answer(
        self, key: tuple[str, str], prompt: Prompt, seen: Seen, decide: Next, *, arrives: bool
    ) -> tuple[Move, int]:
        """Decide on the move for a look.

        Args:
            key: Agent and task.
            prompt: What was asked.
            seen: What was seen.
            decide: Decides on the move.
            arrives: Whether the client will get the reply; one that a fault spoils is forgotten.

        Returns:
            The move, and how many replies the episode has had with it.
        """
        if seen.pasts:
            past = self._meant(seen.pasts, repair=prompt.repair)
            if arrives:
                self._count(past)
            return decide(past.looks), len(past.looks)
        known = self._known.get(key, ())
        before, steps = _meant(known, prompt, seen, decide)
        looks = (*(before.looks[:steps] if before else ()), seen.look)
        move = decide(looks)
        if arrives:
            now = _Conversation(looks, seen.digest, move.ends)
            self._known.pop(key, None)
            self._known[key] = (*(one for one in known if one is not before), now)
            self._forget()
        return move, len(looks)

    def _meant(self, pasts: Sequence[Past], *, repair: bool) -> Past:
        """The episode that was answered least often at its step; the most often, for a repair."""
        often = sorted(pasts, key=lambda past: self._answered.get((past.place, len(past.looks)), 0))
        return often[-1 if repair else 0]

    def _count(self, past: Past) -> None:
        place = past.place, len(past.looks)
        self._answered[place] = self._answered.pop(place, 0) + 1
        if len(self._answered) > _MOST:
            del self._answered[next(iter(self._answered))]

    def _forget(self) -> None:
        """Forget the conversations about the task that was asked of longest ago."""
        while sum(map(len, self._known.values())) > _MOST and len(self._known) > 1:
            del self._known[next(iter(self._known))]


def _meant(
    known: Sequence[_Conversation], prompt: Prompt, seen: Seen, decide: Next
) -> tuple[_Conversation | None, int]:
    """The conversation that a request goes on with, and how many of its looks are older; None: a new one."""
    latest = tuple(reversed(known))[:_LATEST]
    if prompt.repair and (asked := [one for one in latest if one.digest == seen.digest]):
        return asked[0], len(asked[0].looks) - 1
    going_on = tuple(one for one in latest if not one.over)
    if (likely := _likely(going_on, seen.look, decide)) is not None:
        return likely, len(likely.looks)
    if not going_on or decide([seen.look]).sure:
        return None, 0
    return going_on[0], len(going_on[0].looks)


def _likely(some: Iterable[_Conversation], look: Look, decide: Next) -> _Conversation | None:
    """The first conversation in which the model knows what to do on the screen."""
    return next((one for one in some if decide([*one.looks, look]).sure), None)
