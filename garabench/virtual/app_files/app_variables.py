"""The variables of a declared app, and the evaluation of values, conditions and formulas.

Evaluation always ends: values have no loops, numbers and texts are bounded, and a computed value is
evaluated once. Nothing raises on odd data: what is not a number counts as 0, and a missing field is empty.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from garabench.virtual.app_files.app_conditions import (
    AllTrue,
    AnyTrue,
    AppCondition,
    Choose,
    CountRows,
    FirstRow,
    Formula,
    HasNetwork,
    HasPart,
    HasRow,
    IsEmpty,
    IsOn,
    IsPermitted,
    NotLess,
    NotTrue,
    PlainValue,
    Plus,
    RowSpec,
    SameValue,
    Sum,
    Times,
)
from garabench.virtual.app_files.app_model import AppSpec, ScreenSpec, ThemeSpec
from garabench.virtual.app_files.app_parts import MAX_ROWS
from garabench.virtual.app_files.app_widgets import ListLook
from garabench.virtual.app_files.operands import Operand, Placeholder
from garabench.virtual.kit.framework import Context

Row = Mapping[str, Any]
"""A row: literals, and operands for texts by language."""
MAX_TEXT = 10_000
_MAX_NUMBER = 1e12
NOW = ("date", "time")
"""The fields of the built-in row ``now``."""


def initial_data(spec: AppSpec) -> dict[str, Any]:
    """Return an app's data after installation."""
    return {
        "state": dict(spec.state),
        "lists": {
            name: [{key: row.get(key, "") for key in each.fields} for row in each.rows]
            for name, each in spec.lists.items()
        },
    }


def as_text(value: object, decimals: int | None = None) -> str:
    """Return a value as a text: whole numbers without a fraction, at most 10,000 characters."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float() if decimals is not None:
            return f"{value:.{decimals}f}"
        case float():
            return str(int(value)) if value.is_integer() else f"{value:.10g}"
        case str():
            return value[:MAX_TEXT]
        case None:
            return ""
        case Mapping() | Sequence():
            return ""
        case _:
            return str(value)[:MAX_TEXT]


def as_number(value: object) -> int | float:
    """Return a value as a number within bounds; 0 if it is none."""
    number: int | float
    match value:
        case bool() | int() | float():
            number = value
        case str():
            try:
                number = float(value)
            except ValueError:
                return 0
        case _:
            return 0
    if math.isnan(number):
        return 0
    number = max(-_MAX_NUMBER, min(_MAX_NUMBER, number))
    return int(number) if float(number).is_integer() else round(float(number), 6)


def is_on(value: object) -> bool:
    """Return whether a value is true: ``true``, or a number other than 0."""
    return value == "true" if isinstance(value, str) else bool(as_number(value))


def same(one: object, other: object) -> bool:
    """Return whether two values are equal as texts: 2 equals ``"2"`` and 2.0."""
    return as_text(one) == as_text(other)


def theme_of(spec: AppSpec, ctx: Context) -> ThemeSpec:
    """Return the colours of an app in the phone's present mode."""
    return spec.dark_theme if ctx.dark and spec.dark_theme is not None else spec.theme


