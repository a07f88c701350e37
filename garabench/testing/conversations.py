"""Which request goes on with which conversation: an endpoint is told of no episodes, only prompts.

A prompt that tells of the steps so far says how far it is. One that tells of none (some models are asked
without any history) goes on with the latest conversation about its task, unless that one is over, or the
task can be begun on the screen and nothing else is left to be done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from garabench.core import action as act
from garabench.testing.player import Look, Move
from garabench.testing.prompt import Prompt

_MOST_TASKS = 2_000
_MOST_OF_A_TASK = 8

Next = Callable[[Sequence[Look]], Move]
"""The move for the last of some looks."""


@dataclass(slots=True)
class Conversation:
    """An episode, as far as requests tell.

    Attributes:
        looks: What was seen at each step.
        seen: Hashes of those screens.
        last: The move that was answered last.
    """

    looks: list[Look] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    last: Move | None = None


class Conversations:
    """The conversations with all models about all tasks, the latest ones; not for several threads at once."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], list[Conversation]] = {}

    def answer(
        self, key: tuple[str, str], prompt: Prompt, digest: str, look: Look, decide: Next, *, arrives: bool
    ) -> Move:
        """Take a look in, and decide on the move for it.

        Args:
            key: Model and task.
            prompt: What was asked.
            digest: Of the screen.
            look: What was seen.
            decide: Decides on the move.
            arrives: Whether the client will get the reply; one that a fault spoils is forgotten.
        """
        known = self._open.get(key, [])
        found = _continued(known, prompt, digest, look, decide) or Conversation()
        steps = _steps_before(found, prompt, digest)
        looks = [*found.looks[:steps], look]
        move = decide(looks)
        if arrives:
            found.looks, found.seen, found.last = looks, [*found.seen[:steps], digest], move
            self._open.pop(key, None)
            self._open[key] = [*(one for one in known if one is not found), found][-_MOST_OF_A_TASK:]
            while len(self._open) > _MOST_TASKS:
                del self._open[next(iter(self._open))]
        return move


def _continued(
    known: Sequence[Conversation], prompt: Prompt, digest: str, look: Look, decide: Next
) -> Conversation | None:
    """The conversation that a request goes on with; None where it begins one."""
    if not known:
        return None
    if prompt.steps is not None:
        fitting = [one for one in known if len(one.looks) in (prompt.steps, prompt.steps + 1)]
        return fitting[-1] if fitting and prompt.steps else None
    latest = known[-1]
    if prompt.repair or latest.last is None:
        return latest
    if latest.last.ends:
        return None
    further = decide([*latest.looks, look])
    if further.ends or (digest == latest.seen[0] and isinstance(further.action, act.Wait)):
        begun = decide([look])
        if not (begun.ends or isinstance(begun.action, act.Wait | act.Back)):
            return None  # nothing is left to be done, and the task can be begun: another episode
    return latest


def _steps_before(conversation: Conversation, prompt: Prompt, digest: str) -> int:
    """How many looks of a conversation are older than the present one."""
    if prompt.steps is not None:
        return min(prompt.steps, len(conversation.looks))
    answered = prompt.repair and conversation.seen[-1:] == [digest]
    return len(conversation.seen) - (1 if answered else 0)
