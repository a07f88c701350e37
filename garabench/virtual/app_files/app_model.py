"""The format of an app file: state, tables, computed values, screens with widgets, and steps.

Widgets, steps, conditions and formulas are mappings with one key, as steps and conditions of the suite are:
``button: {text: Buy, tap: [{go: cart}]}``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, StringConstraints, Tag

from garabench.core.identifiers import KebabId, PackageName
from garabench.core.steps import Nothing, Seconds
from garabench.virtual.app_files.operands import LANGUAGES, Scalar, Value

MAX_ROWS = 500
"""Maximum number of rows of a table, and of a list of the app's state."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""The name of a variable, a table or a field."""
ElementId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=80)]
Permission = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]\w*(\.[A-Za-z]\w*)+$", max_length=120)]
THEME = ("accent", "on_accent", "ink", "muted", "surface", "background", "line", "danger")
Color = Annotated[
    str, StringConstraints(pattern=rf"^(#([0-9A-Fa-f]{{6}}|[0-9A-Fa-f]{{8}})|{'|'.join(THEME)})$")
]
HexColor = Annotated[str, StringConstraints(pattern=r"^#[0-9A-Fa-f]{6}$")]
Distance = Annotated[float, Field(ge=0, le=2000)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def _tag(kinds: dict[str, type[_Part]], value: Any) -> str | None:
    """Return the kind of a part: its only key."""
    if isinstance(value, _Part):
        return next((name for name, kind in kinds.items() if type(value) is kind), None)
    if isinstance(value, str):
        return value if value in kinds else None
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        return key if key in kinds else None
    return None


def _bare(value: Any) -> Any:
    """Convert ``- back`` to ``- back:``."""
    return {value: None} if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class ShortForm:
    """Converts the short form of a part, ``go: cart``, to the value of one of its keys.

    Attributes:
        key: The key.
        lists: Whether the short form is a list.
    """

    key: str
    lists: bool = False

    def __call__(self, value: Any) -> Any:
        """Return the long form of a part."""
        if self.lists:
            return {self.key: value} if isinstance(value, list) else value
        if isinstance(value, _Part) or value is None or (isinstance(value, dict) and not _is_text(value)):
            return value
        return {self.key: value}


def _is_text(value: dict[Any, Any]) -> bool:
    """Return whether a mapping is a text by language."""
    return bool(value) and set(value) <= set(LANGUAGES)


def _as(key: str) -> BeforeValidator:
    return BeforeValidator(ShortForm(key))


Match = dict[Name, Value]
"""Fields of a row and the values that they must have."""

# Conditions


class RowSpec(_Part):
    """Rows of a table or list: all, or those whose fields have the given values."""

    of: Name
    match: Match = Field(default_factory=dict)


class AllTrue(_Part):
    """All conditions hold."""

    all: tuple[AppCondition, ...] = Field(min_length=1)


class AnyTrue(_Part):
    """At least one condition holds."""

    any: tuple[AppCondition, ...] = Field(min_length=1)


class NotTrue(_Part):
    """The condition does not hold."""

    not_: AppCondition = Field(alias="not")


class SameValue(_Part):
    """The values are equal."""

    equals: tuple[Value, Value]


class NotLess(_Part):
    """The first number is at least the second."""

    at_least: tuple[Value, Value]


class HasPart(_Part):
    """The first text contains the second, whatever the case; every text contains an empty one."""

    contains: tuple[Value, Value]


class IsOn(_Part):
    """The value is true."""

    on: Value


class IsEmpty(_Part):
    """The text, table or list is empty."""

    empty: Value


class HasRow(_Part):
    """At least one row matches."""

    has: RowSpec


class HasNetwork(_Part):
    """The phone has a working network (or, with ``false``, has none)."""

    online: bool


class IsPermitted(_Part):
    """The app holds the permission."""

    permission: Permission


_CONDITIONS: dict[str, type[_Part]] = {
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
        lambda value: _tag(_CONDITIONS, value),
        custom_error_type="condition",
        custom_error_message="a condition is one of: " + ", ".join(_CONDITIONS),
    ),
]

# Formulas


class SumSpec(RowSpec):
    """The rows and the field to add up; `times` names a field to multiply it by."""

    field: Name
    times: Name | None = None


class Sum(_Part):
    """The sum of a field over rows."""

    sum: SumSpec


