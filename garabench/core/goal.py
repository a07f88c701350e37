"""Goal schemas: named, parametrised conditions over the state of the device.

A goal names the object (which video, which product), never only the gesture. Placeholders ``{name}`` in
its texts are filled from the task's ``with:``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from garabench.core.condition import Condition
from garabench.core.misfits import Fitting, Misfit
from garabench.core.names import KebabId, PackageName, did_you_mean, nearest

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
"""A parameter's name in a goal's texts."""


def _written(value: object) -> object:
    """A part's numbers as a text: ``2`` may be a number, ``2.1`` may not, or ``2.10`` would be the same."""
    if isinstance(value, float):
        raise ValueError(f'the numbers of a part within a part stand in quotes: "{value}"')
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_PART = r"^[1-9][0-9]*(\.[1-9][0-9]*)*$"

PartPath = Annotated[
    str,
    BeforeValidator(_written),
    Field(pattern=_PART, max_length=50),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": _PART}]}),
]
"""Which condition of a goal: its number, or the numbers on the way to it."""


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
    """A condition of a goal, or a field of one, that no way of a task needs and that is there all the same.

    Attributes:
        part: Which one: its number in the goal's ``all`` or ``any``, from 1; or the numbers on the way to it,
            ``2.1`` for the first of those in the second. A ``not`` is no number of its own. None where the
            goal is one condition.
        field: Which field of the part's selector, and of those within it: ``inside.has.text``. None for all
            of the part.
        reason: Against what it guards.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: PartPath | None = None
    field: str | None = Field(default=None, pattern=r"^[a-z_]+(\.[a-z_]+)*$", max_length=100)
    reason: str = Field(min_length=5)

    @model_validator(mode="after")
    def _names_one(self) -> Guard:
        if self.part is None and self.field is None:
            raise ValueError("a guard is a part, a field, or a field of a part")
        return self


class GoalSchema(Fitting):
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

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """Parameters, the object and guards that do not fit the condition."""
        return (self._params_used, self._object_named, self._guards_are_parts)

    def _params_used(self) -> Iterator[Misfit]:
        used = placeholders(self.holds)
        unknown = used - self.params.keys()
        for path, text in _texts(self.holds):
            for name in dict.fromkeys(PLACEHOLDER.findall(text)):
                if name in unknown:
                    said = f"{{{name}}} is used and is no parameter"
                    hint = did_you_mean(name, self.params)
                    yield ("holds", *path), f"{said}. {hint}".removesuffix(". ")
        meant = {nearest(name, self.params) for name in unknown}
        for name in sorted(self.params.keys() - used - meant):
            yield ("params", name), f"the parameter {name!r} is used nowhere"

    def _object_named(self) -> Iterator[Misfit]:
        if not placeholders(self.holds) and self.object is None:
            said = "a goal names its object by a parameter, or says object: with the reason why not"
            yield ("holds",), said

    def _guards_are_parts(self) -> Iterator[Misfit]:
        seen: set[tuple[str | None, str | None]] = set()
        for place, guard in enumerate(self.guards):
            named = (guard.part, guard.field)
            if guard.part is not None and (said := no_part(self.holds, guard.part)):
                yield ("guards", place, "part"), said
            elif guard.field is not None and (said := no_field(self.holds, guard.part, guard.field)):
                yield ("guards", place, "field"), said
            elif named in seen:
                what = "part" if guard.field is None else "field"
                yield ("guards", place, what), f"a {what} is declared a guard twice"
            seen.add(named)


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
    return {name for _, text in _texts(value) for name in PLACEHOLDER.findall(text)}


def _texts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The texts in nested values, each with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(part, (*path, key))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _texts(part, (*path, number))


def no_part(holds: Any, part: str) -> str:
    """Why there is no condition of that number to guard, or empty when there is one.

    Args:
        holds: A goal's condition as it is written. What a goal within it is made of is not known here.
        part: The numbers on the way to the part, such as ``2.1``.
    """
    here, above = holds, ""
    for number in part.split("."):
        while isinstance(here, dict) and "not" in here:
            here = here["not"]
        if isinstance(here, dict) and "use" in here:
            return ""
        name = next((each for each in ("all", "any") if isinstance(here, dict) and each in here), "")
        listed = here[name] if name else ()
        count = len(listed) if isinstance(listed, list | tuple) else 0
        whole = f"part {above}'s {name}" if above else f"the goal's {name}"
        if not name:
            whole = f"part {above}" if above else "the goal"
            return f"there is no part {part} to guard: {whole} has no parts"
        if int(number) > count:
            return f"there is no part {part} to guard: {whole} has {count}"
        here, above = listed[int(number) - 1], f"{above}.{number}".lstrip(".")
    return ""


def no_field(holds: Any, part: str | None, field: str) -> str:
    """Why there is no field to guard that names a parameter, or empty when there is one.

    Args:
        holds: A goal's condition as it is written. What a goal within it is made of is not known here.
        part: The numbers on the way to the part, as `no_part` knows it; None for the goal itself.
        field: The field of its selector, with those it stands in before it.
    """
    here = holds
    for number in (part or "").split(".") if part else ():
        here = _listed(here)[int(number) - 1]
        if "use" in here:
            return ""
    while isinstance(here, dict) and "not" in here:
        here = here["not"]
    if isinstance(here, dict) and "use" in here:
        return ""
    where = f"part {part}" if part else "the goal"
    said: Any = next(iter(here.values())) if isinstance(here, dict) else None
    said = said.get("select", said) if isinstance(said, dict) else None
    for key in field.split("."):
        if not isinstance(said, dict) or key not in said:
            return f"there is no field {field} to guard in {where}"
        said = said[key]
    return (
        "" if placeholders(said) else f"the field {field} of {where} names no parameter, and needs no guard"
    )


def _listed(holds: Any) -> Sequence[Any]:
    """The parts of a condition that has some."""
    while "not" in holds:
        holds = holds["not"]
    return holds.get("all") or holds.get("any") or (holds,)


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


def misbound(schema: GoalSchema, given: Mapping[str, object]) -> Iterator[Misfit]:
    """What is wrong with a goal's parameters as they are given; at an empty place where one is missing."""
    for name in sorted(given.keys() - schema.params.keys()):
        yield (name,), f"the goal {schema.id!r} has no parameter {name!r}"
    for name, param in schema.params.items():
        value = given.get(name, param.default)
        if value is None:
            yield (), f"the goal {schema.id!r} needs the parameter {name!r}"
        elif param.type == "number" and isinstance(value, str):
            yield (name,), f"the parameter {name!r} of {schema.id!r} is a number, not {value!r}"


def bind(schema: GoalSchema, given: dict[str, str | int | float]) -> Goal:
    """Fill a goal's parameters.

    Raises:
        ValueError: A parameter is unknown, missing or of the wrong type.
    """
    if wrong := next(misbound(schema, given), None):
        raise ValueError(wrong[1])
    values: dict[str, str | int | float] = {}
    for name, param in schema.params.items():
        value = given.get(name, param.default)
        if value is not None:
            values[name] = value if param.type == "number" else str(value)
    return Goal.model_validate({"id": schema.id, "condition": fill(schema.holds, values)})
