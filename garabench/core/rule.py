"""Rules: what to inject, on which screens and at which moments (D-GARA section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)

from garabench.core.condition import Condition, Earlier, nested_conditions
from garabench.core.cross_field import CrossFieldCheck, CrossFieldModel, Violation
from garabench.core.identifiers import KebabId, PackageName

ActionKind = Literal[
    "any",
    "tap",
    "double_tap",
    "long_press",
    "swipe",
    "drag",
    "scroll",
    "type",
    "clear",
    "key",
    "back",
    "home",
    "recents",
    "open_app",
    "wait",
]
"""The ``type`` of an action of `garabench.core.action`, or ``any``."""

MAX_SEQUENCE = 5
"""Maximum number of interruptions that one rule injects in a row."""


class AfterAction(BaseModel):
    """A trigger after a number of the agent's actions.

    Attributes:
        kind: The kind of actions that count; only actions that were performed count.
        at_least: The number of actions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ActionKind = "any"
    at_least: int = Field(default=1, ge=1, le=1000, strict=True)


class When(CrossFieldModel):
    """The screens and moments at which a rule fires.

    All given fields must hold, and the rule's app must be in the foreground.

    Attributes:
        all: Conditions that must all hold.
        any: Conditions of which at least one must hold.
        min_step: The first step at which the rule may fire, from 0.
        at_step: Fire once, at this step or at the first later one at which everything else holds.
        after_action: Fire after a number of actions; the count restarts each time the rule fires.
        after_seconds: Fire after this many seconds on the device's clock since the episode's first screen
            was ready; the count restarts each time the rule fires.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    min_step: int = Field(default=0, ge=0, strict=True)
    at_step: int | None = Field(default=None, ge=0, strict=True)
    after_action: AfterAction | None = None
    after_seconds: float | None = Field(default=None, gt=0, le=86_400, allow_inf_nan=False, strict=True)

    @property
    def scheduled(self) -> bool:
        """Whether it names a moment, not only screens."""
        return not (self.at_step is None and self.after_action is None and self.after_seconds is None)

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the checks that a condition or moment is given, and that all read the present screen."""
        return (self._some, self._present)

    def _some(self) -> Iterator[Violation]:
        if not self.all and not self.any and not self.scheduled:
            message = (
                "when needs all: or any: with at least one condition, "
                "or one of at_step:, after_action: and after_seconds:"
            )
            yield (), message

    def _present(self) -> Iterator[Violation]:
        for key, conditions in (("all", self.all), ("any", self.any)):
            for place, condition in enumerate(conditions):
                if any(isinstance(part, Earlier) for part in nested_conditions(condition)):
                    yield (key, place), "earlier is for goals: a rule reads the present screen only"


def _to_tuple(value: object) -> object:
    """Convert a single name to a tuple."""
    return (value,) if isinstance(value, str) else value


def _not_too_many(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > MAX_SEQUENCE:
        raise ValueError(f"at most {MAX_SEQUENCE} interruptions in a row are allowed, found {len(names)}")
    return names


def _sequence_schema() -> dict[str, Any]:
    """Return the schema of one name or a list of names."""
    name = {"type": "string", "minLength": 1}
    many = {"type": "array", "items": name, "minItems": 1, "maxItems": MAX_SEQUENCE}
    return {"anyOf": [name, many]}


InjectSequence = Annotated[
    tuple[str, ...],
    BeforeValidator(_to_tuple),
    AfterValidator(_not_too_many),
    WithJsonSchema(_sequence_schema()),
]


class Rule(CrossFieldModel):
    """A rule.

    Attributes:
        id: Its id.
        description: Its purpose.
        app: The app that must be in the foreground; ``any`` for every app. Default: the file's app.
        when: The screens and moments at which it fires.
        inject: The interruption's id, or several ids; each is injected after the previous one has ended.
        probability: Probability of firing each time the conditions become true; 1 means always.
        once: Fire at most once per episode.
        priority: If several rules fire at once, the highest priority wins, then the first in file order.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    app: PackageName | Literal["any"] | None = None
    when: When
    inject: InjectSequence = Field(min_length=1)
    probability: float = Field(default=1.0, gt=0, le=1, strict=True)
    once: bool = True
    priority: int = Field(default=0, strict=True)

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the check that a rule with ``at_step`` does not repeat."""
        return (self._at_step_not_repeated,)

    def _at_step_not_repeated(self) -> Iterator[Violation]:
        if not self.once and self.when.at_step is not None:
            message = "at_step fires once: use min_step to fire from a step on, or remove once: false"
            yield ("when", "at_step"), message


class RuleFile(BaseModel):
    """A file with the rules of one app, or of ``any``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName | Literal["any"]
    rules: tuple[Rule, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class BoundRule:
    """A rule and the app on whose screens it may fire (``any`` for every app)."""

    rule: Rule
    app: str