class CountRows(_Part):
    """The number of rows."""

    count: RowSpec


class FirstRow(_Part):
    """The first row that matches; its fields are empty if none does."""

    row: RowSpec


class Plus(_Part):
    """The sum of numbers."""

    plus: tuple[Value, ...] = Field(min_length=1)


class Times(_Part):
    """The product of numbers."""

    times: tuple[Value, ...] = Field(min_length=1)


class Choice(_Part):
    """A value if a condition holds, else another one."""

    when: AppCondition
    then: Value
    else_: Value = Field(alias="else")


class Choose(_Part):
    """One of two values."""

    choose: Choice


class PlainValue(_Part):
    """A value, as a formula."""

    value: Value


_FORMULAS: dict[str, type[_Part]] = {
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
        if isinstance(value, _Part) or (isinstance(value, dict) and not _is_text(value))
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
        lambda value: _tag(_FORMULAS, value),
        custom_error_type="formula",
        custom_error_message="a formula is one of: " + ", ".join(_FORMULAS),
    ),
    BeforeValidator(_formula),
]

# Steps


class GoSpec(_Part):
    """The screen to open, its arguments, and whether it replaces the current screen."""

    screen: KebabId
    with_: dict[Name, Value] = Field(default_factory=dict, alias="with")
    replace: bool = False


class GoTo(_Part):
    """Open another screen."""

    go: Annotated[GoSpec, _as("screen")]


class GoBack(_Part):
    """Close this screen."""

    back: Nothing = None


class Assign(_Part):
    """Set variables of the app or of the screen."""

    set: dict[Name, Formula] = Field(min_length=1)


class Flip(_Part):
    """Flip a variable between true and false."""

    toggle: Name


class ChangeSpec(_Part):
    """The variable, the number to add, and its bounds."""

    name: Name
    by: int | float = 1
    min: int | float | None = None
    max: int | float | None = None


class ChangeNumber(_Part):
    """Add to a number."""

    change: ChangeSpec


class AppendSpec(_Part):
    """A list, and the fields of the new row; missing fields are empty texts."""

    to: Name
    row: dict[Name, Value]


class AppendRow(_Part):
    """Append a row to a list."""

    append: AppendSpec


class RemoveRows(_Part):
    """Remove the rows that match."""

    remove: RowSpec


class UpdateSpec(RowSpec):
    """The rows, and the new values of their fields."""

    set: dict[Name, Value] = Field(min_length=1)


class UpdateRows(_Part):
    """Change the fields of the rows that match."""

    update: UpdateSpec


class ClearRows(_Part):
    """Remove all rows of a list."""

    clear: Name


class ShowToast(_Part):
    """Show a toast."""

    toast: Value


class OpenDialog(_Part):
    """Open a dialog of this screen."""

    dialog: KebabId


class CloseDialog(_Part):
    """Close the dialog."""

    close: Nothing = None


class AskSpec(_Part):
    """The permission, and the steps after the answer."""

    name: Permission
    granted: tuple[AppStep, ...] = ()
    denied: tuple[AppStep, ...] = ()


class AskPermission(_Part):
    """Show the system's dialog for a permission of the app."""

    ask_permission: Annotated[AskSpec, _as("name")]


class NotifySpec(_Part):
    """A notification, and the screen that it opens."""

    title: Value
    text: Value
    go: GoSpec | None = None


class PostNotification(_Part):
    """Post a notification; since Android 13 it needs the permission."""

    notify: NotifySpec


class AfterSpec(_Part):
    """A delay and the steps after it."""

    seconds: Seconds
    do: tuple[AppStep, ...] = Field(min_length=1)


class After(_Part):
    """Perform steps after a delay, unless the screen has closed by then."""

    after: AfterSpec


class BranchSpec(_Part):
    """A condition, and the steps if it holds and if it does not."""

    when: AppCondition
    then: tuple[AppStep, ...] = ()
    else_: tuple[AppStep, ...] = Field(default=(), alias="else")


class Branch(_Part):
    """Perform steps if a condition holds."""

    if_: BranchSpec = Field(alias="if")


class NeedNetwork(_Part):
    """Without a network, show this toast and skip the remaining steps."""

    need_network: Value


class IntentSpec(_Part):
    """An intent by action, with data such as ``package:com.example.app``."""

    action: str = Field(pattern=r"^[\w.]+$", max_length=200)
    data: Value | None = None


