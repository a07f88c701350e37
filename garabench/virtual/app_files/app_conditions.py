"""Conditions and formulas of an app file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Discriminator, Field, Tag

from garabench.virtual.app_files.app_parts import AppPart, Match, Name, Permission, is_text, part_kind
from garabench.virtual.app_files.operands import Value


class RowSpec(AppPart):
    """Rows of a table or list: all, or those whose fields have the given values."""

    of: Name
    match: Match = Field(default_factory=dict)


class AllTrue(AppPart):
    """All conditions hold."""

    all: tuple[AppCondition, ...] = Field(min_length=1)


class AnyTrue(AppPart):
    """At least one condition holds."""

    any: tuple[AppCondition, ...] = Field(min_length=1)


class NotTrue(AppPart):
    """The condition does not hold."""

    not_: AppCondition = Field(alias="not")


class SameValue(AppPart):
    """The values are equal."""

    equals: tuple[Value, Value]


class NotLess(AppPart):
    """The first number is at least the second."""

    at_least: tuple[Value, Value]


class HasPart(AppPart):
    """The first text contains the second, ignoring case; every text contains an empty one."""

    contains: tuple[Value, Value]


class IsOn(AppPart):
    """The value is true."""

    on: Value


class IsEmpty(AppPart):
    """The text, table or list is empty."""

    empty: Value


class HasRow(AppPart):
    """At least one row matches."""

    has: RowSpec


class HasNetwork(AppPart):
    """The phone has a working network (or, with ``false``, has none)."""

    online: bool


class IsPermitted(AppPart):
    """The app holds the permission."""

    permission: Permission


_CONDITIONS: dict[str, type[AppPart]] = {
    "all": AllTrue,
    "any": AnyTrue,
    "not": NotTrue,
    "equals": SameValue,
    "at_least": NotLess,
    "contains": HasPart,
    "on": IsOn,
    "empty": IsEmpty,
    "has": HasRow,
    "online": HasNetwork,
    "permission": IsPermitted,
}
AppCondition = Annotated[
    Annotated[AllTrue, Tag("all")]
    | Annotated[AnyTrue, Tag("any")]
    | Annotated[NotTrue, Tag("not")]
    | Annotated[SameValue, Tag("equals")]
    | Annotated[NotLess, Tag("at_least")]
    | Annotated[HasPart, Tag("contains")]
    | Annotated[IsOn, Tag("on")]
    | Annotated[IsEmpty, Tag("empty")]
    | Annotated[HasRow, Tag("has")]
    | Annotated[HasNetwork, Tag("online")]
    | Annotated[IsPermitted, Tag("permission")],
    Discriminator(
        lambda value: part_kind(_CONDITIONS, value),
        custom_error_type="condition",
        custom_error_message="a condition is one of: " + ", ".join(_CONDITIONS),
    ),
]

# Formulas


class SumSpec(RowSpec):
    """The rows and the field to add up; `times` names a field to multiply it by."""

    field: Name
    times: Name | None = None


class Sum(AppPart):
    """The sum of a field over rows."""

    sum: SumSpec


class CountRows(AppPart):
    """The number of rows."""

    count: RowSpec


class FirstRow(AppPart):
    """The first row that matches; its fields are empty if none does."""

    row: RowSpec


class Plus(AppPart):
    """The sum of numbers."""

    plus: tuple[Value, ...] = Field(min_length=1)


class Times(AppPart):
    """The product of numbers."""

    times: tuple[Value, ...] = Field(min_length=1)


class ValueChoice(AppPart):
    """A value if a condition holds, else another one."""

    when: AppCondition
    then: Value
    else_: Value = Field(alias="else")


class Choose(AppPart):
    """One of two values."""

    choose: ValueChoice


class PlainValue(AppPart):
    """A value, as a formula."""

    value: Value


_FORMULAS: dict[str, type[AppPart]] = {
    "sum": Sum,
    "count": CountRows,
    "row": FirstRow,
    "plus": Plus,
    "times": Times,
    "choose": Choose,
    "value": PlainValue,
}


def _formula(value: Any) -> Any:
    """Convert a plain value to a formula."""
    return (
        value
        if isinstance(value, AppPart) or (isinstance(value, dict) and not is_text(value))
        else {"value": value}
    )


Formula = Annotated[
    Annotated[Sum, Tag("sum")]
    | Annotated[CountRows, Tag("count")]
    | Annotated[FirstRow, Tag("row")]
    | Annotated[Plus, Tag("plus")]
    | Annotated[Times, Tag("times")]
    | Annotated[Choose, Tag("choose")]
    | Annotated[PlainValue, Tag("value")],
    Discriminator(
        lambda value: part_kind(_FORMULAS, value),
        custom_error_type="formula",
        custom_error_message="a formula is one of: " + ", ".join(_FORMULAS),
    ),
    BeforeValidator(_formula),
]

for _model in (AllTrue, AnyTrue, NotTrue, ValueChoice):
    _model.model_rebuild()
