"""Small screenshots of the steps of trajectories, as data URLs for a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

from garabench.core.thumbnail import thumbnail, webp_url
from garabench.graph.action_trajectory import ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction
from garabench.records.content_store import ContentStore, is_hash

WIDTH = 120
_QUALITY = 45


def step_thumbnails(
    trajectories: Iterable[ActionTrajectory], stores: Mapping[str, ContentStore], width: int = WIDTH
) -> dict[tuple[str, str], str]:
    """Return a screenshot for each distinct action of each task, if one is recorded.

    Args:
        trajectories: The trajectories, in any order.
        stores: The content store of each run, by its name.
        width: Width in pixels.
    """
    seen: set[tuple[str, CanonicalAction]] = set()
    wanted: dict[tuple[str, str], ContentStore] = {}
    for trajectory in sorted(trajectories, key=lambda each: each.id):
        store = stores.get(trajectory.source)
        for step in trajectory.steps:
            if store is None or not is_hash(step.picture) or (trajectory.task, step.action) in seen:
                continue
            wanted[trajectory.source, step.picture] = store
            seen.add((trajectory.task, step.action))
    with ThreadPoolExecutor() as threads:  # Pillow decodes without the interpreter's lock
        made = threads.map(lambda item: _thumbnail(item[1], item[0][1], width), wanted.items())
        return {key: address for key, address in zip(wanted, made, strict=True) if address}


def _thumbnail(store: ContentStore, name: str, width: int) -> str:
    """Return a picture as a data URL; empty if it is missing or broken."""
    picture = store.read_picture(name)
    small = None if picture is None else thumbnail(picture, width, _QUALITY)
    return "" if small is None else webp_url(small)
