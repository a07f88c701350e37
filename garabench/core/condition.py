"""Conditions over the state of a device, as goals and rules state them.

A condition is a one-key mapping: ``exists: {id: frame_like}``, ``all: […]``. A selector means *some
element that it selects*: ``selected: {…}`` holds when any of them is selected. `garabench.core.verdict`
finds out whether a condition holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

from garabench.core.misfits import Misfit, refuse
from garabench.core.names import PackageName
from garabench.core.patterns import check_pattern
from garabench.core.selector import Pattern, ScreenText, Selector, normalize

Attribute = Literal["text", "desc", "hint", "resource_id", "cls", "package"]


def fold(text: str) -> str:
    """The form in which keywords are compared: NFC, trimmed, case-folded."""
    return normalize(text).casefold()


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class AllOf(_Part):
    """Every one holds."""

    all: tuple[Condition, ...] = Field(min_length=1)


class AnyOf(_Part):
    """At least one holds."""

    any: tuple[Condition, ...] = Field(min_length=1)


class Not(_Part):
    """It does not hold; unknown stays unknown."""

    not_: Condition = Field(alias="not")


class Exists(_Part):
    """Some element is selected."""

    exists: Selector


class Absent(_Part):
    """No element is selected."""

    absent: Selector


class CountSpec(_Part):
    """How many elements are selected."""

    select: Selector
    equals: int | None = Field(default=None, ge=0)
    at_least: int | None = Field(default=None, ge=0)
    at_most: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _bounded(self) -> CountSpec:
        if self.equals is None and self.at_least is None and self.at_most is None:
            raise ValueError("count needs equals, at_least or at_most")
        return self


class Count(_Part):
    """The number of selected elements is within bounds."""

    count: CountSpec


class ValueSpec(_Part):
    """An attribute of the selected elements and the value to compare it with."""

    select: Selector
    attribute: Attribute = "text"
    value: ScreenText


class PatternSpec(_Part):
    """An attribute of the selected elements and a pattern to find in it."""

    select: Selector
    attribute: Attribute = "text"
    pattern: Pattern

    @field_validator("pattern")
    @classmethod
    def _valid(cls, value: str) -> str:
        return check_pattern(value)


class Equals(_Part):
    """Some selected element's attribute equals the value."""

    equals: ValueSpec


class Contains(_Part):
    """Some selected element's attribute contains the value."""

    contains: ValueSpec


class Matches(_Part):
    """Some selected element's attribute matches the pattern."""

    matches: PatternSpec


class Selected(_Part):
    """Some selected element has ``selected="true"``."""

    selected: Selector


class Checked(_Part):
    """Some selected element is checked."""

    checked: Selector


def _slips(words: Sequence[str]) -> Iterator[Misfit]:
    """Keywords that cannot be meant so."""
    folded = [fold(word) for word in words]
    for place, word in enumerate(words):
        if not word.strip():
            yield (place,), "a keyword is empty"
        elif folded[place] in folded[:place]:
            yield (place,), f"the keyword {word.strip()!r} stands twice"
        if word.strip() and word != word.strip():
            yield (place,), f"the keyword {word!r} has stray spaces"


class KeywordSpec(_Part):
    """Keywords and the share of them that has to be on the screen (D-GARA section 3.2)."""

    of: tuple[ScreenText, ...] = Field(min_length=1)
    threshold: float = Field(default=1.0, gt=0, le=1)

    @field_validator("of")
    @classmethod
    def _clean(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        refuse("KeywordSpec", _slips(value))
        return value


class Keywords(_Part):
    """At least the threshold's share of the keywords is on the screen."""

    keywords: KeywordSpec


class ActivityIs(_Part):
    """The activity in focus; a trailing ``*`` stands for any ending, a leading dot for any package."""

    activity: str = Field(min_length=1, max_length=300)


class PackageIs(_Part):
    """The package in focus."""

    package: PackageName


class SettingSpec(_Part):
    """A system setting and its value (``null`` when it is not set)."""

    namespace: Literal["system", "secure", "global"]
    key: str = Field(pattern=r"^[\w.]+$")
    equals: ScreenText


class SettingIs(_Part):
    """A system setting has a value."""

    setting: SettingSpec


class PackageStateSpec(_Part):
    """A package and its state."""

    package: PackageName
    is_: Literal["installed", "running"] = Field(alias="is")


class PackageStateIs(_Part):
    """A package is installed, or has a process."""

    package_state: PackageStateSpec


class ContentSpec(_Part):
    """A content URI and a text that its rows contain."""

    uri: str = Field(pattern=r"^content://[\w./\-]+$")
    contains: ScreenText


class ContentHas(_Part):
    """A content query's rows contain a text."""

    content: ContentSpec


class AnswerSpec(_Part):
    """What the agent's answer has to be like; white space and case do not matter."""

    equals: ScreenText | None = None
    contains: ScreenText | None = None
    matches: Pattern | None = None

    @model_validator(mode="after")
    def _one(self) -> AnswerSpec:
        if sum(value is not None for value in (self.equals, self.contains, self.matches)) != 1:
            raise ValueError("answer needs exactly one of equals, contains, matches")
        if self.matches is not None:
            check_pattern(self.matches)
        return self


class AnswerIs(_Part):
    """The agent's answer fits."""

    answer: AnswerSpec


_KINDS: dict[str, type[_Part]] = {
    "all": AllOf,
    "any": AnyOf,
    "not": Not,
    "exists": Exists,
    "absent": Absent,
    "count": Count,
    "equals": Equals,
    "contains": Contains,
    "matches": Matches,
    "selected": Selected,
    "checked": Checked,
    "keywords": Keywords,
    "activity": ActivityIs,
    "package": PackageIs,
    "setting": SettingIs,
    "package_state": PackageStateIs,
    "content": ContentHas,
    "answer": AnswerIs,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def _kind(value: Any) -> str | None:
    """The tag of a condition: its one key."""
    if isinstance(value, _Part):
        return _NAMES.get(type(value))
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        return key if key in _KINDS else None
    return None


Condition = Annotated[
    Annotated[AllOf, Tag("all")]
    | Annotated[AnyOf, Tag("any")]
    | Annotated[Not, Tag("not")]
    | Annotated[Exists, Tag("exists")]
    | Annotated[Absent, Tag("absent")]
    | Annotated[Count, Tag("count")]
    | Annotated[Equals, Tag("equals")]
    | Annotated[Contains, Tag("contains")]
    | Annotated[Matches, Tag("matches")]
    | Annotated[Selected, Tag("selected")]
    | Annotated[Checked, Tag("checked")]
    | Annotated[Keywords, Tag("keywords")]
    | Annotated[ActivityIs, Tag("activity")]
    | Annotated[PackageIs, Tag("package")]
    | Annotated[SettingIs, Tag("setting")]
    | Annotated[PackageStateIs, Tag("package_state")]
    | Annotated[ContentHas, Tag("content")]
    | Annotated[AnswerIs, Tag("answer")],
    Discriminator(
        _kind,
        custom_error_type="condition",
        custom_error_message="a condition is one of: " + ", ".join(_KINDS),
    ),
]

for _model in (AllOf, AnyOf, Not):
    _model.model_rebuild()
