"""The format of an app file: state, tables, computed values, screens with widgets, and steps.

Widgets, steps, conditions and formulas are mappings with one key, as steps and conditions of the suite are:
``button: {text: Buy, tap: [{go: cart}]}``.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from garabench.core.identifiers import KebabId, PackageName
from garabench.virtual.app_files.app_conditions import AppCondition, Formula
from garabench.virtual.app_files.app_parts import (
    MAX_ROWS,
    AppPart,
    Color,
    ElementId,
    HexColor,
    Name,
    Permission,
)
from garabench.virtual.app_files.app_steps import Steps
from garabench.virtual.app_files.app_widgets import AppWidget, ButtonLook
from garabench.virtual.app_files.operands import Scalar, Value


class DialogSpec(AppPart):
    """A dialog.

    Attributes:
        title: Its title.
        body: Its widgets.
        buttons: Its buttons; each closes it before its steps.
        sheet: Whether it is at the bottom.
        keep: Whether Back and taps outside leave it open.
    """

    title: Value | None = None
    body: tuple[AppWidget, ...] = ()
    buttons: tuple[ButtonLook, ...] = ()
    sheet: bool = False
    keep: bool = False


class ScreenSpec(AppPart):
    """A screen.

    Attributes:
        title: Title in the bar at the top; without one there is no bar.
        args: Names of its arguments; they are also the extras of ``am start``.
        vars: Its variables and their initial values, which end with the screen.
        values: Its computed values.
        enter: Steps when it opens.
        resume: Steps whenever it comes to the foreground.
        back: Steps of Back, instead of closing it.
        actions: Widgets in the bar.
        body, footer: Its widgets; the footer does not scroll.
        dialogs: Its dialogs.
        tab: Whether it shows the app's tabs.
        secure: Whether screenshots are black.
        links: Addresses that open it, such as ``teashop://order``.
    """

    title: Value | None = None
    args: tuple[Name, ...] = ()
    vars: dict[Name, Scalar] = Field(default_factory=dict)
    values: dict[Name, Formula] = Field(default_factory=dict)
    enter: Steps = ()
    resume: Steps = ()
    back: Steps = ()
    actions: tuple[AppWidget, ...] = ()
    body: tuple[AppWidget, ...] = ()
    footer: tuple[AppWidget, ...] = ()
    dialogs: dict[KebabId, DialogSpec] = Field(default_factory=dict)
    tab: bool = False
    secure: bool = False
    links: tuple[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9+.-]*://[\w.-]*$")], ...] = ()
    background: Color = "background"


class TabSpec(AppPart):
    """A tab: its screen, label and icon."""

    screen: KebabId
    text: Value
    icon: str = Field(max_length=60)
    id: ElementId | None = None


class ListSpec(AppPart):
    """A list of the app's state: the fields of a row, and its initial rows."""

    fields: tuple[Name, ...] = Field(min_length=1, max_length=40)
    rows: tuple[dict[Name, Scalar], ...] = Field(default=(), max_length=MAX_ROWS)


class RecordSpec(AppPart):
    """Records of the user's data, for tests and measurements.

    Attributes:
        kind: Their kind.
        each: The list whose rows are records; without one, a single record.
        as_: The name of a row.
        when: The record exists only while this holds.
        object: Identifies the record among those of its kind.
        fields: Its values.
        text: A sentence about it.
    """

    kind: KebabId
    each: Name | None = None
    as_: Name = Field(default="row", alias="as")
    when: AppCondition | None = None
    object: Value
    fields: dict[Name, Value] = Field(default_factory=dict)
    text: Value


class IconSpec(AppPart):
    """The launcher icon: its colour, and one or two letters (or ``icon:NAME``)."""

    color: HexColor = "#1A73E8"
    glyph: str = Field(default="", max_length=60)


class ThemeSpec(AppPart):
    """The colours of the app."""

    accent: HexColor = "#1A73E8"
    on_accent: HexColor = "#FFFFFF"
    ink: HexColor = "#1F1F1F"
    muted: HexColor = "#70757A"
    surface: HexColor = "#FFFFFF"
    background: HexColor = "#F5F6F8"
    line: HexColor = "#E3E5E8"
    danger: HexColor = "#C5221F"


class AppSpec(AppPart):
    """An app file.

    Attributes:
        package: Its package name.
        name: Its label.
        version: Its version name.
        icon: The launcher icon.
        theme: Its colours.
        dark_theme: Its colours in dark mode; None for the same.
        permissions: The permissions that it may ask for, by their full names.
        texts: Texts by name, used as ``{t.name}``.
        data: Tables that never change: rows of literals and texts by language.
        state: AppVariables and their initial values, which persist.
        lists: Lists of rows, which persist.
        values: Computed values; each may use those before it.
        tabs: The tabs at the bottom.
        screens: The screens; the first one is the start screen.
        records: The user's data as records.
    """

    package: PackageName
    name: Value
    version: Annotated[str, StringConstraints(pattern=r"^[\w.+-]+$", max_length=40)] = "1.0"
    icon: IconSpec = IconSpec()
    theme: ThemeSpec = ThemeSpec()
    dark_theme: ThemeSpec | None = None
    permissions: tuple[Permission, ...] = Field(default=(), max_length=40)
    texts: dict[Name, Value] = Field(default_factory=dict)
    data: dict[Name, Annotated[tuple[dict[Name, Value], ...], Field(max_length=MAX_ROWS)]] = Field(
        default_factory=dict
    )
    state: dict[Name, Scalar] = Field(default_factory=dict)
    lists: dict[Name, ListSpec] = Field(default_factory=dict)
    values: dict[Name, Formula] = Field(default_factory=dict)
    tabs: tuple[TabSpec, ...] = Field(default=(), max_length=6)
    screens: dict[KebabId, ScreenSpec] = Field(min_length=1, max_length=100)
    records: tuple[RecordSpec, ...] = Field(default=(), max_length=100)
