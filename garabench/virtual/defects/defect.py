"""A defect: which feature of which app is broken, and how."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from garabench.core.identifiers import KebabId, PackageName
from garabench.core.patterns import check_pattern
from garabench.core.steps import SolutionStep


class DefectKind(enum.StrEnum):
    """What is wrong."""

    DEAD = "dead"
    """The control does not react."""
    SLOW = "slow"
    """The control reacts after `ms`, if the app is still visible then."""
    CRASH = "crash"
    """The app crashes when the control is pressed."""
    NOTICE = "notice"
    """The control only shows the toast `text`, as a feature that is switched off does."""
    UNSAVED = "unsaved"
    """The control reacts, but what it changed is lost: at once, after `ms`, or `on_leave`."""
    WRONG_ITEM = "wrong-item"
    """The control acts on the last item of its kind, as if each handler had captured the loop's variable."""
    DISABLED = "disabled"
    """The control is disabled."""
    HIDDEN = "hidden"
    """The control is not there."""
    LABEL = "label"
    """The control is labelled `text`."""
    SHOWS = "shows"
    """The control shows the state in `attributes`, regardless of its real state."""
    MUTE_FIELD = "mute-field"
    """The text field drops what is typed."""
    CUT_TEXT = "cut-text"
    """The text field keeps only the first `length` characters."""
    SUBMIT_DEAD = "submit-dead"
    """The keyboard's action key does nothing in the text field."""
    ENDLESS = "endless"
    """The list or page never ends loading."""
    MISSING = "missing"
    """The item is not in the list, such as one that the search index lacks."""
    COVERED = "covered"
    """The keyboard covers the screen instead of resizing it; if `sticky`, Back does not close it."""
    CRASH_SCREEN = "crash-screen"
    """The app crashes when the screen opens."""
    NO_OPEN = "no-open"
    """The screen does not open."""
    BACK_DEAD = "back-dead"
    """Back does nothing on the screen."""
    BACK_EXITS = "back-exits"
    """Back leaves the app instead of returning to the previous screen."""
    PERMISSION_LOOP = "permission-loop"
    """The screen requests the permission `permission` again and again."""
    OFFLINE = "offline"
    """The app does not reach its servers, although the phone is online."""


HANDLER_KINDS = frozenset(
    {
        DefectKind.DEAD,
        DefectKind.SLOW,
        DefectKind.CRASH,
        DefectKind.NOTICE,
        DefectKind.UNSAVED,
        DefectKind.WRONG_ITEM,
        DefectKind.DISABLED,
    }
)
"""Kinds that change what a press does; they apply to the control that handles the press."""
VIEW_KINDS = HANDLER_KINDS | {
    DefectKind.HIDDEN,
    DefectKind.LABEL,
    DefectKind.SHOWS,
    DefectKind.MUTE_FIELD,
    DefectKind.CUT_TEXT,
    DefectKind.SUBMIT_DEAD,
    DefectKind.ENDLESS,
    DefectKind.MISSING,
}
"""Kinds that change a view."""


class TaskImpact(enum.StrEnum):
    """What a defect does to a task."""

    NONE = "none"
    """The task does not need the broken feature."""
    IMPOSSIBLE = "impossible"
    """No known solution works."""
    FLAKY = "flaky"
    """Each known solution works sometimes."""
    WORKAROUND = "workaround"
    """Another known solution works, which avoids the feature."""


class Target(BaseModel):
    """Selects widgets; all given fields must match.

    Attributes:
        id: Resource id, as the app writes it.
        text, desc: Regular expressions, found in the text or the content description.
        has: Regular expression, found in a text or description of the widget or of any widget in it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = ""
    text: str = ""
    desc: str = ""
    has: str = ""

    @field_validator("text", "desc", "has")
    @classmethod
    def _compile(cls, pattern: str) -> str:
        return check_pattern(pattern)

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not (self.id or self.text or self.desc or self.has):
            raise ValueError("give id, text, desc or has")
        return self


class Workaround(BaseModel):
    """A solution that avoids a broken feature.

    Attributes:
        task: The task that it solves.
        steps: Its steps.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: KebabId
    steps: tuple[SolutionStep, ...] = Field(min_length=1)


class Defect(BaseModel):
    """A defect.

    Attributes:
        id: Its id.
        kind: What is wrong.
        app: Package of the app.
        activity: End of the class name of the screen; empty for every screen of the app.
        at: The widgets; None for kinds that concern a whole screen.
        symptom: What a tester sees.
        impact: What it does to the tasks that need the feature.
        rate: Share of the presses, or openings of the screen, at which it shows itself.
        ms: Delay in milliseconds.
        on_leave: Whether an unsaved change is lost when the screen is left.
        text: Text by language.
        attributes: Widget attributes by name: ``checked``, ``selected``, ``desc``.
        length: Number of characters.
        sticky: Whether Back leaves the keyboard open.
        permission: Full name of a permission.
        workaround: A solution that avoids it, unless it is an alternative of the task.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    kind: DefectKind
    app: PackageName
    activity: str = ""
    at: Target | None = None
    symptom: str = Field(min_length=1)
    impact: TaskImpact = TaskImpact.IMPOSSIBLE
    rate: float = Field(default=1.0, gt=0, le=1)
    ms: int = Field(default=0, ge=0)
    on_leave: bool = False
    text: Mapping[str, str] = Field(default_factory=dict)
    attributes: Mapping[str, Any] = Field(default_factory=dict)
    length: int = Field(default=0, ge=0)
    sticky: bool = False
    permission: str = ""
    workaround: Workaround | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for problem in self._problems():
            raise ValueError(f"{self.id}: {problem}")
        return self

    def _problems(self) -> Iterator[str]:
        whole = self.kind is DefectKind.ENDLESS and self.activity
        if self.kind in VIEW_KINDS and self.at is None and not whole:
            yield "at is missing"
        if self.kind not in VIEW_KINDS and self.at is not None:
            yield f"at is not allowed for {self.kind}"
        if self.kind in (DefectKind.NOTICE, DefectKind.LABEL) and set(self.text) != {"zh", "en"}:
            yield "text needs zh and en"
        if self.kind is DefectKind.SLOW and not self.ms:
            yield "ms is missing"
        if self.kind is DefectKind.SHOWS and not self.attributes:
            yield "attributes are missing"
        if self.kind is DefectKind.PERMISSION_LOOP and not self.permission:
            yield "permission is missing"
        if (self.impact is TaskImpact.FLAKY) is not (self.rate < 1):
            yield "a rate below 1 and impact: flaky belong together"
        if self.impact is TaskImpact.NONE:
            yield "a defect with impact: none breaks no task"
        if self.workaround is not None and self.impact is not TaskImpact.WORKAROUND:
            yield "workaround needs impact: workaround"

    def concerns(self, package: str, activity: str) -> bool:
        """Return whether a screen is where the defect may show itself."""
        return package == self.app and activity.endswith(self.activity)