class StartIntent(_Part):
    """Start an activity of the system or of another app."""

    start: Annotated[IntentSpec, _as("action")]


class WriteLog(_Part):
    """Write a line to logcat under the app's package."""

    log: Value


class FocusField(_Part):
    """Focus a text field and open the keyboard."""

    focus: ElementId


class HideKeyboard(_Part):
    """Close the keyboard."""

    hide_keyboard: Nothing = None


class CallPython(_Part):
    """Call a Python function of the installed package that offers the app."""

    call: Name


_STEPS: dict[str, type[_Part]] = {
    "go": GoTo,
    "back": GoBack,
    "set": Assign,
    "toggle": Flip,
    "change": ChangeNumber,
    "append": AppendRow,
    "remove": RemoveRows,
    "update": UpdateRows,
    "clear": ClearRows,
    "toast": ShowToast,
    "dialog": OpenDialog,
    "close": CloseDialog,
    "ask_permission": AskPermission,
    "notify": PostNotification,
    "after": After,
    "if": Branch,
    "need_network": NeedNetwork,
    "start": StartIntent,
    "log": WriteLog,
    "focus": FocusField,
    "hide_keyboard": HideKeyboard,
    "call": CallPython,
}
AppStep = Annotated[
    Annotated[GoTo, Tag("go")]
    | Annotated[GoBack, Tag("back")]
    | Annotated[Assign, Tag("set")]
    | Annotated[Flip, Tag("toggle")]
    | Annotated[ChangeNumber, Tag("change")]
    | Annotated[AppendRow, Tag("append")]
    | Annotated[RemoveRows, Tag("remove")]
    | Annotated[UpdateRows, Tag("update")]
    | Annotated[ClearRows, Tag("clear")]
    | Annotated[ShowToast, Tag("toast")]
    | Annotated[OpenDialog, Tag("dialog")]
    | Annotated[CloseDialog, Tag("close")]
    | Annotated[AskPermission, Tag("ask_permission")]
    | Annotated[PostNotification, Tag("notify")]
    | Annotated[After, Tag("after")]
    | Annotated[Branch, Tag("if")]
    | Annotated[NeedNetwork, Tag("need_network")]
    | Annotated[StartIntent, Tag("start")]
    | Annotated[WriteLog, Tag("log")]
    | Annotated[FocusField, Tag("focus")]
    | Annotated[HideKeyboard, Tag("hide_keyboard")]
    | Annotated[CallPython, Tag("call")],
    Discriminator(
        lambda value: _tag(_STEPS, value),
        custom_error_type="step",
        custom_error_message="a step is one of: " + ", ".join(_STEPS),
    ),
    BeforeValidator(_bare),
]
Steps = tuple[AppStep, ...]

# Widgets

Edges = Annotated[
    tuple[Distance, ...],
    BeforeValidator(lambda value: (value,) if isinstance(value, int | float) else value),
    Field(min_length=1, max_length=4),
]
"""Distances: one for all edges, two (horizontal, vertical), or four (left, top, right, bottom)."""
Size = Distance | Literal["fill"]


class Look(_Part):
    """What all widgets share.

    Attributes:
        id: Resource id, without the package.
        desc: Content description.
        when: Shown only while this holds.
        tap, long_press: Steps.
        weight: Share of the free space in a row or column.
        width, height: In dp, or ``fill``.
        margin, padding: In dp.
        background: A colour ``#RRGGBB`` or one of the theme.
        radius: Of the corners, in dp.
        align: Position across the parent's direction.
    """

    id: ElementId | None = None
    desc: Value | None = None
    when: AppCondition | None = None
    tap: Steps = ()
    long_press: Steps = ()
    weight: float = Field(default=0, ge=0, le=100)
    width: Size | None = None
    height: Size | None = None
    margin: Edges = (0.0,)
    padding: Edges | None = None
    background: Color | None = None
    radius: Distance | None = None
    align: Literal["start", "center", "end"] | None = None


class TextLook(Look):
    """A text.

    Attributes:
        value: The text.
        size: In sp.
        color: Its colour.
        bold: Heavier weight.
        lines: Maximum number of lines; 0 for no limit.
        justify: Alignment of the lines.
    """

    value: Value
    size: float = Field(default=16, ge=6, le=96)
    color: Color = "ink"
    bold: bool = False
    lines: int = Field(default=0, ge=0, le=100)
    justify: Literal["start", "center", "end"] = "start"


