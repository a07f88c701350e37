"""Reply to prompts without history, which repeat neither thoughts nor actions.

Such a request holds a task and a screen, and nothing that identifies its episode. The record of the run does:
it shows which running episodes show that screen now, and their earlier screens. If several do, the request is
attributed to the one with the fewest replies at its step; episodes with the same past get the same reply. Two
episodes with different pasts on the same screen cannot be distinguished: their requests are identical, and
all episodes of a run share connections. One phone runs only one episode at a time.

If the screens come from another run, the request continues the latest conversation about the task in which
the next move is on the screen, or starts a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from garabench.testing.move_planner import PlanMove, PlannedMove, ScreenState
from garabench.testing.prompt import ParsedPrompt
from garabench.testing.request_screen import RequestScreen, RunningEpisode

_MOST = 4_000
_LATEST = 6
"""How many of the latest conversations about a task are tried."""


@dataclass(frozen=True, slots=True)
class _Conversation:
    """The screen at each step, the hash of the last one, and whether the model ended the episode."""

    looks: tuple[ScreenState, ...]
    digest: str
    over: bool


class StatelessConversations:
    """The conversations of models whose prompts have no history; not thread-safe."""

    def __init__(self) -> None:
        self._answered: dict[tuple[str, int], int] = {}  # replies, by episode and step
        self._known: dict[tuple[str, str], tuple[_Conversation, ...]] = {}

    def answer(
        self,
        key: tuple[str, str],
        prompt: ParsedPrompt,
        seen: RequestScreen,
        decide: PlanMove,
        *,
        arrives: bool,
    ) -> tuple[PlannedMove, int]:
        """Decide on the next move and record the reply.

        Args:
            key: Agent and task.
            prompt: The parsed prompt.
            seen: The screen in the request.
            decide: Decides on the move.
            arrives: Whether the client will get the reply; one that a fault spoils is not recorded.

        Returns:
            The move, and the number of replies in the episode including this one.
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

    def _meant(self, pasts: Sequence[RunningEpisode], *, repair: bool) -> RunningEpisode:
        """The episode with the fewest replies at its step; with the most for a repair."""
        often = sorted(pasts, key=lambda past: self._answered.get((past.place, len(past.looks)), 0))
        return often[-1 if repair else 0]

    def _count(self, past: RunningEpisode) -> None:
        place = past.place, len(past.looks)
        self._answered[place] = self._answered.pop(place, 0) + 1
        if len(self._answered) > _MOST:
            del self._answered[next(iter(self._answered))]

    def _forget(self) -> None:
        """Forget the conversations about the least recently requested task."""
        while sum(map(len, self._known.values())) > _MOST and len(self._known) > 1:
            del self._known[next(iter(self._known))]


def _meant(
    known: Sequence[_Conversation], prompt: ParsedPrompt, seen: RequestScreen, decide: PlanMove
) -> tuple[_Conversation | None, int]:
    """The conversation that a request continues, if any, and how many of its screens are earlier."""
    latest = tuple(reversed(known))[:_LATEST]
    if prompt.repair and (asked := [one for one in latest if one.digest == seen.digest]):
        return asked[0], len(asked[0].looks) - 1
    going_on = tuple(one for one in latest if not one.over)
    if (likely := _likely(going_on, seen.look, decide)) is not None:
        return likely, len(likely.looks)
    if not going_on or decide([seen.look]).sure:
        return None, 0
    return going_on[0], len(going_on[0].looks)


def _likely(some: Iterable[_Conversation], look: ScreenState, decide: PlanMove) -> _Conversation | None:
    """The first conversation in which the next move is certain on this screen."""
    return next((one for one in some if decide([*one.looks, look]).sure), None)
