"""Conditions on the state of a device, for goals and rules.

A condition is a mapping with one key: ``exists: {id: frame_like}``, ``all: […]``. A condition on a selector
holds if it holds for any matching element. `garabench.core.evaluate` evaluates conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)

from garabench.core.answers import AnswerType, TypedAnswer, Unit, invalid_value
from garabench.core.cross_field import Violation, raise_violations
from garabench.core.identifiers import PackageName
from garabench.core.patterns import check_pattern
from garabench.core.selector import Pattern, ScreenText, Selector, normalize

Attribute = Literal["text", "desc", "hint", "resource_id", "cls", "package"]


def fold(text: str) -> str:
    """Return the form in which keywords are compared: NFC, trimmed, case-folded."""
    return normalize(text).casefold()


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class AllOf(_Part):
    """All conditions hold."""

    all: tuple[Condition, ...] = Field(min_length=1)


class AnyOf(_Part):
    """At least one condition holds."""

    any: tuple[Condition, ...] = Field(min_length=1)


class Not(_Part):
    """The condition does not hold; unknown stays unknown."""

    not_: Condition = Field(alias="not")


class Earlier(_Part):
    """The condition held on an earlier settled screen of this episode.

    The first screen, on which the agent has done nothing yet, does not count.
    """

    earlier: Condition

    @field_validator("earlier")
    @classmethod
    def _without_answer(cls, value: Any) -> Any:
        if any(isinstance(part, AnswerIs) for part in nested_conditions(value)):
            raise ValueError("an answer ends the episode, so no earlier screen has one")
        return value


class Exists(_Part):
    """At least one element matches."""

    exists: Selector


class Absent(_Part):
    """No element matches."""

    absent: Selector


class CountSpec(_Part):
    """A selector and bounds for the number of matching elements."""

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
    """The number of matching elements is within bounds."""

    count: CountSpec


class ValueSpec(_Part):
    """An attribute of the matching elements and the value to compare it with."""

    select: Selector
    attribute: Attribute = "text"
    value: ScreenText


class PatternSpec(_Part):
    """An attribute of the matching elements and a pattern to find in it."""

    select: Selector
    attribute: Attribute = "text"
    pattern: Pattern

    @field_validator("pattern")
    @classmethod
    def _valid(cls, value: str) -> str:
        return check_pattern(value)


class Equals(_Part):
    """The attribute of at least one matching element equals the value."""

    equals: ValueSpec


class Contains(_Part):
    """The attribute of at least one matching element contains the value."""

    contains: ValueSpec


class Matches(_Part):
    """The attribute of at least one matching element contains a match of the pattern."""

    matches: PatternSpec


class IsSelected(_Part):
    """At least one matching element has ``selected="true"``."""

    selected: Selector


class IsChecked(_Part):
    """At least one matching element is checked."""

    checked: Selector


def _invalid_keywords(words: Sequence[str]) -> Iterator[Violation]:
    """Find invalid keywords: empty, duplicate, or with surrounding spaces."""
    folded = [fold(word) for word in words]
    for place, word in enumerate(words):
        if not word.strip():
            yield (place,), "empty keyword"
        elif folded[place] in folded[:place]:
            yield (place,), f"duplicate keyword {word.strip()!r}"
        if word.strip() and word != word.strip():
            yield (place,), f"the keyword {word!r} has leading or trailing spaces"


_ROUNDING = 1e-9


class KeywordSpec(_Part):
    """Keywords and the share of them that must be on the screen (D-GARA section 3.2)."""

    of: tuple[ScreenText, ...] = Field(min_length=1)
    threshold: float = Field(default=1.0, gt=0, le=1)

    @field_validator("of")
    @classmethod
    def _clean(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        raise_violations("KeywordSpec", _invalid_keywords(value))
        return value

    @property
    def needed(self) -> float:
        """The number of keywords that meets the threshold, less a margin for rounding: 0.7 of 10 is 7."""
        return self.threshold * len(self.of) - _ROUNDING


class Keywords(_Part):
    """At least the given share of the keywords is on the screen."""

    keywords: KeywordSpec


class ActivityIs(_Part):
    """The focused activity; a trailing ``*`` matches any ending, a leading dot any package."""

    activity: str = Field(min_length=1, max_length=300)


class PackageIs(_Part):
    """The focused package."""

    package: PackageName


class SettingSpec(_Part):
    """A system setting and its value (``null`` if it is not set)."""

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
    """A package is installed or running."""

    package_state: PackageStateSpec


class ContentSpec(_Part):
    """A content URI and a text that its rows must contain."""

    uri: str = Field(pattern=r"^content://[\w./\-]+$")
    contains: ScreenText


class ContentHas(_Part):
    """The rows of a content query contain a text."""

    content: ContentSpec


class AnswerSpec(_Part):
    """A constraint on the agent's answer: a value of a type, or a text that no type covers.

    `garabench.core.answers` describes how a typed answer is read. In an untyped one, white space and case are
    ignored, and it is never ambiguous.
    """

    type: AnswerType | None = None
    value: ScreenText | None = None
    unit: Unit | None = None
    accept: tuple[ScreenText, ...] = ()
    lookalikes: tuple[ScreenText, ...] = Field(
        default=(), validation_alias=AliasChoices("lookalikes", "beside")
    )
    """Words of values of the same type that are on screen too; ``beside`` is its name in older suites."""
    equals: ScreenText | None = None
    contains: ScreenText | None = None
    matches: Pattern | None = None

    @property
    def typed(self) -> TypedAnswer | None:
        """The expected typed answer; None if the constraint is untyped."""
        if self.type is None or self.value is None:
            return None
        return TypedAnswer(self.type, self.value, self.unit, self.accept, self.lookalikes)

    @model_validator(mode="after")
    def _one(self) -> AnswerSpec:
        if sum(value is not None for value in (self.type, self.equals, self.contains, self.matches)) != 1:
            raise ValueError("answer needs exactly one of type, equals, contains, matches")
        if (self.type is None) is not (self.value is None):
            raise ValueError("type and value must be given together")
        if self.type is None and (self.unit or self.accept or self.lookalikes):
            raise ValueError("unit, accept and lookalikes need a type")
        if self.unit is not None and self.type not in ("number", "price"):
            raise ValueError("only a number or a price has a unit")
        if (typed := self.typed) is not None:
            for value in (typed.value, *typed.accept):
                if problem := invalid_value(typed, value):
                    raise ValueError(problem)
        if self.matches is not None:
            check_pattern(self.matches)
        return self


class AnswerIs(_Part):
    """The agent's answer meets the constraint."""

    answer: AnswerSpec