class TextWidget(_Part):
    """A text."""

    text: Annotated[TextLook, _as("value")]


class ButtonLook(Look):
    """A button.

    Attributes:
        text: Its label.
        style: ``filled``, ``outlined`` or ``plain``.
        enabled: Enabled only while this holds.
        selected: Selected while this holds.
    """

    text: Value
    style: Literal["filled", "outlined", "plain"] = "filled"
    enabled: AppCondition | None = None
    selected: AppCondition | None = None


class ButtonWidget(_Part):
    """A button."""

    button: ButtonLook


class IconLook(Look):
    """An icon by name; with `tap` it is a button of 48 dp."""

    name: str = Field(max_length=60)
    size: float = Field(default=24, ge=8, le=200)
    color: Color = "ink"


class IconWidget(_Part):
    """An icon."""

    icon: Annotated[IconLook, _as("name")]


class ImageLook(Look):
    """A generated picture, the same for the same seed."""

    seed: Value
    kind: Literal["cover", "avatar", "product", "logo", "banner"] = "cover"
    label: Value | None = None


class ImageWidget(_Part):
    """A picture."""

    image: Annotated[ImageLook, _as("seed")]


class FieldLook(Look):
    """A text field.

    Attributes:
        var: The variable that holds its text.
        hint: Shown while it is empty.
        kind: The kind of input.
        action: The keyboard's action key.
        submit: Steps of that key.
        changed: Steps after each change.
        focused: Focused when the screen opens.
    """

    var: Name
    hint: Value | None = None
    kind: Literal["text", "number", "phone", "multiline", "password"] = "text"
    action: Literal["search", "done", "send", "go", "next"] = "done"
    submit: Steps = ()
    changed: Steps = ()
    focused: bool = False


class FieldWidget(_Part):
    """A text field."""

    field: FieldLook


class SwitchLook(Look):
    """A switch with a label; `changed` are steps after each change."""

    var: Name
    text: Value
    about: Value | None = None
    changed: Steps = ()


class SwitchWidget(_Part):
    """A switch."""

    switch: SwitchLook


class CheckLook(Look):
    """A check box with a label; `changed` are steps after each change."""

    var: Name
    text: Value
    changed: Steps = ()


class CheckWidget(_Part):
    """A check box."""

    check: CheckLook


class OptionSpec(_Part):
    """An option: its value, label and id."""

    value: Scalar
    text: Value
    id: ElementId | None = None


class OptionsLook(Look):
    """Options of which one is chosen.

    Attributes:
        var: The variable that holds the chosen value.
        of: The options.
        style: ``radio`` for a column of radio buttons, ``chips`` for a row of labels.
        changed: Steps after each change.
    """

    var: Name
    of: tuple[OptionSpec, ...] = Field(min_length=2, max_length=50)
    style: Literal["radio", "chips"] = "radio"
    changed: Steps = ()


class OptionsWidget(_Part):
    """Options."""

    options: OptionsLook


class ProgressLook(Look):
    """A progress bar from 0 to 1; without a value, a spinner."""

    value: Value | None = None


class ProgressWidget(_Part):
    """A progress bar or spinner."""

    progress: Annotated[ProgressLook, BeforeValidator(lambda value: {} if value is None else value)]


class GroupLook(Look):
    """A group of widgets; `gap` is the distance between them in dp."""

    of: tuple[AppWidget, ...]
    gap: Distance = 0


class RowWidget(_Part):
    """Widgets side by side."""

    row: Annotated[GroupLook, BeforeValidator(ShortForm("of", lists=True))]


class ColumnWidget(_Part):
    """Widgets one below the other."""

    column: Annotated[GroupLook, BeforeValidator(ShortForm("of", lists=True))]


class CardWidget(_Part):
    """Widgets one below the other on a card."""

    card: Annotated[GroupLook, BeforeValidator(ShortForm("of", lists=True))]


class ListLook(Look):
    """The rows of a table or list.

    Attributes:
        of: The table or list.
        as_: The name of a row in the widgets.
        only: Rows for which this holds.
        each: The widgets of a row.
        none: Widgets shown instead if there are no rows.
        newest_first: Whether the last row comes first.
        columns: Number of columns.
        gap: Distance between rows in dp.
    """

    of: Name
    as_: Name = Field(alias="as")
    only: AppCondition | None = None
    each: tuple[AppWidget, ...] = Field(min_length=1)
    none: tuple[AppWidget, ...] = ()
    newest_first: bool = False
    columns: int = Field(default=1, ge=1, le=4)
    gap: Distance = 0


