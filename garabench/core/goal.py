"""Goal schemas: named, parametrised conditions over the state of the device.

A goal names the object (which video, which product), never only the gesture. Placeholders ``{name}`` in
its texts are filled from the task's ``with:``.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from garabench.core.condition import Condition
from garabench.core.misfits import Misfit, refuse
from garabench.core.names import KebabId, PackageName

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
"""A parameter's name in a goal's texts."""


class GoalParam(BaseModel):
    """A parameter of a goal.

    Attributes:
        type: What its values are.
        default: Its value where a task gives none; without one it has to be given.
        description: What it means.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["text", "number", "pattern"] = "text"
    default: str | int | float | None = None
    description: str = ""


class Guard(BaseModel):
    """A part of a goal that no near miss breaks, and that stands in it all the same.

    Attributes:
        part: Which one: its number in the goal's ``all``, from 1.
        reason: Against what it guards.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: int = Field(ge=1)
    reason: str = Field(min_length=5)


class GoalSchema(BaseModel):
    """A goal.

    Attributes:
        id: Its name.
        description: What state it is.
        params: Its parameters, by name.
        holds: The condition; it is checked on a settled screen. Parts of it may be other goals.
        object: ``none`` with a reason for the rare goal that has no object to name.
        guards: Parts that need no near miss which they alone reject.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    params: dict[str, GoalParam] = Field(default_factory=dict)
    holds: dict[str, Any]
    object: str | None = None
    guards: tuple[Guard, ...] = ()

    @field_validator("holds")
    @classmethod
    def _one_condition(cls, value: dict[str, Any]) -> dict[str, Any]:
        if len(value) != 1 and not ("use" in value and value.keys() <= {"use", "with"}):
            raise ValueError("holds is one condition; combine several with all: or any:")
        return value

    @model_validator(mode="after")
    def _params_used(self) -> GoalSchema:
        used = placeholders(self.holds)
        if missing := sorted(used - self.params.keys()):
            raise ValueError(f"{{{missing[0]}}} is used and is no parameter")
        if idle := sorted(self.params.keys() - used):
            raise ValueError(f"the parameter {idle[0]!r} is used nowhere")
        if not used and self.object is None:
            raise ValueError(
                "a goal names its object by a parameter, or says object: with the reason why not"
            )
        return self

    @model_validator(mode="after")
    def _guards_are_parts(self) -> GoalSchema:
        parts = self.holds.get("all")
        count = len(parts) if isinstance(parts, list) else 0
        seen: set[int] = set()
        misfits: list[Misfit] = []
        for place, guard in enumerate(self.guards):
            if guard.part > count:
                said = f"there is no part {guard.part} to guard: the goal's all has {count}"
                misfits.append((("guards", place, "part"), said))
            elif guard.part in seen:
                misfits.append((("guards", place, "part"), "a part is declared a guard twice"))
            seen.add(guard.part)
        refuse("GoalSchema", misfits)
        return self


class GoalFile(BaseModel):
    """A file of goals for one app (or ``app: any``)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName | Literal["any"]
    goals: tuple[GoalSchema, ...] = Field(min_length=1)


class GoalUse(BaseModel):
    """How a task names its goal: ``{use: video-liked, with: {title: 稻香}}``."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    use: str
    with_: dict[str, str | int | float] = Field(default_factory=dict, alias="with")


class Goal(BaseModel):
    """A goal whose parameters are filled: a condition ready to be checked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    condition: Condition


def placeholders(value: Any) -> set[str]:
    """The names of all placeholders in nested values."""
    if isinstance(value, str):
        return set(PLACEHOLDER.findall(value))
    if isinstance(value, dict):
        return {name for part in value.values() for name in placeholders(part)}
    if isinstance(value, list | tuple):
        return {name for part in value for name in placeholders(part)}
    return set()


def fill(value: Any, values: dict[str, str | int | float], *, key: str = "") -> Any:
    """Nested values with their placeholders filled.

    A text that goes into a pattern is escaped, so that ``C++`` means itself there; a text that is
    nothing but a placeholder takes the value as it is, number or text.
    """
    if isinstance(value, str):
        whole = PLACEHOLDER.fullmatch(value)
        if whole and whole[1] in values and not is_pattern(key):
            return values[whole[1]]

        def one(match: re.Match[str]) -> str:
            if match[1] not in values:
                return match[0]
            text = str(values[match[1]])
            return re.escape(text) if is_pattern(key) else text

        return PLACEHOLDER.sub(one, value)
    if isinstance(value, dict):
        return {name: fill(part, values, key=name) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [fill(part, values, key=key) for part in value]
    return value


def is_pattern(key: str) -> bool:
    """Whether a key's value is a pattern, in which a text has to be escaped."""
    return key == "pattern" or key.endswith("matches")


def bind(schema: GoalSchema, given: dict[str, str | int | float]) -> Goal:
    """Fill a goal's parameters.

    Raises:
        ValueError: A parameter is unknown, missing or of the wrong type.
    """
    if unknown := sorted(given.keys() - schema.params.keys()):
        raise ValueError(f"the goal {schema.id!r} has no parameter {unknown[0]!r}")
    values: dict[str, str | int | float] = {}
    for name, param in schema.params.items():
        value = given.get(name, param.default)
        if value is None:
            raise ValueError(f"the goal {schema.id!r} needs the parameter {name!r}")
        if param.type == "number" and isinstance(value, str):
            raise ValueError(f"the parameter {name!r} of {schema.id!r} is a number, not {value!r}")
        values[name] = value if param.type == "number" else str(value)
    return Goal.model_validate({"id": schema.id, "condition": fill(schema.holds, values)})
