"""Which ways lead out of an interruption, and in which mode each is performed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from garabench.core.interruption import Interruption, Mode
from garabench.core.steps import ShowStep

BACK = "back"
SOLVED = "solved"
"""Key of a puzzle's slider, which is dragged and not pressed."""
_DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Exit:
    """A way out of an interruption.

    Attributes:
        mode: How the interruption is shown.
        keys: The buttons that are pressed, one for each interruption that comes up; `BACK` is Android's key.
        ends_task: Why no task can be solved after it; empty where each can.
    """

    mode: Mode
    keys: tuple[str, ...]
    ends_task: str = ""

    def __str__(self) -> str:
        return f"{self.mode.value} {'+'.join(self.keys)}"


def exits(interruption: Interruption, library: Mapping[str, Interruption]) -> tuple[Exit, ...]:
    """The ways out that a proof performs: each once, and at least one in each mode.

    What is left out in forced mode is performed in dual mode. The other buttons are the same in both and lead
    to the same: they are performed in forced mode, where nothing else is offered. Where there is nothing that
    only dual mode offers, the first button is performed in both.

    Args:
        interruption: What is shown.
        library: All interruptions, since a button may lead to a further one.
    """
    both = tuple(_ways(interruption, Mode.FORCED, library))
    only_dual = [way for way in _ways(interruption, Mode.DUAL, library) if way not in both]
    result = [Exit(Mode.DUAL, keys, reason) for keys, reason in only_dual or both[:1]]
    return (*result, *(Exit(Mode.FORCED, keys, reason) for keys, reason in both))


def ways_out(
    interruption: Interruption, library: Mapping[str, Interruption]
) -> dict[Mode, tuple[tuple[str, ...], ...]]:
    """All ways that lead out of an interruption in each mode: the keys of each.

    Args:
        interruption: What is shown.
        library: All interruptions, since a button may lead to a further one.
    """
    return {mode: tuple(keys for keys, _ in _ways(interruption, mode, library)) for mode in Mode}


def _ways(
    interruption: Interruption, mode: Mode, library: Mapping[str, Interruption], depth: int = 1
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The keys of each way out, with the reason when it ends the task."""
    for button in interruption.offered(mode):
        ends = button.ends_task or ""
        shown = [step.show for step in button.follow_up if isinstance(step, ShowStep)]
        if not shown or depth == _DEEPEST or shown[0] not in library:
            yield (button.key,), ends
            continue
        for keys, further in _ways(library[shown[0]], mode, library, depth + 1):
            yield (button.key, *keys), ends or further
    if mode is Mode.DUAL and interruption.cancelable:
        yield (BACK,), ""