_KINDS: dict[str, type[_Part]] = {
    "all": AllOf,
    "any": AnyOf,
    "not": Not,
    "earlier": Earlier,
    "exists": Exists,
    "absent": Absent,
    "count": Count,
    "equals": Equals,
    "contains": Contains,
    "matches": Matches,
    "selected": IsSelected,
    "checked": IsChecked,
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
    """Return the tag of a condition: its only key."""
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
    | Annotated[Earlier, Tag("earlier")]
    | Annotated[Exists, Tag("exists")]
    | Annotated[Absent, Tag("absent")]
    | Annotated[Count, Tag("count")]
    | Annotated[Equals, Tag("equals")]
    | Annotated[Contains, Tag("contains")]
    | Annotated[Matches, Tag("matches")]
    | Annotated[IsSelected, Tag("selected")]
    | Annotated[IsChecked, Tag("checked")]
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
"""A condition on the state of a device: one of the models of this module, chosen by its only key.

``pydantic.TypeAdapter(Condition)`` validates a mapping such as ``{"exists": {"id": "frame_like"}}``. The
kinds are ``all``, ``any``, ``not``, ``earlier``, ``exists``, ``absent``, ``count``, ``equals``, ``contains``,
``matches``, ``selected``, ``checked``, ``keywords``, ``activity``, ``package``, ``setting``,
``package_state``, ``content`` and ``answer``.
"""

for _model in (AllOf, AnyOf, Not, Earlier):
    _model.model_rebuild()


def parts_of(condition: Condition) -> tuple[Condition, ...]:
    """Return the conditions that a condition combines; none for a single one."""
    match condition:
        case AllOf():
            return condition.all
        case AnyOf():
            return condition.any
        case Not():
            return (condition.not_,)
        case Earlier():
            return (condition.earlier,)
        case _:
            return ()


def nested_conditions(condition: Condition) -> Iterator[Condition]:
    """Iterate over a condition and all conditions inside it, outer ones first."""
    yield condition
    for part in parts_of(condition):
        yield from nested_conditions(part)


def depends_on_absence(condition: Condition) -> bool:
    """Return whether a condition can hold because something is out of view."""
    return any(
        isinstance(each, Absent | Not) or (isinstance(each, Count) and _is_bounded_above(each.count))
        for each in nested_conditions(condition)
    )


def _is_bounded_above(spec: CountSpec) -> bool:
    return spec.equals is not None or spec.at_most is not None
