"""Reply to prompts without history, which repeat neither thoughts nor actions.

Such a request holds a task and a screen, and nothing that identifies its episode. The record of the run does:
it shows which running episodes show that screen now, and their earlier screens. If several do, the request is
attributed to the one with the fewest replies at its step; episodes with the same past get the same reply. Two
episodes with different episodes on the same screen cannot be distinguished: their requests are identical, and
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

_MAX_RECORDED = 4_000
_MAX_CANDIDATES = 6
"""Number of recent conversations about a task to try."""


@dataclass(frozen=True, slots=True)
class _Conversation:
    """The screen at each step, the hash of the last one, and whether the model ended the episode."""

    states: tuple[ScreenState, ...]
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
        screen: RequestScreen,
        decide: PlanMove,
        *,
        arrives: bool,
    ) -> tuple[PlannedMove, int]:
        """Decide on the next move and record the reply.

        Args:
            key: Agent and task.
            prompt: The parsed prompt.
            screen: The screen in the request.
            decide: Decides on the move.
            arrives: Whether the client will receive the reply; a reply lost to a fault is not recorded.

        Returns:
            The move, and the number of replies in the episode including this one.
        """
        if screen.episodes:
            past = self._least_answered(screen.episodes, repair=prompt.repair)
            if arrives:
                self._count(past)
            return decide(past.states), len(past.states)
        known = self._known.get(key, ())
        before, steps = _continued(known, prompt, screen, decide)
        states = (*(before.states[:steps] if before else ()), screen.state)
        move = decide(states)
        if arrives:
            now = _Conversation(states, screen.digest, move.ends)
            self._known.pop(key, None)
            self._known[key] = (*(one for one in known if one is not before), now)
            self._forget()
        return move, len(states)

    def _least_answered(self, episodes: Sequence[RunningEpisode], *, repair: bool) -> RunningEpisode:
        """Return the episode with the fewest replies at its step; with the most for a repair."""
        by_replies = sorted(episodes, key=lambda past: self._answered.get((past.place, len(past.states)), 0))
        return by_replies[-1 if repair else 0]

    def _count(self, past: RunningEpisode) -> None:
        place = past.place, len(past.states)
        self._answered[place] = self._answered.pop(place, 0) + 1
        if len(self._answered) > _MAX_RECORDED:
            del self._answered[next(iter(self._answered))]

    def _forget(self) -> None:
        """Forget the conversations about the least recently requested task."""
        while sum(map(len, self._known.values())) > _MAX_RECORDED and len(self._known) > 1:
            del self._known[next(iter(self._known))]


def _continued(
    known: Sequence[_Conversation], prompt: ParsedPrompt, screen: RequestScreen, decide: PlanMove
) -> tuple[_Conversation | None, int]:
    """Return the conversation that a request continues, if any, and the number of its earlier screens."""
    latest = tuple(reversed(known))[:_MAX_CANDIDATES]
    if prompt.repair and (same := [one for one in latest if one.digest == screen.digest]):
        return same[0], len(same[0].states) - 1
    open_conversations = tuple(one for one in latest if not one.over)
    if (sure := _first_sure(open_conversations, screen.state, decide)) is not None:
        return sure, len(sure.states)
    if not open_conversations or decide([screen.state]).sure:
        return None, 0
    return open_conversations[0], len(open_conversations[0].states)


def _first_sure(
    conversations: Iterable[_Conversation], state: ScreenState, decide: PlanMove
) -> _Conversation | None:
    """Return the first conversation in which the next move is certain on this screen."""
    return next((one for one in conversations if decide([*one.states, state]).sure), None)
