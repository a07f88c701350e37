"""Perform the steps of a declared app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol

from garabench.virtual.app_files.app_steps import (
    After,
    AppendRow,
    AppStep,
    AskPermission,
    AskSpec,
    Assign,
    Branch,
    CallPython,
    ChangeNumber,
    ChangeSpec,
    ClearRows,
    CloseDialog,
    Flip,
    FocusField,
    GoBack,
    GoSpec,
    GoTo,
    HideKeyboard,
    NeedNetwork,
    NotifySpec,
    OpenDialog,
    PostNotification,
    RemoveRows,
    ShowToast,
    StartIntent,
    Steps,
    UpdateRows,
    UpdateSpec,
    WriteLog,
)
from garabench.virtual.app_files.app_variables import (
    MAX_TEXT,
    AppVariables,
    Handlers,
    Row,
    as_number,
    as_text,
    is_on,
)
from garabench.virtual.kit.framework import Context, Intent
from garabench.virtual.kit.server_calls import NetworkUnreachableError

_MAX_NOTIFICATION = 500
CHANNEL = "default"


class StepHost(Protocol):
    """The screen that steps act on."""

    ctx: Context
    handlers: Handlers

    def show_dialog(self, name: str) -> None:
        """Open a dialog; an empty name closes the open one."""
        ...

    def activity_name(self, screen: str) -> str:
        """Return the class name of a screen."""
        ...

    def variables(self, rows: Mapping[str, Row]) -> AppVariables:
        """Return the screen's variables as they are now, with the rows around a widget."""
        ...


def perform_steps(host: StepHost, steps: Steps, rows: Mapping[str, Row]) -> None:
    """Perform steps in their order.

    Args:
        host: The screen.
        steps: The steps.
        rows: Rows of the lists around the widget, by name.

    Raises:
        NetworkUnreachableError: A step needs a network and there is none.
    """
    for step in steps:
        _perform(host, step, host.variables(rows), rows)


def _perform(host: StepHost, step: AppStep, now: AppVariables, rows: Mapping[str, Row]) -> None:
    ctx = host.ctx
    match step:
        case GoTo(go=spec):
            ctx.start(_intent(host, spec, now))
            if spec.replace:
                ctx.finish()
        case GoBack():
            ctx.finish()
        case Assign(set=values):
            for name, value in [(name, now.formula(formula)) for name, formula in values.items()]:
                now.set(name, value if isinstance(value, bool | int | float | str) else as_text(value))
        case Flip(toggle=name):
            now.set(name, not is_on(now.get(name)))
        case ChangeNumber(change=spec):
            _change(spec, now)
        case AppendRow(append=spec):
            given = {name: now.value(value) for name, value in spec.row.items()}
            row = {name: _storable(given.get(name, "")) for name in now.spec.lists[spec.to].fields}
            now.set_rows(spec.to, [*now.table(spec.to), row])
        case RemoveRows(remove=spec):
            wanted = {name: now.value(value) for name, value in spec.match.items()}
            now.set_rows(spec.of, [row for row in now.table(spec.of) if not now.row_matches(row, wanted)])
        case UpdateRows(update=spec):
            _update(spec, now)
        case ClearRows(clear=name):
            now.set_rows(name, ())
        case ShowToast(toast=text):
            ctx.toast(now.text(text))
        case OpenDialog(dialog=name):
            host.show_dialog(name)
        case CloseDialog():
            host.show_dialog("")
        case AskPermission(ask_permission=spec):
            _ask(host, spec, rows)
        case PostNotification(notify=spec):
            _notify(host, spec, now)
        case After(after=spec):
            ctx.after(round(spec.seconds * 1000), partial(perform_steps, host, spec.do, rows))
        case Branch(if_=spec):
            perform_steps(host, spec.then if now.holds(spec.when) else spec.else_, rows)
        case NeedNetwork(need_network=text):
            if not ctx.online:
                raise NetworkUnreachableError(now.text(text))
        case StartIntent(start=spec):
            ctx.start(Intent(action=spec.action, data=now.text(spec.data)))
        case WriteLog(log=text):
            ctx.log(ctx.package.rpartition(".")[2], now.text(text))
        case FocusField(focus=name):
            ctx.focus(name)
        case HideKeyboard():
            ctx.hide_keyboard()
        case CallPython(call=name):
            host.handlers[name](now)


def _intent(host: StepHost, spec: GoSpec, now: AppVariables) -> Intent:
    extras = {name: _storable(now.value(value)) for name, value in spec.with_.items()}
    return Intent(package=host.ctx.package, activity=host.activity_name(spec.screen), extras=extras)


def _storable(value: object) -> bool | int | float | str:
    """Return a value as an app stores it."""
    if isinstance(value, bool | int | float):
        return value
    return as_text(value)[:MAX_TEXT]


def _change(spec: ChangeSpec, now: AppVariables) -> None:
    number = as_number(as_number(now.get(spec.name)) + spec.by)
    if spec.min is not None:
        number = max(spec.min, number)
    if spec.max is not None:
        number = min(spec.max, number)
    now.set(spec.name, number)


def _update(spec: UpdateSpec, now: AppVariables) -> None:
    wanted = {name: now.value(value) for name, value in spec.match.items()}
    values = {name: _storable(now.value(value)) for name, value in spec.set.items()}
    changed: Sequence[Row] = [
        {**row, **values} if now.row_matches(row, wanted) else row for row in now.table(spec.of)
    ]
    now.set_rows(spec.of, changed)


def _notify(host: StepHost, spec: NotifySpec, now: AppVariables) -> None:
    intent = None if spec.go is None else _intent(host, spec.go, now)
    title, text = (now.text(each)[:_MAX_NOTIFICATION] for each in (spec.title, spec.text))
    host.ctx.notify(CHANNEL, title, text, intent)


def _ask(host: StepHost, spec: AskSpec, rows: Mapping[str, Row]) -> None:
    def answered(granted: bool) -> None:
        perform_steps(host, spec.granted if granted else spec.denied, rows)

    host.ctx.request_permission(spec.name, answered)
