"""Goal schemas: named conditions with parameters on the state of the device.

A goal names the object (which video, which product), not only the gesture. Placeholders ``{name}`` in its
texts are filled from the task's ``with:``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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

from garabench.core.condition import AllOf, AnswerIs, Condition, Earlier, nested_conditions
from garabench.core.cross_field import CrossFieldCheck, CrossFieldModel, Violation
from garabench.core.identifiers import KebabId, PackageName
from garabench.core.suggestions import did_you_mean, nearest

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
"""A placeholder in a goal's texts."""


def _number_to_string(value: object) -> object:
    """Convert a part's number to a string; refuse ``2.1`` as a number, because ``2.10`` would equal it."""
    if isinstance(value, float):
        raise ValueError(f'quote the number of a nested part: "{value}"')
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_PART = r"^[1-9][0-9]*(\.[1-9][0-9]*)*$"

PartPath = Annotated[
    str,
    BeforeValidator(_number_to_string),
    Field(pattern=_PART, max_length=50),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": _PART}]}),
]
"""The path to a condition of a goal: its number, or several numbers from the outside in."""


class GoalParam(BaseModel):
    """A parameter of a goal.

    Attributes:
        type: Type of its values.
        default: Its default value; without one, tasks must give a value.
        description: Its meaning.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["text", "number", "pattern"] = "text"
    default: str | int | float | None = None
    description: str = ""


class Guard(BaseModel):
    """A condition of a goal, or a field of one, that no near miss or solution needs, with the reason for it.

    Attributes:
        part: The number of the condition in the goal's ``all`` or ``any``, from 1, or a path of numbers:
            ``2.1`` is the first one within the second. A ``not`` or ``earlier`` is not numbered. None if the
            goal is a single condition.
        field: The field of the part's selector, with the enclosing fields: ``inside.has.text``. None for the
            whole part.
        reason: What it guards against.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: PartPath | None = None
    field: str | None = Field(default=None, pattern=r"^[a-z_]+(\.[a-z_]+)*$", max_length=100)
    reason: str = Field(min_length=5)

    @model_validator(mode="after")
    def _names_one(self) -> Guard:
        if self.part is None and self.field is None:
            raise ValueError("a guard needs part, field or both")
        return self


class Badge(BaseModel):
    """A number on the page of things that are on another page, such as those in the cart.

    Nothing on the page names them, so the goal cannot name them either, and if one is exchanged for another,
    no trace of it is on the page.

    Attributes:
        part: The number of the condition, as for a guard.
        reason: What it counts, and where that is shown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: PartPath
    reason: str = Field(min_length=5)


class GoalSchema(CrossFieldModel):
    """A goal schema.

    Attributes:
        id: Its id.
        description: The state that it denotes.
        params: Its parameters, by name.
        holds: The condition, checked on a settled screen; it may use other goals.
        object: The reason why the goal names no object, for the rare goal that has none to name.
        guards: Parts that are exempt from needing a near miss that only they reject.
        badges: Parts that read the number of things which are on another page.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    params: dict[str, GoalParam] = Field(default_factory=dict)
    holds: dict[str, Any]
    object: str | None = None
    guards: tuple[Guard, ...] = ()
    badges: tuple[Badge, ...] = ()

    @field_validator("holds")
    @classmethod
    def _one_condition(cls, value: dict[str, Any]) -> dict[str, Any]:
        if len(value) != 1 and not ("use" in value and value.keys() <= {"use", "with"}):
            raise ValueError("holds takes one condition; combine several with all: or any:")
        return value

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the checks that the parameters, the object and the guards match the condition."""
        return (self._params_used, self._object_named, self._guards_are_parts, self._badges_are_parts)

    def _params_used(self) -> Iterator[Violation]:
        used = placeholders(self.holds)
        unknown = used - self.params.keys()
        for path, text in _texts(self.holds):
            for name in dict.fromkeys(PLACEHOLDER.findall(text)):
                if name in unknown:
                    message = f"unknown parameter {{{name}}}"
                    hint = did_you_mean(name, self.params)
                    yield ("holds", *path), f"{message}. {hint}".removesuffix(". ")
        meant = {nearest(name, self.params) for name in unknown}
        for name in sorted(self.params.keys() - used - meant):
            yield ("params", name), f"unused parameter {name!r}"

    def _object_named(self) -> Iterator[Violation]:
        if not placeholders(self.holds) and self.object is None:
            message = "a goal must name its object with a parameter, or give the reason in object:"
            yield ("holds",), message

    def _guards_are_parts(self) -> Iterator[Violation]:
        earlier: set[tuple[str | None, str | None]] = set()
        for place, guard in enumerate(self.guards):
            target = (guard.part, guard.field)
            if guard.part is not None and (problem := guard_part_problem(self.holds, guard.part)):
                yield ("guards", place, "part"), problem
            elif guard.field is not None and (
                problem := guard_field_problem(self.holds, guard.part, guard.field)
            ):
                yield ("guards", place, "field"), problem
            elif target in earlier:
                what = "part" if guard.field is None else "field"
                yield ("guards", place, what), f"duplicate guard: the {what} is already declared"
            earlier.add(target)

    def _badges_are_parts(self) -> Iterator[Violation]:
        earlier: set[str] = set()
        for place, badge in enumerate(self.badges):
            if problem := guard_part_problem(self.holds, badge.part):
                yield ("badges", place, "part"), problem
            elif badge.part in earlier:
                yield ("badges", place, "part"), "duplicate badge: the part is already declared"
            earlier.add(badge.part)


class GoalFile(BaseModel):
    """A file with the goals of one app (or ``app: any``)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app: PackageName | Literal["any"]
    goals: tuple[GoalSchema, ...] = Field(min_length=1)


