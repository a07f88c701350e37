"""When an episode ends: at the first screen that meets the goal, or when the agent says that it is done."""

from __future__ import annotations

import enum


class EndCriterion(enum.StrEnum):
    """When an episode ends, and therefore which state of the device is judged.

    Results under different criteria measure different things and are never mixed in one table.
    """

    GOAL = "goal"
    """At the first settled screen that meets the goal; whether the agent would stop does not count."""
    DONE = "done"
    """When the agent says done. Undoing, overdoing and never stopping count as failures."""
