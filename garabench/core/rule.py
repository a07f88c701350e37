"""Anomaly rules: when the screen looks like this, inject that (D-GARA section 3.2)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from garabench.core.condition import Condition
from garabench.core.names import KebabId, PackageName


class When(BaseModel):
    """When a rule fires.

    Attributes:
        all: Every one of these holds.
        any: At least one of these holds.
        min_step: Not before this step, counted from 0.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    min_step: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _some(self) -> When:
        if not self.all and not self.any:
            raise ValueError("when needs all: or any: with at least one condition")
        return self


class Rule(BaseModel):
    """A rule.

    Attributes:
        id: Its name.
        description: What it is for.
        app: Only while this app is in focus; the file's app unless given; ``any`` for every app.
        when: On which screens.
        inject: The interruption's name.
        probability: Chance each time that the conditions come to hold; 1 means always.
        once: At most once an episode.
        priority: Of several that fire at once the highest is taken, then the first in file order.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    app: PackageName | Literal["any"] | None = None
    when: When
    inject: str
    probability: float = Field(default=1.0, gt=0, le=1)
    once: bool = True
    priority: int = 0


class RuleFile(BaseModel):
    """A file of rules of one app, or of ``any``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName | Literal["any"]
    rules: tuple[Rule, ...] = Field(min_length=1)
