"""Anomaly rules: when the screen looks like this, or at that moment, inject that (D-GARA section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)

from garabench.core.condition import Condition
from garabench.core.misfits import Fitting, Misfit
from garabench.core.names import KebabId, PackageName

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
"""What an agent does, by the ``type`` of `garabench.core.action`; ``any`` is each of them."""

MOST_IN_A_ROW = 5


class AfterAction(BaseModel):
    """After the agent's nth action of a kind.

    Attributes:
        kind: Which actions are counted: those that were performed, not those that made no sense there.
        at_least: How many of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ActionKind = "any"
    at_least: int = Field(default=1, ge=1, le=1000, strict=True)


class When(Fitting):
    """When a rule fires: all that is given has to hold, and the rule's app has to be in front.

    Attributes:
        all: Every one of these conditions holds.
        any: At least one of these conditions holds.
        min_step: Not before this step, counted from 0.
        at_step: Once, at this step, or at the first one after it at which all else holds.
        after_action: After so many actions of a kind, counted anew each time that the rule fires.
        after_seconds: After so many seconds of the device's own clock since the episode's first screen was
            ready, counted anew each time that the rule fires.
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
        """Whether it names a moment, and not only screens."""
        return not (self.at_step is None and self.after_action is None and self.after_seconds is None)

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """That it says nothing."""
        return (self._some,)

    def _some(self) -> Iterator[Misfit]:
        if not self.all and not self.any and not self.scheduled:
            said = (
                "when needs all: or any: with at least one condition, "
                "or one of at_step:, after_action: and after_seconds:"
            )
            yield (), said


def _listed(value: object) -> object:
    """One name is a list of one."""
    return (value,) if isinstance(value, str) else value


def _not_too_many(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > MOST_IN_A_ROW:
        raise ValueError(f"at most {MOST_IN_A_ROW} interruptions come in a row, and here are {len(names)}")
    return names


def _in_a_row_schema() -> dict[str, Any]:
    """One name or a list of them."""
    name = {"type": "string", "minLength": 1}
    many = {"type": "array", "items": name, "minItems": 1, "maxItems": MOST_IN_A_ROW}
    return {"anyOf": [name, many]}


InARow = Annotated[
    tuple[str, ...],
    BeforeValidator(_listed),
    AfterValidator(_not_too_many),
    WithJsonSchema(_in_a_row_schema()),
]


class Rule(Fitting):
    """A rule.

    Attributes:
        id: Its name.
        description: What it is for.
        app: Only while this app is in focus; the file's app unless given; ``any`` for every app.
        when: On which screens, and at which moments.
        inject: The interruption's name; or several, each of which comes when the one before is over.
        probability: Chance each time that the conditions come to hold; 1 means always.
        once: At most once an episode.
        priority: Of several that fire at once the highest is taken, then the first in file order.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    app: PackageName | Literal["any"] | None = None
    when: When
    inject: InARow = Field(min_length=1)
    probability: float = Field(default=1.0, gt=0, le=1, strict=True)
    once: bool = True
    priority: int = Field(default=0, strict=True)

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """That it is to come again at a moment that comes once."""
        return (self._can_come_again,)

    def _can_come_again(self) -> Iterator[Misfit]:
        if not self.once and self.when.at_step is not None:
            said = (
                "a step comes once: write min_step for each time from this step on, or leave once: false out"
            )
            yield ("when", "at_step"), said


class RuleFile(BaseModel):
    """A file of rules of one app, or of ``any``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName | Literal["any"]
    rules: tuple[Rule, ...] = Field(min_length=1)
