"""Steps of an app file: what a touch, a timer or an opening screen does."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Discriminator, Field, Tag

from garabench.core.identifiers import KebabId
from garabench.core.steps import Nothing, Seconds
from garabench.virtual.app_files.app_conditions import AppCondition, Formula, RowSpec
from garabench.virtual.app_files.app_parts import (
    AppPart,
    ElementId,
    Name,
    Permission,
    bare_word,
    part_kind,
    short_form,
)
from garabench.virtual.app_files.operands import Value


class GoSpec(AppPart):
    """The screen to open, its arguments, and whether it replaces the current screen."""

    screen: KebabId
    with_: dict[Name, Value] = Field(default_factory=dict, alias="with")
    replace: bool = False


class GoTo(AppPart):
    """Open another screen."""

    go: Annotated[GoSpec, short_form("screen")]


class GoBack(AppPart):
    """Close this screen."""

    back: Nothing = None


class Assign(AppPart):
    """Set variables of the app or of the screen."""

    set: dict[Name, Formula] = Field(min_length=1)


class Flip(AppPart):
    """Flip a variable between true and false."""

    toggle: Name


class ChangeSpec(AppPart):
    """The variable, the number to add, and its bounds."""

    name: Name
    by: int | float = 1
    min: int | float | None = None
    max: int | float | None = None


class ChangeNumber(AppPart):
    """Add to a number."""

    change: ChangeSpec


class AppendSpec(AppPart):
    """A list, and the fields of the new row; missing fields are empty texts."""

    to: Name
    row: dict[Name, Value]


class AppendRow(AppPart):
    """Append a row to a list."""

    append: AppendSpec


class RemoveRows(AppPart):
    """Remove the rows that match."""

    remove: RowSpec


class UpdateSpec(RowSpec):
    """The rows, and the new values of their fields."""

    set: dict[Name, Value] = Field(min_length=1)


class UpdateRows(AppPart):
    """Change the fields of the rows that match."""

    update: UpdateSpec


class ClearRows(AppPart):
    """Remove all rows of a list."""

    clear: Name


class ShowToast(AppPart):
    """Show a toast."""

    toast: Value


class OpenDialog(AppPart):
    """Open a dialog of this screen."""

    dialog: KebabId


class CloseDialog(AppPart):
    """Close the dialog."""

    close: Nothing = None


class AskSpec(AppPart):
    """The permission, and the steps after the answer."""

    name: Permission
    granted: tuple[AppStep, ...] = ()
    denied: tuple[AppStep, ...] = ()


class AskPermission(AppPart):
    """Show the system's dialog for a permission of the app."""

    ask_permission: Annotated[AskSpec, short_form("name")]


class NotifySpec(AppPart):
    """A notification, and the screen that it opens."""

    title: Value
    text: Value
    go: GoSpec | None = None


class PostNotification(AppPart):
    """Post a notification; since Android 13 it needs the permission."""

    notify: NotifySpec


class AfterSpec(AppPart):
    """A delay and the steps after it."""

    seconds: Seconds
    do: tuple[AppStep, ...] = Field(min_length=1)


class After(AppPart):
    """Perform steps after a delay, unless the screen has closed by then."""

    after: AfterSpec


class BranchSpec(AppPart):
    """A condition, and the steps if it holds and if it does not."""

    when: AppCondition
    then: tuple[AppStep, ...] = ()
    else_: tuple[AppStep, ...] = Field(default=(), alias="else")


class Branch(AppPart):
    """Perform steps if a condition holds."""

    if_: BranchSpec = Field(alias="if")


class NeedNetwork(AppPart):
    """Without a network, show this toast and skip the remaining steps."""

    need_network: Value


class IntentSpec(AppPart):
    """An intent by action, with data such as ``package:com.example.app``."""

    action: str = Field(pattern=r"^[\w.]+$", max_length=200)
    data: Value | None = None


class StartIntent(AppPart):
    """Start an activity of the system or of another app."""

    start: Annotated[IntentSpec, short_form("action")]


class WriteLog(AppPart):
    """Write a line to logcat under the app's package."""

    log: Value


class FocusField(AppPart):
    """Focus a text field and open the keyboard."""

    focus: ElementId


class HideKeyboard(AppPart):
    """Close the keyboard."""

    hide_keyboard: Nothing = None


class CallPython(AppPart):
    """Call a Python function of the installed package that offers the app."""

    call: Name


_STEPS: dict[str, type[AppPart]] = {
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
        lambda value: part_kind(_STEPS, value),
        custom_error_type="step",
        custom_error_message="a step is one of: " + ", ".join(_STEPS),
    ),
    BeforeValidator(bare_word),
]
Steps = tuple[AppStep, ...]

for _model in (AskSpec, AfterSpec, BranchSpec):
    _model.model_rebuild()
