"""Walks: a correct path of a task with inserted actions, and what became of it.

A walk is data: the inserted actions are solution steps on selectors, so a walk can be repeated, shrunk, and
written into a task as a near miss or an alternative.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from garabench.core.expected_effects import StateChange
from garabench.core.identifiers import KebabId
from garabench.core.steps import BackStep, OpenAppStep, RotateStep, SolutionStep


class ActionKind(enum.StrEnum):
    """What an inserted action is."""

    LIKE = "like"
    """Press a button that likes, saves, follows or subscribes."""
    ADD = "add"
    """Press a button that adds, buys, sends or creates."""
    DELETE = "delete"
    """Press a button that deletes, cancels or clears."""
    TOGGLE = "toggle"
    """Press a switch, a box or a chip."""
    OTHER = "other"
    """Press what looks like an element of the solution but is another one: another object or variant."""
    CONFIRM = "confirm"
    """Press a button that confirms, in a dialog or on a page that an inserted action has opened."""
    PRESS = "press"
    """Press any other element."""
    HOLD = "hold"
    """Press an element for long."""
    WRITE = "write"
    """Type a text into a field and submit it."""
    REPEAT = "repeat"
    """Perform the solution's previous step again."""
    TASK = "task"
    """Perform another task of the app from its first screen, and return."""
    BORROWED = "borrowed"
    """Perform the last steps of another task's path, such as those that choose a list in a sheet."""
    RETURN = "return"
    """Press Back after an action that has left the page."""
    SCROLL = "scroll"
    """Scroll a little."""
    TAB = "tab"
    """Open another tab, and return to this one."""
    BACKGROUND = "background"
    """Go to the home screen, and open the app again."""
    ROTATE = "rotate"
    """Turn the phone to landscape and back."""
    KEYBOARD = "keyboard"
    """Open the keyboard in a field, and close it."""
    RECENTS = "recents"
    """Open the recent apps, and close them."""
    REOPEN = "reopen"
    """Leave the page by Back, and open it again."""

    @property
    def harmless(self) -> bool:
        """Whether it changes nothing that a task could be about."""
        return self in _HARMLESS

    @property
    def acting(self) -> bool:
        """Whether it may change something."""
        return self not in _HARMLESS and self is not ActionKind.RETURN


_HARMLESS = frozenset(
    {
        ActionKind.SCROLL,
        ActionKind.TAB,
        ActionKind.BACKGROUND,
        ActionKind.ROTATE,
        ActionKind.KEYBOARD,
        ActionKind.RECENTS,
        ActionKind.REOPEN,
    }
)


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Insertion(_Value):
    """An inserted action.

    Attributes:
        before: Number of the path's step before which it is performed, from 1.
        kind: What it is.
        task: The task that is performed, or whose path is borrowed from.
        steps: How it is performed; none for `ActionKind.ROTATE`, which is always performed alike.
    """

    before: int = Field(ge=1)
    kind: ActionKind
    task: KebabId | None = None
    steps: tuple[SolutionStep, ...] = ()

    @property
    def harmless(self) -> bool:
        """Whether it changes nothing that a task could be about."""
        if self.kind is ActionKind.RETURN:  # steps of the path may act
            return all(isinstance(step, BackStep | OpenAppStep) for step in self.steps)
        return self.kind.harmless


def kinds_of(inserted: Sequence[Insertion]) -> tuple[str, ...]:
    """Return the kinds of inserted actions, without those that return unless there are no others."""
    chosen = [each for each in inserted if each.kind is not ActionKind.RETURN] or inserted
    return tuple(sorted({each.kind.value for each in chosen}))


class FuzzWalk(_Value):
    """A correct path of a task with inserted actions.

    Attributes:
        task: The task.
        path: Name of the alternative; empty for the solution.
        inserted: The inserted actions, in order.
    """

    task: KebabId
    path: str = ""
    inserted: tuple[Insertion, ...] = ()

    @property
    def harmless(self) -> bool:
        """Whether it contains harmless actions only, and no step of the path was repeated after them."""
        return all(each.harmless for each in self.inserted)

    def steps(self, path: Sequence[SolutionStep]) -> tuple[SolutionStep, ...]:
        """Return all steps, the inserted and those of the path."""
        return tuple(step for _, steps in self.parts(path) for step in steps)

    def parts(
        self, path: Sequence[SolutionStep]
    ) -> Iterator[tuple[Insertion | None, tuple[SolutionStep, ...]]]:
        """Yield the inserted actions and, without one, the path's steps, in order."""
        for number, step in enumerate(path, start=1):
            for each in self.inserted:
                if each.before == number:
                    yield each, (RotateStep(),) if each.kind is ActionKind.ROTATE else each.steps
            yield None, (step,)


