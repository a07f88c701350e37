"""The activity of a declared screen, and the app of an app file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from garabench.core.app_state import StateRecord
from garabench.virtual.app_files.app_model import AppSpec
from garabench.virtual.app_files.app_steps import Steps
from garabench.virtual.app_files.app_variables import (
    AppVariables,
    Handlers,
    Row,
    as_text,
    initial_data,
    open_variables,
    theme_of,
)
from garabench.virtual.app_files.operands import LANGUAGES, Operand
from garabench.virtual.app_files.step_runner import perform_steps
from garabench.virtual.app_files.view_builder import ViewBuilder
from garabench.virtual.kit import state
from garabench.virtual.kit.framework import Activity, App, Context, Intent
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import Widget

_VIEW = "android.intent.action.VIEW"
_MAX_DEPTH = 30
_LINK = re.compile(r"([a-z][a-z0-9+.-]*)://([\w.-]*)")


class StepLoopError(RuntimeError):
    """Steps of screens open each other without end; the app crashes."""


class DeclaredActivity(Activity):
    """A screen of an app file.

    Attributes:
        app_spec: The app.
        screen_name: The screen's name in the file.
        handlers: The Python functions of the step `call`.
    """

    app_spec: ClassVar[AppSpec]
    screen_name: ClassVar[str]
    handlers: Handlers = MappingProxyType({})

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self._screen = self.app_spec.screens[self.screen_name]
        self._own: dict[str, Any] = {}
        self._dialog = ""
        self._depth = 0
        self.status_bar = theme_of(self.app_spec, ctx).surface

    def on_create(self) -> None:
        self._own = open_variables(self.app_spec, self.ctx, self._screen, self.intent.extras).own
        self.act(self._screen.enter, {})

    def on_resume(self) -> None:
        self.act(self._screen.resume, {})

    def build(self) -> Widget:
        self.status_bar = theme_of(self.app_spec, self.ctx).surface
        return self._builder().screen(self._screen)

    def dialog(self) -> Widget | None:
        found = self._screen.dialogs.get(self._dialog)
        return None if found is None else self._builder().dialog(found)

    def on_dismiss_dialog(self) -> None:
        found = self._screen.dialogs.get(self._dialog)
        if found is None or not found.keep:
            self._dialog = ""

    def on_back(self) -> bool:
        if not self._screen.back:
            return False
        self.act(self._screen.back, {})
        return True

    def _builder(self) -> ViewBuilder:
        root = self._screen.tab or self.screen_name == next(iter(self.app_spec.screens))
        return ViewBuilder(self, self.variables({}), self.screen_name, root)

    # Acting; see `StepHost` and `ViewHost`

    def variables(self, rows: Mapping[str, Row]) -> AppVariables:
        """Return the screen's variables as they are now, with the rows around a widget."""
        return AppVariables(self.app_spec, self.ctx, self._screen, self._own, rows)

    def act(self, steps: Steps, rows: Mapping[str, Row]) -> None:
        """Perform steps."""
        if self._depth >= _MAX_DEPTH:
            raise StepLoopError(
                f"the steps of the screen {self.screen_name} start themselves again and again"
            )
        self._depth += 1
        try:
            perform_steps(self, steps, rows)
        finally:
            self._depth -= 1
        self.ctx.invalidate()

    def put(self, name: str, value: object, steps: Steps, rows: Mapping[str, Row]) -> None:
        """Set a variable, then perform steps."""
        self.variables(rows).set(name, value)
        self.act(steps, rows)

    def show_dialog(self, name: str) -> None:
        """Open a dialog; an empty name closes the open one."""
        self._dialog = name

    def close_dialog(self) -> None:
        """Close the open dialog."""
        self._dialog = ""

    def open_tab(self, screen: str) -> None:
        """Open the screen of a tab in place of this one."""
        if screen != self.screen_name:
            self.ctx.open(self.activity_name(screen))
            self.ctx.finish()

    def leave(self) -> None:
        """Handle the back arrow as Back."""
        if not self.on_back():
            self.ctx.finish()

    def activity_name(self, screen: str) -> str:
        """Return the class name of a screen."""
        return class_name(self.app_spec.package, screen)


def class_name(package: str, screen: str) -> str:
    """Return the class name of a screen's activity: ``order-done`` becomes ``….OrderDoneActivity``."""
    return f"{package}.{''.join(part.capitalize() for part in screen.split('-'))}Activity"


def declared_app(spec: AppSpec, handlers: Handlers = MappingProxyType({})) -> App:
    """Return the app of a checked app file.

    Args:
        spec: The app.
        handlers: Python functions by name, for the step `call`.
    """
    package = spec.package
    activities: dict[str, type[Activity]] = {}
    for name, screen in spec.screens.items():
        full = class_name(package, name)
        attributes = {
            "__doc__": f"The screen {name} of {package}.",
            "app_spec": spec,
            "screen_name": name,
            "handlers": handlers,
            "secure": screen.secure,
            "filters": tuple(_filter(link) for link in screen.links),
        }
        activities[full] = type(full.rpartition(".")[2], (DeclaredActivity,), attributes)
    label = {lang: _label(spec.name, lang) for lang in LANGUAGES}
    return App(
        package=package,
        label=label,
        activities=activities,
        launcher=class_name(package, next(iter(spec.screens))),
        version_name=spec.version,
        icon_seed=package,
        icon_color=spec.icon.color,
        icon_glyph=spec.icon.glyph,
        permissions=spec.permissions,
        initial_data=lambda: initial_data(spec),
        state=lambda ctx: state.numbered(_records(spec, ctx)),
    )


def _label(name: Operand, lang: str) -> str:
    if name.literal is not None:
        return as_text(name.literal)
    return "".join(piece for piece in name.pieces(lang) if isinstance(piece, str))


def _filter(link: str) -> IntentFilter:
    found = _LINK.fullmatch(link)
    scheme, host = (found[1], found[2]) if found else ("", "")
    return IntentFilter.of(_VIEW, scheme, host)


def _records(spec: AppSpec, ctx: Context) -> Iterator[StateRecord]:
    everywhere = AppVariables(spec, ctx)
    for record in spec.records:
        if record.each is None:
            rows = [everywhere]
        else:
            rows = [everywhere.with_row(record.as_, row) for row in everywhere.table(record.each)]
        for now in rows:
            if now.holds(record.when):
                yield state.item(
                    record.kind,
                    now.text(record.object),
                    now.text_in(record.text, "zh"),
                    now.text_in(record.text, "en"),
                    **{name: state.scalar(now.value(value)) for name, value in record.fields.items()},
                )