@dataclass(frozen=True, slots=True)
class AppVariables:
    """The names that a screen can see at one moment, and their values.

    Attributes:
        spec: The app.
        ctx: The phone.
        screen: The screen; None outside of one.
        own: Arguments and variables of the screen.
        rows: Rows of the lists around a widget, by name.
        memo: Computed values.
    """

    spec: AppSpec
    ctx: Context
    screen: ScreenSpec | None = None
    own: dict[str, Any] = field(default_factory=dict)
    rows: Mapping[str, Row] = field(default_factory=dict)
    memo: dict[str, Any] = field(default_factory=dict)

    def with_row(self, name: str, row: Row) -> AppVariables:
        """Return the variables with a row of a list."""
        return replace(self, rows={**self.rows, name: row})

    # Names

    @property
    def _state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ctx.data["state"]
        return found

    def get(self, name: str) -> Any:
        """Return the value of a name: a literal, a row or a table."""
        if name in self.rows:
            return self.rows[name]
        if name in self.own:
            return self.own[name]
        for values in (self.screen.values if self.screen else {}, self.spec.values):
            if name in values:
                if name not in self.memo:
                    self.memo[name] = self.formula(values[name])
                return self.memo[name]
        if name in self.spec.state:
            return self._state.get(name, self.spec.state[name])
        if name == "now":
            now = self.ctx.now()
            return {"date": f"{now:%Y-%m-%d}", "time": f"{now:%H:%M}"}
        if name == "t":
            return self.spec.texts
        if name in self.spec.lists or name in self.spec.data:
            return self.table(name)
        return ""

    def table(self, name: str) -> Sequence[Row]:
        """Return the rows of a table or list."""
        if name in self.spec.lists:
            found: list[Row] = self.ctx.data["lists"].setdefault(name, [])
            return found
        return self.spec.data.get(name, ())

    def set(self, name: str, value: object) -> None:
        """Set a variable of the screen or of the app."""
        value = value[:MAX_TEXT] if isinstance(value, str) else value
        if name in self.own:
            self.own[name] = value
        else:
            self._state[name] = value
        self.memo.clear()

    def set_rows(self, name: str, rows: Sequence[Row]) -> None:
        """Replace the rows of a list; at most the newest 500 remain."""
        self.ctx.data["lists"][name] = [dict(row) for row in rows][-MAX_ROWS:]
        self.memo.clear()

    # Values

    def value(self, operand: Operand) -> Any:
        """Return the value of an operand; a text that is one placeholder has the placeholder's type."""
        if operand.literal is not None:
            return operand.literal
        pieces = operand.pieces(self.ctx.lang)
        if len(pieces) == 1 and isinstance(piece := pieces[0], Placeholder) and piece.decimals is None:
            return self._resolve(piece)
        return self._join(pieces)

    def text(self, operand: Operand | None) -> str:
        """Return an operand as a text; empty for None."""
        return "" if operand is None else as_text(self.value(operand))

    def text_of(self, name: str) -> str:
        """Return the value of a name as a text."""
        return as_text(self.get(name))

    def text_in(self, operand: Operand, lang: str) -> str:
        """Return an operand's own text in a language; what it refers to is in the phone's language."""
        return as_text(operand.literal) if operand.literal is not None else self._join(operand.pieces(lang))

    def _join(self, pieces: Sequence[str | Placeholder]) -> str:
        parts = (
            piece if isinstance(piece, str) else as_text(self._resolve(piece), piece.decimals)
            for piece in pieces
        )
        return "".join(parts)[:MAX_TEXT]

    def _resolve(self, placeholder: Placeholder) -> Any:
        name, *fields = placeholder.path
        found = self.get(name)
        for each in fields:
            if isinstance(found, Mapping):
                found = found.get(each, "")
            elif each == "count" and isinstance(found, Sequence) and not isinstance(found, str):
                found = len(found)
            else:
                found = ""
        found = self.value(found) if isinstance(found, Operand) else found
        return as_number(found) if placeholder.decimals is not None else found

    # Rows

    def matching(self, spec: RowSpec) -> list[Row]:
        """Return the rows that match."""
        wanted = {name: self.value(value) for name, value in spec.match.items()}
        return [row for row in self.table(spec.of) if self.row_matches(row, wanted)]

    def row_matches(self, row: Row, wanted: Mapping[str, Any]) -> bool:
        """Return whether a row's fields have the given values."""
        return all(same(self.field(row, name), value) for name, value in wanted.items())

    def field(self, row: Row, name: str) -> Any:
        """Return the value of a row's field; empty if it has none."""
        found = row.get(name, "")
        return self.value(found) if isinstance(found, Operand) else found

    # Conditions and formulas

    def holds(self, condition: AppCondition | None) -> bool:
        """Return whether a condition holds; True for None."""
        match condition:
            case None:
                return True
            case AllTrue(all=each):
                return all(self.holds(one) for one in each)
            case AnyTrue(any=each):
                return any(self.holds(one) for one in each)
            case NotTrue(not_=one):
                return not self.holds(one)
            case SameValue(equals=(one, other)):
                return same(self.value(one), self.value(other))
            case NotLess(at_least=(one, other)):
                return as_number(self.value(one)) >= as_number(self.value(other))
            case HasPart(contains=(one, other)):
                return self.text(other).strip().casefold() in self.text(one).casefold()
            case IsOn(on=one):
                return is_on(self.value(one))
            case IsEmpty(empty=one):
                found = self.value(one)
                return not (found.strip() if isinstance(found, str) else found)
            case HasRow(has=spec):
                return bool(self.matching(spec))
            case HasNetwork(online=wanted):
                return self.ctx.online is wanted
            case IsPermitted(permission=name):
                return self.ctx.permission(name)
        raise TypeError(f"not a condition: {condition!r}")

    def formula(self, formula: Formula) -> Any:
        """Return the value of a formula."""
        match formula:
            case Sum(sum=spec):
                rows = self.matching(spec)
                return as_number(sum(self._product(row, spec.field, spec.times) for row in rows))
            case CountRows(count=spec):
                return len(self.matching(spec))
            case FirstRow(row=spec):
                return next(iter(self.matching(spec)), {})
            case Plus(plus=each):
                return as_number(sum(as_number(self.value(one)) for one in each))
            case Times(times=each):
                return as_number(math.prod(as_number(self.value(one)) for one in each))
            case Choose(choose=spec):
                return self.value(spec.then if self.holds(spec.when) else spec.else_)
            case PlainValue(value=one):
                return self.value(one)
        raise TypeError(f"not a formula: {formula!r}")

    def _product(self, row: Row, one: str, times: str | None) -> int | float:
        number = as_number(self.field(row, one))
        return number if times is None else as_number(number * as_number(self.field(row, times)))


Handlers = Mapping[str, Callable[[AppVariables], None]]
"""Python functions that the step `call` calls, by name; only installed packages have any."""


def open_variables(
    spec: AppSpec, ctx: Context, screen: ScreenSpec, extras: Mapping[str, object]
) -> AppVariables:
    """Return the variables of a screen that opens.

    Args:
        spec: The app.
        ctx: The phone.
        screen: The screen.
        extras: The intent's extras, of which the screen's arguments are taken.
    """
    own: dict[str, Any] = dict(screen.vars)
    for name in screen.args:
        given = extras.get(name, "")
        own[name] = given[:MAX_TEXT] if isinstance(given, str) else given
    return AppVariables(spec, ctx, screen, own)


def shown_rows(variables: AppVariables, look: ListLook) -> Iterator[AppVariables]:
    """Yield the variables of each row that a list shows, in its order."""
    rows = variables.table(look.of)
    for row in reversed(rows) if look.newest_first else rows:
        inner = variables.with_row(look.as_, row)
        if inner.holds(look.only):
            yield inner