class Elsewhere(enum.StrEnum):
    """Why a walk with exactly the expected changes is rightly refused: what no app's state contains."""

    APP = "another-app"
    """Another app is in front."""
    PAGE = "another-page"
    """Another page is in front, or the same one about another object."""
    WINDOW = "another-window"
    """A dialog, sheet or menu is open, or one that was asked for is not."""
    SELECTION = "another-selection"
    """Another tab, order, filter or option is selected on the page."""
    FIELD = "another-text"
    """A field contains another text."""
    VALUE = "another-value"
    """The element that the goal reads shows another value, such as another departure time."""
    EARLIER = "earlier-step"
    """An earlier screen that the instruction demands was left out or changed."""
    HARM = "harm-undone"
    """What must not be done was done, and undone again, before the agent gave up."""


class WalkVerdict(enum.StrEnum):
    """What became of a walk, by the goal's verdict and by the truth."""

    ACCEPTED = "accepted"
    """Accepted, and nothing unasked was changed."""
    ACCEPTED_UNSEEN = "accepted-unseen"
    """Accepted although something unasked was changed, of which the last page shows no trace."""
    ACCEPTED_SEEN = "accepted-seen"
    """Accepted although the last page shows a trace of an unasked change: a finding."""
    REFUSED = "refused"
    """Refused, and the changes are not the expected ones."""
    REFUSED_ELSEWHERE = "refused-elsewhere"
    """Refused with exactly the expected changes, after an acting action that has led elsewhere: `Elsewhere`
    says how."""
    REFUSED_RIGHT = "refused-right"
    """Refused with exactly the expected changes, after harmless actions only, or for no reason in
    `Elsewhere`: a finding."""
    HARMLESS_CHANGES = "harmless-changes"
    """A harmless action has changed something that is not declared as incidental: a finding."""
    BLOCKED = "blocked"
    """The rest of the path could not be performed; or, after harmless actions, it acted on another element,
    since it chooses by position; not counted."""
    UNKNOWN = "unknown"
    """The goal's verdict or the apps' state is unknown; not counted."""

    @property
    def finding(self) -> bool:
        """Whether the goal or the apps' state is wrong."""
        return self in (
            WalkVerdict.ACCEPTED_SEEN,
            WalkVerdict.REFUSED_RIGHT,
            WalkVerdict.HARMLESS_CHANGES,
        )


class WalkResult(_Value):
    """A performed walk.

    Attributes:
        number: Its number among the task's walks, from 1.
        walk: The walk.
        verdict: What became of it.
        unasked: What it changed in addition to what the task asks for.
        exact: Whether it changed exactly what the task asks for; None if that is unknown or it was blocked.
        predicted: Whether it changed exactly what its path and the other tasks that it performs are known to
            change; None if it performs none, or if their changes depend on each other.
        elsewhere: Why it is rightly refused, for `WalkVerdict.REFUSED_ELSEWHERE`.
        trace: Texts on the last page that name what was changed without being asked for.
        differences: The first elements of the last page that are not on that of the correct path (``+``), or
            only there (``-``), of a finding or of a walk that is refused elsewhere.
        reason: The reason of the goal's verdict, or why the walk was blocked.
    """

    number: int
    walk: FuzzWalk
    verdict: WalkVerdict
    unasked: tuple[StateChange, ...] = ()
    exact: bool | None = None
    predicted: bool | None = None
    elsewhere: Elsewhere | None = None
    trace: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    reason: str = ""


class FuzzFinding(_Value):
    """A minimal walk that a goal decides wrongly.

    Attributes:
        id: The task, and a hash of the walk: ``bili-like-song-live/3f2a``.
        result: The minimal walk, as it was performed.
        walks: Numbers of the walks that were shrunk to it.
    """

    id: str
    result: WalkResult
    walks: tuple[int, ...] = ()

    @property
    def task(self) -> str:
        """The task."""
        return self.result.walk.task

    @property
    def changes(self) -> tuple[str, ...]:
        """The kinds of unasked changes: ``added like``."""
        return tuple(sorted({each.name for each in self.result.unasked}))


def finding_of(result: WalkResult) -> FuzzFinding:
    """Return the finding of a minimal walk."""
    digest = hashlib.sha256(result.walk.model_dump_json(exclude_defaults=True).encode()).hexdigest()
    return FuzzFinding(id=f"{result.walk.task}/{digest[:6]}", result=result, walks=(result.number,))


class FuzzedTask(_Value):
    """The walks of one task.

    Attributes:
        task: The task.
        key: Hash of everything that the result depends on.
        walks: The walks, in order.
        findings: The findings, without duplicates.
        stale: The accepted findings whose walks are not decided wrongly any more, with the reasons.
        problem: Why the task cannot be fuzzed; empty if it was.
    """

    task: str
    key: str = ""
    walks: tuple[WalkResult, ...] = ()
    findings: tuple[FuzzFinding, ...] = ()
    stale: tuple[str, ...] = ()
    problem: str = ""
