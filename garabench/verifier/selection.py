"""Which frames are judged, and which serve as evidence of which criterion (step 3); no model is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from garabench.verifier.trajectory import TrajectoryFrame

TOP_K = 5
"""Frames for each criterion."""
HIGH, LOW = 7.0, 5.0
"""With a score above `HIGH` present, earlier frames with a score below `LOW` are dropped."""


@dataclass(frozen=True, slots=True)
class DistinctFrame:
    """A frame that stands for all equal ones.

    Attributes:
        frame: The last of the equal frames, which has the latest state.
        steps: Numbers of the steps at which it was seen.
    """

    frame: TrajectoryFrame
    steps: tuple[int, ...]


def distinct_frames(frames: Sequence[TrajectoryFrame]) -> tuple[DistinctFrame, ...]:
    """Return the frames without duplicates, ordered by their last occurrence.

    Two frames are equal if picture, tree and focused window are. Frames with neither a picture nor a tree
    show nothing and are left out.

    Args:
        frames: The frames of a trajectory.
    """
    last: dict[tuple[str, str, str, str], TrajectoryFrame] = {}
    steps: dict[tuple[str, str, str, str], list[int]] = {}
    for frame in frames:
        if not (frame.picture_sha256 or frame.tree_sha256):
            continue
        key = (frame.picture_sha256, frame.tree_sha256, frame.package, frame.activity)
        last[key] = frame
        steps.setdefault(key, []).append(frame.step)
    found = sorted(last.items(), key=lambda each: each[1].index)
    return tuple(DistinctFrame(frame, tuple(dict.fromkeys(steps[key]))) for key, frame in found)


def top_k(scores: Mapping[int, float], k: int = TOP_K) -> tuple[int, ...]:
    """Return the most relevant frames of one criterion, best first; of equal ones the later comes first.

    Args:
        scores: The score of each frame by its position in time.
        k: Maximum number of frames.
    """
    return tuple(sorted(scores, key=lambda frame: (-scores[frame], -frame))[:k])


def prune_frames(chosen: Sequence[int], scores: Mapping[int, float]) -> tuple[int, ...]:
    """Drop frames with a low score that come before a highly relevant one.

    Args:
        chosen: The chosen frames, best first.
        scores: The score of each frame by its position in time.
    """
    high = [frame for frame in chosen if scores[frame] > HIGH]
    if not high:
        return tuple(chosen)
    return tuple(frame for frame in chosen if scores[frame] >= LOW or frame > max(high))


def select_frames(
    relevance: Mapping[int, Sequence[float]], criteria: int, k: int = TOP_K
) -> tuple[tuple[int, ...], ...]:
    """Return the frames of each criterion, best first, pruned.

    Args:
        relevance: The scores of each frame, one for each criterion, by the frame's position in time.
        criteria: Number of criteria.
        k: Maximum number of frames for each criterion.
    """
    selected: list[tuple[int, ...]] = []
    for criterion in range(criteria):
        scores = {frame: row[criterion] for frame, row in relevance.items()}
        selected.append(prune_frames(top_k(scores, k), scores))
    return tuple(selected)


def by_frame(selected: Sequence[Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Return the criteria of each selected frame in order of time, so that one call serves all of them.

    Args:
        selected: The frames of each criterion.
    """
    criteria: dict[int, list[int]] = {}
    for criterion, frames in enumerate(selected):
        for frame in frames:
            criteria.setdefault(frame, []).append(criterion)
    return {frame: tuple(criteria[frame]) for frame in sorted(criteria)}
