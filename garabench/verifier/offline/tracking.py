"""Follow the sights of a goal along the path: the last screen that says something about a sight decides it.

A sight is followed by itself. A screen that shows it counts only if it contradicts no other sight of the same
alternative: a liked video by another uploader does not show that the right one is liked. A state without a
name of its own (*liked*, *at least one hotel*) counts only on a screen that also shows a name of the task.
What a screen does not show stays as it was last seen, so that a result may be seen on several screens. What
an earlier screen has to show is there from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.verifier.offline.sights import GoalSights, Sighting, SightKind


@dataclass(frozen=True, slots=True)
class SightTrack:
    """What the path says about one sight.

    Attributes:
        sight: Index of the sight.
        status: What was seen last.
        frame: The frame that says so; None if none does.
        seen: The last frame that shows it even beside a contradiction; None if none does.
    """

    sight: int
    status: Sighting
    frame: int | None
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class BranchTrack:
    """What the path says about one alternative of a goal.

    Attributes:
        branch: Index of the alternative.
        tracks: Its sights that screens can show.
        reached: The frame at which all of them were there for the last time; None if never.
        undone: The frame after that which shows one in another state; None if none does.
    """

    branch: int
    tracks: tuple[SightTrack, ...]
    reached: int | None
    undone: int | None

    @property
    def complete(self) -> bool:
        """Whether everything was seen, and nothing was undone."""
        return self.reached is not None and self.undone is None

    @property
    def last_frame(self) -> int | None:
        """The last frame that shows one of them as it should be; None if none does."""
        shown = (each.frame for each in self.tracks if each.status is Sighting.SHOWN)
        return max((frame for frame in shown if frame is not None), default=None)

    @property
    def share(self) -> float:
        """Share of the sights that were seen last as they should be."""
        return sum(each.status is Sighting.SHOWN for each in self.tracks) / (len(self.tracks) or 1)


def follow(
    sights: GoalSights, readings: Sequence[Sequence[Sighting] | None], begun: int
) -> tuple[BranchTrack, ...]:
    """Follow each alternative of a goal along the path.

    Args:
        sights: The sights.
        readings: What each frame says about each sight; None for a frame that cannot be read.
        begun: The first frame after an action; what was there before is not the agent's work.
    """
    return tuple(
        _follow(sights, branch, readings, begun)
        for branch in range(len(sights.branches))
        if any(sights.items[sight].kind is SightKind.SCREEN for sight in sights.branches[branch])
    )


def _follow(
    sights: GoalSights, branch: int, readings: Sequence[Sequence[Sighting] | None], begun: int
) -> BranchTrack:
    numbers = sights.branches[branch]
    screens = [sight for sight in numbers if sights.items[sight].kind is SightKind.SCREEN]
    naming = sights.naming.intersection(screens)
    guards = [sight for sight in numbers if sights.items[sight].kind is SightKind.GUARD]
    status = dict.fromkeys((*screens, *guards), Sighting.UNSEEN)
    earlier = [sight for sight in numbers if sights.items[sight].kind is SightKind.EARLIER]
    status |= {sight: Sighting.SHOWN if sights.items[sight].negated else Sighting.UNSEEN for sight in earlier}
    frames: dict[int, int] = {}
    seen: dict[int, int] = {}
    reached: int | None = None
    undone: int | None = None
    for frame in range(begun, len(readings)):
        reading = readings[frame]
        if reading is None:
            continue
        for sight in earlier:
            if reading[sight] is Sighting.SHOWN and sight not in frames:
                negated = sights.items[sight].negated
                status[sight], frames[sight] = (Sighting.CONTRADICTED if negated else Sighting.SHOWN), frame
        against = [sight for sight in (*screens, *guards) if reading[sight] is Sighting.CONTRADICTED]
        shown = [sight for sight in screens if reading[sight] is Sighting.SHOWN]
        if not shown and not any(sight in screens for sight in against):
            continue  # another screen, of which a guard says nothing either
        for sight in against:
            status[sight], frames[sight] = Sighting.CONTRADICTED, frame
        seen |= dict.fromkeys(shown, frame)
        if naming and not naming.intersection(shown):
            shown = []  # states of which this screen does not say whose they are
        if not against and shown:
            for sight in (*shown, *guards):
                status[sight], frames[sight] = Sighting.SHOWN, frame
        if all(each is Sighting.SHOWN for each in status.values()):
            reached, undone = (frame if reached is None or undone is not None else reached), None
        elif reached is not None and undone is None:
            undone = frame
    return BranchTrack(
        branch,
        tuple(
            SightTrack(sight, status[sight], frames.get(sight), seen.get(sight))
            for sight in (*screens, *guards, *earlier)
        ),
        reached,
        undone,
    )
