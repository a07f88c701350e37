"""What an agent is made for: one episode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from garabench.core.clock import Clock, SystemClock

if TYPE_CHECKING:
    from garabench.agents.chat.desk import Desk

DECISION_SECONDS = 120.0
"""How long an agent may take for a decision, unless a run says otherwise."""
START_SECONDS = 300.0
"""How long an agent may take to get ready, unless a run says otherwise: it may load a model."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Setting:
    """What an agent is made for. It has nothing of the task's goal or solution.

    Attributes:
        name: The agent's name in this run.
        folder: The episode's folder, which is there when the agent is started.
        seconds: How long a decision may take.
        start_seconds: How long it may take to get ready.
        clock: For every limit.
        stop: Whether the run is to stop; what waits for an agent asks it now and then.
        desk: What the models of the run share; None where no run is performed.
    """

    name: str
    folder: Path
    seconds: float = DECISION_SECONDS
    start_seconds: float = START_SECONDS
    clock: Clock = field(default_factory=SystemClock)
    stop: Callable[[], bool] = _never
    desk: Desk | None = None