class GoalUse(BaseModel):
    """A task's reference to its goal: ``{use: video-liked, with: {title: 稻香}}``."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    use: str
    with_: dict[str, str | int | float] = Field(default_factory=dict, alias="with")


class Goal(BaseModel):
    """A goal with its parameters filled: a condition that can be evaluated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    condition: Condition


def with_earlier(condition: Condition, earlier: Sequence[Goal]) -> Condition:
    """Return a condition that also requires goals to have held on earlier screens.

    Args:
        condition: The condition on the present screen.
        earlier: The goals, which contain no answer.
    """
    if not earlier:
        return condition
    own = condition.all if isinstance(condition, AllOf) else (condition,)
    return AllOf(all=(*own, *(Earlier(earlier=goal.condition) for goal in earlier)))


def asks_for_an_answer(goal: Goal) -> bool:
    """Return whether a goal contains a condition on the agent's answer."""
    return any(isinstance(part, AnswerIs) for part in nested_conditions(goal.condition))


def placeholders(value: Any) -> set[str]:
    """Return the names of all placeholders in nested values."""
    return {name for _, text in _texts(value) for name in PLACEHOLDER.findall(text)}


def _texts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Iterate over the strings in nested values, with their paths."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _texts(part, (*path, key))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from _texts(part, (*path, number))


def guard_part_problem(holds: Any, part: str) -> str:
    """Return why a guard's part does not exist, or empty if it exists.

    Args:
        holds: A goal's condition as written. A use of another goal is not expanded; any part of it is valid.
        part: The path of numbers to the part, such as ``2.1``.
    """
    here, above = holds, ""
    for number in part.split("."):
        here = _within_unnumbered(here)
        if isinstance(here, dict) and "use" in here:
            return ""
        name = next((each for each in ("all", "any") if isinstance(here, dict) and each in here), "")
        listed = here[name] if name else ()
        count = len(listed) if isinstance(listed, list | tuple) else 0
        whole = f"part {above}'s {name}" if above else f"the goal's {name}"
        if not name:
            whole = f"part {above}" if above else "the goal"
            return f"unknown part {part}: {whole} has no parts"
        if int(number) > count:
            return f"unknown part {part}: {whole} has {count}"
        here, above = listed[int(number) - 1], f"{above}.{number}".lstrip(".")
    return ""


def guard_field_problem(holds: Any, part: str | None, field: str) -> str:
    """Return why a guard's field does not exist or uses no parameter, or empty if it is valid.

    Args:
        holds: A goal's condition as written. A use of another goal is not expanded; any field of it is valid.
        part: The path of numbers to the part, as for `guard_part_problem`; None for the goal itself.
        field: The field of its selector, with the enclosing fields.
    """
    here = holds
    for number in (part or "").split(".") if part else ():
        here = _listed(here)[int(number) - 1]
        if "use" in here:
            return ""
    here = _within_unnumbered(here)
    if isinstance(here, dict) and "use" in here:
        return ""
    where = f"part {part}" if part else "the goal"
    value: Any = next(iter(here.values())) if isinstance(here, dict) else None
    value = value.get("select", value) if isinstance(value, dict) else None
    for key in field.split("."):
        if not isinstance(value, dict) or key not in value:
            return f"unknown field {field} in {where}"
        value = value[key]
    return (
        "" if placeholders(value) else f"the field {field} of {where} uses no parameter, so it needs no guard"
    )


def _listed(holds: Any) -> Sequence[Any]:
    """Return the parts of a condition; the condition itself if it has none."""
    holds = _within_unnumbered(holds)
    return holds.get("all") or holds.get("any") or (holds,)


def _within_unnumbered(holds: Any) -> Any:
    """Return the condition inside ``not`` and ``earlier``, which have no separate number."""
    while isinstance(holds, dict) and (key := next((key for key in ("not", "earlier") if key in holds), "")):
        holds = holds[key]
    return holds


def fill_placeholders(value: Any, values: dict[str, str | int | float], *, key: str = "") -> Any:
    """Fill the placeholders in nested values.

    A value within a pattern is escaped, so that ``C++`` matches literally. A text that consists of a single
    placeholder becomes the value itself, whether a number or a string.
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
        return {name: fill_placeholders(part, values, key=name) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [fill_placeholders(part, values, key=key) for part in value]
    return value


def is_pattern(key: str) -> bool:
    """Return whether a key's value is a pattern, in which texts must be escaped."""
    return key == "pattern" or key.endswith("matches")


def parameter_violations(schema: GoalSchema, given: Mapping[str, object]) -> Iterator[Violation]:
    """Find the mistakes in a task's parameters for a goal; a missing one has an empty location."""
    for name in sorted(given.keys() - schema.params.keys()):
        yield (name,), f"the goal {schema.id!r} has no parameter {name!r}"
    for name, param in schema.params.items():
        value = given.get(name, param.default)
        if value is None:
            yield (), f"the goal {schema.id!r} is missing the parameter {name!r}"
        elif param.type == "number" and isinstance(value, str):
            yield (name,), f"the parameter {name!r} of {schema.id!r} must be a number, not {value!r}"


def bind(schema: GoalSchema, given: dict[str, str | int | float]) -> Goal:
    """Fill a goal's parameters.

    Raises:
        ValueError: A parameter is unknown, missing or of the wrong type.
    """
    if wrong := next(parameter_violations(schema, given), None):
        raise ValueError(wrong[1])
    values: dict[str, str | int | float] = {}
    for name, param in schema.params.items():
        value = given.get(name, param.default)
        if value is not None:
            values[name] = value if param.type == "number" else str(value)
    return Goal.model_validate({"id": schema.id, "condition": fill_placeholders(schema.holds, values)})
