"""Which ways lead out of an interruption, in each mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from garabench.core.interruption import Interruption, Mode
from garabench.core.steps import ClearAppStep, DeviceStep, ForceStopStep, RelaunchStep, ShowStep

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
            None for a system anomaly, which has no buttons.
        ends_task: Why no task can be solved after it; empty where each can.
        follow_up: What the buttons lead to, all of them, in order.
        gap: Where the knob of a puzzle has to be let go, as a part of its width; 0 where there is none.
    """

    mode: Mode
    keys: tuple[str, ...]
    ends_task: str = ""
    follow_up: tuple[DeviceStep, ...] = ()
    gap: float = 0

    def __str__(self) -> str:
        return " ".join([self.mode.value, *filter(None, ["+".join(self.keys)])])

    @property
    def restarts(self) -> bool:
        """Whether one of the buttons ends the app or starts it anew."""
        return any(isinstance(step, ForceStopStep | RelaunchStep | ClearAppStep) for step in self.follow_up)

    @property
    def only_closes(self) -> bool:
        """Whether all is afterwards as it was before."""
        return all(isinstance(step, ShowStep) for step in self.follow_up)


def exits(interruption: Interruption, library: Mapping[str, Interruption]) -> tuple[Exit, ...]:
    """The ways out that a proof performs: each that a mode offers, in that mode.

    Args:
        interruption: What is shown.
        library: All interruptions, since a button may lead to a further one.
    """
    return tuple(way for mode in Mode for way in _ways(interruption, mode, library))


def ways_out(
    interruption: Interruption, library: Mapping[str, Interruption]
) -> dict[Mode, tuple[tuple[str, ...], ...]]:
    """All ways that lead out of an interruption in each mode: the keys of each.

    Args:
        interruption: What is shown.
        library: All interruptions, since a button may lead to a further one.
    """
    return {mode: tuple(way.keys for way in _ways(interruption, mode, library)) for mode in Mode}


def _ways(
    interruption: Interruption, mode: Mode, library: Mapping[str, Interruption], depth: int = 1
) -> Iterator[Exit]:
    """Each way out, with the reason when it ends the task."""
    for button in interruption.offered(mode):
        way = Exit(mode, (button.key,), button.ends_task or "", button.follow_up, button.gap or 0)
        shown = [step.show for step in button.follow_up if isinstance(step, ShowStep)]
        if not shown or depth == _DEEPEST or shown[0] not in library:
            yield way
            continue
        for further in _ways(library[shown[0]], mode, library, depth + 1):
            yield Exit(
                mode,
                way.keys + further.keys,
                way.ends_task or further.ends_task,
                way.follow_up + further.follow_up,
                way.gap or further.gap,
            )
    if mode is Mode.DUAL and interruption.cancelable:
        yield Exit(mode, (BACK,))
