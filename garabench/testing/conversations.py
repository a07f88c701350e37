"""Match requests to conversations: an endpoint sees prompts, not episodes.

A reply is a function of its prompt, so concurrent episodes cannot be mixed up. Each thought of the fake model
ends in a note such as ``(note 17.3)``: its reply number 17, the third of the conversation. A prompt that
repeats the thoughts therefore names the reply that it continues. A prompt that repeats only the actions
continues an earlier reply if the earlier prompt had the same history without the last step, and that reply is
the last step. If several replies match, they have the same past, so either will do. Replies are never changed
once recorded; any number of prompts may continue the same reply.

For prompts without any history see `garabench.testing.stateless`.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.testing.move_planner import PlanMove, PlannedMove, ScreenState
from garabench.testing.prompt import ParsedPrompt, note_marker
from garabench.testing.request_screen import RequestScreen
from garabench.testing.stateless import StatelessConversations

_MAX_REPLIES = 4_000
"""Number of recent replies to store; each holds the tree of a screen."""
_MAX_CANDIDATES = 6
"""Number of replies with the same past to try."""
_NUMBER = re.compile(r"\d+")

DescribeMove = Callable[[PlannedMove], str]
"""Returns the line by which a client that repeats actions will describe a move."""


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """A reply that the fake model gave.

    Attributes:
        key: Agent and task.
        number: Number of the reply, as in its note.
        states: The screens so far, including that of this reply.
        steps: Number of steps before it.
        lines: The history lines of those steps, as far back as the prompt repeated them.
        line: The line by which a later prompt will describe this reply.
    """

    key: tuple[str, str]
    number: int
    states: tuple[ScreenState, ...]
    steps: int
    lines: tuple[str, ...]
    line: str


class Conversations:
    """The recent conversations of all models about all tasks; not thread-safe."""

    def __init__(self) -> None:
        self._replies: dict[int, RecordedReply] = {}
        self._count = 0
        self._memoryless = StatelessConversations()

    def answer(
        self,
        key: tuple[str, str],
        prompt: ParsedPrompt,
        screen: RequestScreen,
        decide: PlanMove,
        *,
        describe: DescribeMove,
        arrives: bool,
    ) -> PlannedMove:
        """Decide on the next move and record the reply.

        Args:
            key: Agent and task.
            prompt: The parsed prompt.
            screen: The screen in the request.
            decide: Decides on the move.
            describe: Returns the line by which the client will describe the move.
            arrives: Whether the client will receive the reply; a reply lost to a fault is not recorded.
        """
        if prompt.has_no_history:
            move, replies = self._memoryless.answer(key, prompt, screen, decide, arrives=arrives)
            return self._annotated(move, replies, count=arrives)
        before = self._before(key, prompt, screen.state, decide)
        states = (*before.states, screen.state) if before else (screen.state,)
        move = decide(states)
        annotated = self._annotated(move, len(states), count=arrives)
        if arrives:
            lines = prompt.lines if before is None else (*before.lines, *prompt.lines[-1:])
            steps = prompt.steps or 0
            self._replies[self._count] = RecordedReply(key, self._count, states, steps, lines, describe(move))
            if len(self._replies) > _MAX_REPLIES:
                del self._replies[next(iter(self._replies))]
        return annotated

    def _annotated(self, move: PlannedMove, replies: int, *, count: bool) -> PlannedMove:
        """Append the note of the next reply to a move's thought."""
        number = self._count + 1
        if count:
            self._count = number
        return dataclasses.replace(move, thought=f"{move.thought} {note_marker(number, replies)}".strip())

    def _before(
        self, key: tuple[str, str], prompt: ParsedPrompt, state: ScreenState, decide: PlanMove
    ) -> RecordedReply | None:
        """Find the reply that a prompt continues; None for a first prompt or an unknown conversation."""
        if prompt.note is not None:
            annotated = self._replies.get(prompt.note[0])
            return annotated if annotated is not None and annotated.key == key else None
        steps, lines = prompt.steps or 0, prompt.lines
        if not steps:
            return None
        candidates = [
            (_line_distance(reply.line, lines[-1]), reply)
            for reply in reversed(self._replies.values())
            if reply.key == key and reply.steps == steps - 1 and _agree(reply.lines, lines[:-1])
        ]
        nearest = min((distance for distance, _ in candidates), default=0.0)
        nearest_replies = [reply for distance, reply in candidates if distance == nearest][:_MAX_CANDIDATES]
        sure = (reply for reply in nearest_replies if decide((*reply.states, state)).sure)
        return next(sure, nearest_replies[0]) if nearest_replies else None


def _agree(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether two histories agree, as far back as both go."""
    return all(one == other for one, other in zip(reversed(first), reversed(second), strict=False))


def _line_distance(one: str, other: str) -> float:
    """Return the largest difference of the numbers in two lines; infinite if the lines differ otherwise.

    A client converts coordinates to screen pixels and back, so they may come back rounded.
    """
    if _NUMBER.sub("0", one) != _NUMBER.sub("0", other):
        return math.inf
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return float(max((abs(int(first) - int(second)) for first, second in pairs), default=0))
