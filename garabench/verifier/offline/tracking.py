"""Follow the expectations of a goal along the path: the last screen that says something about one decides it.

An expectation is followed by itself. A screen that shows it counts only if it contradicts no other one of
the same alternative: a liked video by another uploader does not show that the right one is liked. A state
without its own name (*liked*, *at least one hotel*) counts only on a screen that also shows a name of
the task. What a screen does not show stays as it was last seen, so that a result may be seen on several
screens. What an earlier screen has to show is there from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.verifier.offline.expectations import ExpectationKind, ExpectationStatus, GoalExpectations


@dataclass(frozen=True, slots=True)
class ExpectationTrack:
    """What the path says about one expectation.

    Attributes:
        expectation: Index of the expectation.
        status: What was seen last.
        frame: The frame that says so; None if none does.
        seen: The last frame that shows it even with a contradiction; None if none does.
    """

    expectation: int
    status: ExpectationStatus
    frame: int | None
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class BranchTrack:
    """What the path says about one alternative of a goal.

    Attributes:
        branch: Index of the alternative.
        tracks: Its expectations that screens can show.
        reached: The frame at which all of them were there for the last time; None if never.
        undone: The frame after that which shows one in another state; None if none does.
    """

    branch: int
    tracks: tuple[ExpectationTrack, ...]
    reached: int | None
    undone: int | None

    @property
    def complete(self) -> bool:
        """Whether everything was seen, and nothing was undone."""
        return self.reached is not None and self.undone is None

    @property
    def last_frame(self) -> int | None:
        """The last frame that shows one of them as it should be; None if none does."""
        shown = (each.frame for each in self.tracks if each.status is ExpectationStatus.SHOWN)
        return max((frame for frame in shown if frame is not None), default=None)

    @property
    def share(self) -> float:
        """Share of the expectations that were seen last as they should be."""
        return sum(each.status is ExpectationStatus.SHOWN for each in self.tracks) / (len(self.tracks) or 1)


def follow(
    expectations: GoalExpectations, readings: Sequence[Sequence[ExpectationStatus] | None], first_frame: int
) -> tuple[BranchTrack, ...]:
    """Follow each alternative of a goal along the path.

    Args:
        expectations: The expectations.
        readings: What each frame says about each expectation; None for a frame that cannot be read.
        first_frame: The first frame after an action; what was there before is not the agent's work.
    """
    return tuple(
        _follow(expectations, branch, readings, first_frame)
        for branch in range(len(expectations.branches))
        if any(
            expectations.items[expectation].kind in (ExpectationKind.SCREEN, ExpectationKind.EARLIER)
            for expectation in expectations.branches[branch]
        )
    )


def _follow(
    expectations: GoalExpectations,
    branch: int,
    readings: Sequence[Sequence[ExpectationStatus] | None],
    first_frame: int,
) -> BranchTrack:
    numbers = expectations.branches[branch]
    screens = [
        expectation
        for expectation in numbers
        if expectations.items[expectation].kind is ExpectationKind.SCREEN
    ]
    naming = expectations.naming.intersection(screens)
    guards = [
        expectation
        for expectation in numbers
        if expectations.items[expectation].kind is ExpectationKind.GUARD
    ]
    status = dict.fromkeys((*screens, *guards), ExpectationStatus.UNSEEN)
    earlier = [
        expectation
        for expectation in numbers
        if expectations.items[expectation].kind is ExpectationKind.EARLIER
    ]
    status |= {
        expectation: ExpectationStatus.SHOWN
        if expectations.items[expectation].negated
        else ExpectationStatus.UNSEEN
        for expectation in earlier
    }
    frames: dict[int, int] = {}
    seen: dict[int, int] = {}
    reached: int | None = None
    undone: int | None = None
    for frame in range(first_frame, len(readings)):
        reading = readings[frame]
        if reading is None:
            continue
        for expectation in earlier:
            if reading[expectation] is ExpectationStatus.SHOWN and expectation not in frames:
                negated = expectations.items[expectation].negated
                status[expectation], frames[expectation] = (
                    (ExpectationStatus.CONTRADICTED if negated else ExpectationStatus.SHOWN),
                    frame,
                )
        if not screens:  # only the way there is on screens, not the result
            if all(status[each] is ExpectationStatus.SHOWN for each in earlier):
                reached = frame if reached is None else reached
            elif reached is not None and undone is None:
                undone = frame
            continue
        against = [
            expectation
            for expectation in (*screens, *guards)
            if reading[expectation] is ExpectationStatus.CONTRADICTED
        ]
        shown = [expectation for expectation in screens if reading[expectation] is ExpectationStatus.SHOWN]
        if not shown and not any(expectation in screens for expectation in against):
            continue  # another screen, of which a guard says nothing either
        for expectation in against:
            status[expectation], frames[expectation] = ExpectationStatus.CONTRADICTED, frame
        seen |= dict.fromkeys(shown, frame)
        if naming and not naming.intersection(shown):
            shown = []  # states of which this screen does not say whose they are
        if not against and shown:
            for expectation in (*shown, *guards):
                status[expectation], frames[expectation] = ExpectationStatus.SHOWN, frame
        if all(each is ExpectationStatus.SHOWN for each in status.values()):
            reached, undone = (frame if reached is None or undone is not None else reached), None
        elif reached is not None and undone is None:
            undone = frame
    return BranchTrack(
        branch,
        tuple(
            ExpectationTrack(expectation, status[expectation], frames.get(expectation), seen.get(expectation))
            for expectation in (*screens, *guards, *earlier)
        ),
        reached,
        undone,
    )
