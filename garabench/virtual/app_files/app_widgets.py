"""Widgets of an app file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from garabench.core.steps import Nothing
from garabench.virtual.app_files.app_conditions import AppCondition
from garabench.virtual.app_files.app_parts import (
    AppPart,
    Color,
    Distance,
    ElementId,
    Name,
    ShortForm,
    bare_word,
    part_kind,
    short_form,
)
from garabench.virtual.app_files.app_steps import Steps
from garabench.virtual.app_files.operands import Scalar, Value

Edges = Annotated[
    tuple[Distance, ...],
    BeforeValidator(lambda value: (value,) if isinstance(value, int | float) else value),
    Field(min_length=1, max_length=4),
]
"""Distances: one for all edges, two (horizontal, vertical), or four (left, top, right, bottom)."""
Size = Distance | Literal["fill"]


class Look(AppPart):
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


class TextWidget(AppPart):
    """A text."""

    text: Annotated[TextLook, short_form("value")]


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


class ButtonWidget(AppPart):
    """A button."""

    button: ButtonLook


class IconLook(Look):
    """An icon by name; with `tap` it is a button of 48 dp."""

    name: str = Field(max_length=60)
    size: float = Field(default=24, ge=8, le=200)
    color: Color = "ink"


class IconWidget(AppPart):
    """An icon."""

    icon: Annotated[IconLook, short_form("name")]


class ImageLook(Look):
    """A generated picture, the same for the same seed."""

    seed: Value
    kind: Literal["cover", "avatar", "product", "logo", "banner"] = "cover"
    label: Value | None = None


class ImageWidget(AppPart):
    """A picture."""

    image: Annotated[ImageLook, short_form("seed")]


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


class FieldWidget(AppPart):
    """A text field."""

    field: FieldLook


class SwitchLook(Look):
    """A switch with a label; `changed` are steps after each change."""

    var: Name
    text: Value
    about: Value | None = None
    changed: Steps = ()


class SwitchWidget(AppPart):
    """A switch."""

    switch: SwitchLook


class CheckLook(Look):
    """A check box with a label; `changed` are steps after each change."""

    var: Name
    text: Value
    changed: Steps = ()


class CheckWidget(AppPart):
    """A check box."""

    check: CheckLook


class OptionSpec(AppPart):
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


class OptionsWidget(AppPart):
    """Options."""

    options: OptionsLook


class ProgressLook(Look):
    """A progress bar from 0 to 1; without a value, a spinner."""

    value: Value | None = None


class ProgressWidget(AppPart):
    """A progress bar or spinner."""

    progress: Annotated[ProgressLook, BeforeValidator(lambda value: {} if value is None else value)]


class GroupLook(Look):
    """A group of widgets; `gap` is the distance between them in dp."""

    of: tuple[AppWidget, ...]
    gap: Distance = 0


class RowWidget(AppPart):
    """Widgets side by side."""

    row: Annotated[GroupLook, BeforeValidator(ShortForm("of", lists=True))]


class ColumnWidget(AppPart):
    """Widgets one below the other."""

    column: Annotated[GroupLook, BeforeValidator(ShortForm("of", lists=True))]


class CardWidget(AppPart):
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


class ListWidget(AppPart):
    """A list."""

    list: ListLook


class DividerWidget(AppPart):
    """A hairline."""

    divider: Nothing = None


class SpaceWidget(AppPart):
    """Empty space in dp; without a number, all free space."""

    space: Distance | None = None


_WIDGETS: dict[str, type[AppPart]] = {
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
        lambda value: part_kind(_WIDGETS, value),
        custom_error_type="widget",
        custom_error_message="a widget is one of: " + ", ".join(_WIDGETS),
    ),
    BeforeValidator(bare_word),
]

for _model in (GroupLook, ListLook):
    _model.model_rebuild()
