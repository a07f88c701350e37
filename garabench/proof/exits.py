"""The exits of an interruption in each mode: which buttons, in which order, lead back to the app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from garabench.core.interruption import Interruption, Mode
from garabench.core.steps import ClearAppStep, DeviceStep, ForceStopStep, RelaunchStep, ShowStep

BACK = "back"
SOLVED = "solved"
"""Key of a puzzle's slider, which is dragged instead of pressed."""
_MAX_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Exit:
    """One exit of an interruption.

    Attributes:
        mode: The mode in which the interruption is shown.
        keys: The buttons to press, one per interruption that comes up; `BACK` is Android's Back key. Empty
            for a system anomaly, which has no buttons.
        ends_task: Why the task cannot be solved after this exit; empty if it can.
        follow_up: The follow-up steps of all its buttons, in order.
        gap: Where to release the knob of a puzzle, as a fraction of the slider's width; 0 without a puzzle.
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
        """Whether a button stops, restarts or clears the app."""
        return any(isinstance(step, ForceStopStep | RelaunchStep | ClearAppStep) for step in self.follow_up)

    @property
    def only_closes(self) -> bool:
        """Whether the exit leaves the app unchanged."""
        return all(isinstance(step, ShowStep) for step in self.follow_up)


def exits(interruption: Interruption, library: Mapping[str, Interruption]) -> tuple[Exit, ...]:
    """Return the exits that a proof performs, mode by mode.

    Args:
        interruption: The interruption.
        library: All interruptions, since a button may open another one.
    """
    return tuple(found for mode in Mode for found in _exits_in_mode(interruption, mode, library))


def exit_keys(
    interruption: Interruption, library: Mapping[str, Interruption]
) -> dict[Mode, tuple[tuple[str, ...], ...]]:
    """Return the keys of every exit of an interruption, by mode.

    Args:
        interruption: The interruption.
        library: All interruptions, since a button may open another one.
    """
    return {mode: tuple(found.keys for found in _exits_in_mode(interruption, mode, library)) for mode in Mode}


def _exits_in_mode(
    interruption: Interruption, mode: Mode, library: Mapping[str, Interruption], depth: int = 1
) -> Iterator[Exit]:
    """Yield each exit, with the reason if it ends the task."""
    for button in interruption.offered(mode):
        first = Exit(mode, (button.key,), button.ends_task or "", button.follow_up, button.gap or 0)
        shown = [step.show for step in button.follow_up if isinstance(step, ShowStep)]
        if not shown or depth == _MAX_DEPTH or shown[0] not in library:
            yield first
            continue
        for further in _exits_in_mode(library[shown[0]], mode, library, depth + 1):
            yield Exit(
                mode,
                first.keys + further.keys,
                first.ends_task or further.ends_task,
                first.follow_up + further.follow_up,
                first.gap or further.gap,
            )
    if mode is Mode.DUAL and interruption.cancelable:
        yield Exit(mode, (BACK,))
