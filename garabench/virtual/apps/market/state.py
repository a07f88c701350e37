"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.app_state import StateRecord
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import marks, values

NOT_OFFERED = {"started": "downloads under way, which end by themselves"}
"""Data without records, with the reason."""


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the updated apps and the user's ratings."""
    yield from marks("updated-app", ctx.data["updated"], "更新了 {}", "Updated {}")
    yield from values("rating", ctx.data["stars"], "给 {} 评了 {} 星", "Rated {}: {} stars")