class ListWidget(_Part):
    """A list."""

    list: ListLook


class DividerWidget(_Part):
    """A hairline."""

    divider: Nothing = None


class SpaceWidget(_Part):
    """Empty space in dp; without a number, all free space."""

    space: Distance | None = None


_WIDGETS: dict[str, type[_Part]] = {
    "text": TextWidget,
    "button": ButtonWidget,
    "icon": IconWidget,
    "image": ImageWidget,
    "field": FieldWidget,
    "switch": SwitchWidget,
    "check": CheckWidget,
    "options": OptionsWidget,
    "progress": ProgressWidget,
    "row": RowWidget,
    "column": ColumnWidget,
    "card": CardWidget,
    "list": ListWidget,
    "divider": DividerWidget,
    "space": SpaceWidget,
}
AppWidget = Annotated[
    Annotated[TextWidget, Tag("text")]
    | Annotated[ButtonWidget, Tag("button")]
    | Annotated[IconWidget, Tag("icon")]
    | Annotated[ImageWidget, Tag("image")]
    | Annotated[FieldWidget, Tag("field")]
    | Annotated[SwitchWidget, Tag("switch")]
    | Annotated[CheckWidget, Tag("check")]
    | Annotated[OptionsWidget, Tag("options")]
    | Annotated[ProgressWidget, Tag("progress")]
    | Annotated[RowWidget, Tag("row")]
    | Annotated[ColumnWidget, Tag("column")]
    | Annotated[CardWidget, Tag("card")]
    | Annotated[ListWidget, Tag("list")]
    | Annotated[DividerWidget, Tag("divider")]
    | Annotated[SpaceWidget, Tag("space")],
    Discriminator(
        lambda value: _tag(_WIDGETS, value),
        custom_error_type="widget",
        custom_error_message="a widget is one of: " + ", ".join(_WIDGETS),
    ),
    BeforeValidator(_bare),
]

# The file


class DialogSpec(_Part):
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


class ScreenSpec(_Part):
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


class TabSpec(_Part):
    """A tab: its screen, label and icon."""

    screen: KebabId
    text: Value
    icon: str = Field(max_length=60)
    id: ElementId | None = None


class ListSpec(_Part):
    """A list of the app's state: the fields of a row, and its initial rows."""

    fields: tuple[Name, ...] = Field(min_length=1, max_length=40)
    rows: tuple[dict[Name, Scalar], ...] = Field(default=(), max_length=MAX_ROWS)


class RecordSpec(_Part):
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


class IconSpec(_Part):
    """The launcher icon: its colour, and one or two letters (or ``icon:NAME``)."""

    color: HexColor = "#1A73E8"
    glyph: str = Field(default="", max_length=60)


class ThemeSpec(_Part):
    """The colours of the app."""

    accent: HexColor = "#1A73E8"
    on_accent: HexColor = "#FFFFFF"
    ink: HexColor = "#1F1F1F"
    muted: HexColor = "#70757A"
    surface: HexColor = "#FFFFFF"
    background: HexColor = "#F5F6F8"
    line: HexColor = "#E3E5E8"
    danger: HexColor = "#C5221F"


class AppSpec(_Part):
    """An app file.

    Attributes:
        package: Its package name.
        name: Its label.
        version: Its version name.
        icon: The launcher icon.
        theme: Its colours.
        permissions: The permissions that it may ask for, by their full names.
        texts: Texts by name, used as ``{t.name}``.
        data: Tables that never change: rows of literals and texts by language.
        state: Variables and their initial values, which persist.
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


for _model in (
    AllTrue, AnyTrue, NotTrue, Choice, AskSpec, AfterSpec, BranchSpec, Look, TextLook, ButtonLook, IconLook, ImageLook,
    FieldLook, SwitchLook, CheckLook, OptionsLook, ProgressLook, GroupLook, ListLook, RowWidget, ColumnWidget, CardWidget,
    ListWidget, DialogSpec, ScreenSpec, AppSpec,
):  # fmt: skip
    _model.model_rebuild()
