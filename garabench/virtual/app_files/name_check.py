"""Check that every name in an app file exists and fits: screens, variables, fields, permissions, icons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from garabench.core.suggestions import did_you_mean
from garabench.core.yamldoc import Path, YamlDoc
from garabench.errors import InputError
from garabench.virtual.android.package_manager import DANGEROUS
from garabench.virtual.app_files.app_conditions import FirstRow, Formula, IsPermitted, RowSpec, SumSpec
from garabench.virtual.app_files.app_model import AppSpec, RecordSpec, ScreenSpec
from garabench.virtual.app_files.app_steps import (
    AppendSpec,
    AskSpec,
    Assign,
    CallPython,
    ChangeSpec,
    ClearRows,
    Flip,
    GoSpec,
    OpenDialog,
    RemoveRows,
    UpdateRows,
    UpdateSpec,
)
from garabench.virtual.app_files.app_variables import NOW
from garabench.virtual.app_files.app_widgets import (
    CheckLook,
    FieldLook,
    IconLook,
    ListLook,
    OptionsLook,
    SwitchLook,
)
from garabench.virtual.app_files.operands import Operand, Placeholder
from garabench.virtual.ui.icons import MDI, UnknownIconError, glyph

_RESERVED_PACKAGES = ("android", "com.android.", "org.garabench.")
BUILT_IN = ("t", "now")
"""Names that every app has."""


@dataclass(frozen=True, slots=True)
class NameKind:
    """What a name stands for.

    Attributes:
        what: ``text``, ``number``, ``switch`` (true or false), ``value`` (computed, or an argument), ``row``,
            ``table`` or ``list``.
        fields: The fields of a row, or of the rows of a table or list.
    """

    what: str
    fields: frozenset[str] = frozenset()

    @property
    def is_variable(self) -> bool:
        """Whether steps can set it."""
        return self.what in ("text", "number", "switch", "argument")


def _is_icon(name: str) -> bool:
    try:
        glyph(name)
    except UnknownIconError:
        return False
    return True


def _kind_of(value: object) -> NameKind:
    if isinstance(value, bool):
        return NameKind("switch")
    return NameKind("number" if isinstance(value, int | float) else "text")


@dataclass(frozen=True, slots=True)
class _Scope:
    """The names that a place sees, and its screen."""

    names: Mapping[str, NameKind]
    screen: ScreenSpec | None = None

    def plus(self, name: str, kind: NameKind) -> _Scope:
        return replace(self, names={**self.names, name: kind})


def check_names(spec: AppSpec, doc: YamlDoc, handlers: Sequence[str] = ()) -> list[InputError]:
    """Return the mistakes in an app file that its format alone does not show.

    Args:
        spec: The app.
        doc: Its document.
        handlers: Names of the Python functions that steps may call.
    """
    checker = _Checker(spec, doc, handlers)
    checker.check()
    return checker.errors


@dataclass
class _Checker:
    spec: AppSpec
    doc: YamlDoc
    handlers: Sequence[str]
    errors: list[InputError] = field(default_factory=list)

    def check(self) -> None:
        spec = self.spec
        if spec.package == "android" or spec.package.startswith(_RESERVED_PACKAGES[1:]):
            self._report(("package",), f"the package {spec.package!r} is reserved for the system")
        tables = self._tables()
        scope = _Scope({"t": NameKind("row", frozenset(spec.texts)), "now": NameKind("row", frozenset(NOW))})
        self._visit(spec.name, ("name",), scope)
        for name, text in spec.texts.items():
            self._plain(text, ("texts", name))
        scope = self._declare(scope, tables, ("data", "lists"))
        scope = self._declare(
            scope, {name: _kind_of(value) for name, value in spec.state.items()}, ("state",)
        )
        scope = self._values(spec.values, ("values",), scope)
        glyph = spec.icon.glyph
        if glyph.startswith("icon:"):
            self._icon(glyph.removeprefix("icon:"), ("icon", "glyph"))
        for number, tab in enumerate(spec.tabs):
            self._screen(tab.screen, ("tabs", number, "screen"))
            self._icon(tab.icon, ("tabs", number, "icon"))
            self._visit(tab.text, ("tabs", number, "text"), scope)
        for name, screen in spec.screens.items():
            self._check_screen(screen, ("screens", name), scope)
        for number, record in enumerate(spec.records):
            self._record(record, ("records", number), scope)

    def _report(self, path: Path, message: str, hint: str = "", *, key: bool = False) -> None:
        self.errors.append(self.doc.error(path, message, hint=hint, key=key))

    # Declarations

    def _tables(self) -> dict[str, NameKind]:
        tables: dict[str, NameKind] = {}
        for name, rows in self.spec.data.items():
            tables[name] = NameKind("table", frozenset(key for row in rows for key in row))
            for number, row in enumerate(rows):
                for key, value in row.items():
                    self._plain(value, ("data", name, number, key))
        for name, each in self.spec.lists.items():
            tables[name] = NameKind("list", frozenset(each.fields))
            for number, stored in enumerate(each.rows):
                for key in stored:
                    if key not in each.fields:
                        at = ("lists", name, "rows", number, key)
                        self._report(at, f"unknown field {key!r}", did_you_mean(key, each.fields), key=True)
        return tables

    def _plain(self, value: Operand, path: Path) -> None:
        for found in value.placeholders:
            self._report(path, f"{{{found.name}}} is not allowed here: this text is the same at all times")

    def _declare(self, scope: _Scope, names: Mapping[str, NameKind], sections: Sequence[str]) -> _Scope:
        for name, kind in names.items():
            section = next(each for each in sections if name in getattr(self.spec, each))
            self._free(name, (section, name), scope)
            scope = scope.plus(name, kind)
        return scope

    def _free(self, name: str, path: Path, scope: _Scope, *, key: bool = True) -> None:
        """Report a name that is in use already."""
        if name in scope.names:
            self._report(path, f"the name {name!r} is already in use", key=key)

    def _values(self, values: Mapping[str, Formula], at: Path, scope: _Scope) -> _Scope:
        for name, formula in values.items():
            path = (*at, name)
            self._free(name, path, scope)
            self._visit(formula, path, scope)
            kind = NameKind("value")
            if isinstance(formula, FirstRow) and (table := scope.names.get(formula.row.of)):
                kind = NameKind("row", table.fields)
            scope = scope.plus(name, kind)
        return scope

    def _check_screen(self, screen: ScreenSpec, path: Path, scope: _Scope) -> None:
        for number, name in enumerate(screen.args):
            self._free(name, (*path, "args", number), scope, key=False)
            scope = scope.plus(name, NameKind("argument"))
        for name, value in screen.vars.items():
            self._free(name, (*path, "vars", name), scope)
            scope = scope.plus(name, _kind_of(value))
        scope = replace(self._values(screen.values, (*path, "values"), scope), screen=screen)
        for key in ("title", "enter", "resume", "back", "actions", "body", "footer", "dialogs"):
            self._visit(getattr(screen, key), (*path, key), scope)

    def _record(self, record: RecordSpec, path: Path, scope: _Scope) -> None:
        if record.each is not None:
            scope = self._with_row(record.each, record.as_, (*path, "each"), (*path, "as"), scope)
        for key in ("when", "object", "fields", "text"):
            self._visit(getattr(record, key), (*path, key), scope)

    # References

    def _visit(self, node: object, path: Path, scope: _Scope) -> None:
        """Check a part of the file and everything in it."""
        match node:
            case Operand():
                for found in node.placeholders:
                    self._placeholder(found, path, scope)
            case BaseModel():
                for error_path, message, hint in self._own_names(node, path, scope):
                    self._report(error_path, message, hint)
                inner = scope
                if isinstance(node, ListLook):
                    inner = self._with_row(node.of, node.as_, (*path, "of"), (*path, "as"), scope)
                for name, info in type(node).model_fields.items():
                    in_row = isinstance(node, ListLook) and name in ("only", "each")
                    key = info.alias or name
                    # The short form of a part has no key.
                    at = (*path, key) if isinstance(self.doc.value(path), dict) else path
                    self._visit(getattr(node, name), at, inner if in_row else scope)
            case Mapping():
                for key, value in node.items():
                    self._visit(value, (*path, key), scope)
            case tuple():
                for number, value in enumerate(node):
                    self._visit(value, (*path, number), scope)

    def _with_row(self, of: str, name: str, at: Path, named_at: Path, scope: _Scope) -> _Scope:
        table = scope.names.get(of)
        if table is None or table.what not in ("table", "list"):
            self._unknown_table(of, at, scope)
        self._free(name, named_at, scope, key=False)
        return scope.plus(name, NameKind("row", table.fields if table else frozenset()))

    def _unknown_table(self, name: str, path: Path, scope: _Scope, *, only_lists: bool = False) -> None:
        kinds = ("list",) if only_lists else ("table", "list")
        where = "`lists`" if only_lists else "`data` or `lists`"
        known = [each for each, kind in scope.names.items() if kind.what in kinds]
        self._report(path, f"{name!r} is not in {where}", did_you_mean(name, known))

    def _placeholder(self, found: Placeholder, path: Path, scope: _Scope) -> None:
        name, *fields = found.path
        kind = scope.names.get(name)
        if kind is None:
            self._report(path, f"unknown name {{{found.name}}}", did_you_mean(name, scope.names))
        elif kind.what == "row" and len(fields) == 1:
            if fields[0] not in kind.fields:
                what = "text" if name == "t" else "field"
                hint = did_you_mean(fields[0], kind.fields)
                self._report(path, f"unknown {what} {{{found.name}}}", hint)
        elif kind.what == "row":
            self._report(path, f"{name!r} is a row: write {{{name}.FIELD}}", did_you_mean("", kind.fields))
        elif kind.what in ("table", "list"):
            if fields not in ([], ["count"]):
                self._report(path, f"{name!r} is a {kind.what}, not a row", f"Write {{{name}.count}}.")
        elif fields:
            self._report(path, f"{name!r} is not a row and has no field {fields[0]!r}")

    def _own_names(self, node: BaseModel, path: Path, scope: _Scope) -> Iterator[tuple[Path, str, str]]:
        """Find mistakes in the names that a part itself uses."""
        match node:
            case RowSpec():
                yield from self._rows(node, path, scope)
            case RemoveRows(remove=spec) | UpdateRows(update=spec):
                kind = scope.names.get(spec.of)
                if kind is not None and kind.what == "table":
                    at = (*path, "remove" if isinstance(node, RemoveRows) else "update", "of")
                    yield at, f"{spec.of!r} is a table of `data`, which never changes", ""
            case AppendSpec():
                yield from self._list_fields(node.to, node.row, (*path, "to"), (*path, "row"), scope)
            case ClearRows(clear=name):
                yield from self._list_fields(name, {}, (*path, "clear"), path, scope)
            case Assign(set=values):
                for name, formula in values.items():
                    yield from self._variable(name, (*path, "set", name), scope)
                    if isinstance(formula, FirstRow):
                        yield (*path, "set", name), "a row cannot be stored; store its id", ""
            case Flip(toggle=name):
                yield from self._variable(name, (*path, "toggle"), scope, "switch")
            case ChangeSpec():
                yield from self._variable(node.name, (*path, "name"), scope, "number")
            case FieldLook():
                yield from self._variable(node.var, (*path, "var"), scope, "text")
            case SwitchLook() | CheckLook():
                yield from self._variable(node.var, (*path, "var"), scope, "switch")
            case OptionsLook():
                yield from self._variable(node.var, (*path, "var"), scope)
            case GoSpec():
                yield from self._go(node, path)
            case OpenDialog(dialog=name):
                dialogs = scope.screen.dialogs if scope.screen else {}
                if name not in dialogs:
                    yield (*path, "dialog"), f"unknown dialog {name!r}", did_you_mean(name, dialogs)
            case AskSpec(name=name):
                yield from self._permission(name, (*path, "name"))
            case IsPermitted(permission=name):
                yield from self._permission(name, (*path, "permission"))
            case IconLook(name=name):
                if not _is_icon(name):
                    yield (*path, "name"), f"unknown icon {name!r}", did_you_mean(name, MDI)
            case CallPython(call=name):
                if name not in self.handlers:
                    hint = did_you_mean(name, self.handlers) or (
                        "Python functions belong to apps of installed packages; see docs/own-app.md."
                    )
                    yield (*path, "call"), f"unknown Python function {name!r}", hint

    def _rows(self, node: RowSpec, path: Path, scope: _Scope) -> Iterator[tuple[Path, str, str]]:
        kind = scope.names.get(node.of)
        if kind is None or kind.what not in ("table", "list"):
            self._unknown_table(node.of, (*path, "of"), scope)
            return
        named = [((*path, "match", name), name) for name in node.match]
        if isinstance(node, SumSpec):
            named += [((*path, "field"), node.field)]
            named += [((*path, "times"), node.times)] if node.times else []
        if isinstance(node, UpdateSpec):
            named += [((*path, "set", name), name) for name in node.set]
        for at, name in named:
            if name not in kind.fields:
                yield at, f"{node.of!r} has no field {name!r}", did_you_mean(name, kind.fields)

    def _list_fields(
        self, name: str, row: Mapping[str, object], at: Path, row_at: Path, scope: _Scope
    ) -> Iterator[tuple[Path, str, str]]:
        kind = scope.names.get(name)
        if kind is None or kind.what != "list":
            self._unknown_table(name, at, scope, only_lists=True)
            return
        for key in row:
            if key not in kind.fields:
                yield (*row_at, key), f"{name!r} has no field {key!r}", did_you_mean(key, kind.fields)

    def _variable(
        self, name: str, path: Path, scope: _Scope, what: str = ""
    ) -> Iterator[tuple[Path, str, str]]:
        kind = scope.names.get(name)
        if kind is None or not kind.is_variable:
            variables = [each for each, known in scope.names.items() if known.is_variable]
            yield (
                path,
                f"{name!r} is not a variable of `state` or of the screen",
                did_you_mean(name, variables),
            )
        elif what and kind.what not in (what, "argument"):
            initial = {"switch": "true or false", "number": "a number", "text": "a text"}[what]
            yield path, f"{name!r} holds no {what}: its initial value must be {initial}", ""

    def _go(self, node: GoSpec, path: Path) -> Iterator[tuple[Path, str, str]]:
        target = self.spec.screens.get(node.screen)
        if target is None:
            yield (
                (*path, "screen"),
                f"unknown screen {node.screen!r}",
                did_you_mean(node.screen, self.spec.screens),
            )
            return
        for name in node.with_:
            if name not in target.args:
                hint = did_you_mean(name, target.args) or f"List it in the args of the screen {node.screen}."
                yield (*path, "with", name), f"the screen {node.screen!r} has no argument {name!r}", hint

    def _screen(self, name: str, path: Path) -> None:
        if name not in self.spec.screens:
            self._report(path, f"unknown screen {name!r}", did_you_mean(name, self.spec.screens))

    def _icon(self, name: str, path: Path) -> None:
        if not _is_icon(name):
            self._report(path, f"unknown icon {name!r}", did_you_mean(name, MDI))

    def _permission(self, name: str, path: Path) -> Iterator[tuple[Path, str, str]]:
        if name not in self.spec.permissions:
            hint = did_you_mean(name, self.spec.permissions) or "Add it to `permissions`."
            yield path, f"the app does not declare the permission {name!r}", hint
        elif path[-1] == "name" and name not in DANGEROUS:
            message = f"the system does not ask for {name!r}, only for dangerous permissions"
            yield path, message, did_you_mean(name, DANGEROUS)
