"""Creates the views of the optional elements of a window, such as picture, stars, puzzle and close button."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.companion import illustrations
from garabench.virtual.apps.companion.spec import MAX_STARS
from garabench.virtual.apps.companion.view_factory import ViewContext, button_id, faint
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Canvas,
    Column,
    Icon,
    Row,
    Slider,
    Text,
    TextField,
    Widget,
    insets,
)

CLOSE_BUTTON, SMALL_CLOSE_BUTTON = 48.0, 32.0
"""Size of the touch target in dp; the small one is deliberately smaller than Android recommends."""


def picture(context: ViewContext, height: float, radius: float = 0) -> list[Widget]:
    """Return the illustration if the specification has one; it is invisible on a low screen."""
    name = context.spec.picture
    if not name:
        return []
    return [
        Canvas(
            id="picture",
            cls="android.widget.ImageView",
            paint=partial(illustrations.draw, name),
            width=MATCH,
            height=height,
            radius=radius,
            visible=not context.compact_height,
        )
    ]


def elements(context: ViewContext) -> list[Widget]:
    """Return the elements between the texts and the buttons."""
    return [*_stars(context), *_choices(context), *_fields(context), *_puzzle(context)]


def footer(context: ViewContext, align: Align = Align.CENTER) -> list[Widget]:
    """Return the elements below the buttons: the link and the small print."""
    link, note = context.spec.link, context.spec.note
    widgets: list[Widget] = []
    if link is not None:
        widgets.append(
            Button(
                id=button_id(link.key),
                text=link.label,
                size=14,
                color=context.theme.link,
                padding=insets(12, 12),
                align_self=align,
                margin=insets(0, 6, 0, 0),
                on_click=partial(context.on_press, link.key),
            )
        )
    if note:
        widgets.append(
            Text(
                id="note",
                text=note,
                size=11,
                color=context.theme.body,
                align=align,
                width=MATCH,
                margin=insets(0, 10, 0, 0),
                opacity=0.8,
            )
        )
    return widgets


def _stars(context: ViewContext) -> list[Widget]:
    if context.spec.stars is None:
        return []
    lit = context.input.stars
    return [
        Row(
            id="stars",
            children=[_star(context, number, number <= lit) for number in range(1, MAX_STARS + 1)],
            align_self=Align.CENTER,
            margin=insets(0, 14, 0, 0),
        )
    ]


def _star(context: ViewContext, number: int, lit: bool) -> Widget:
    def press() -> None:
        context.input.stars = number
        context.on_change()

    color = context.palette.accent if lit else context.theme.outline
    return Box(
        id=f"star_{number}",
        cls="android.widget.ImageView",
        children=[
            Icon(
                name="star-filled" if lit else "star",
                size=32,
                color=color,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            )
        ],
        desc=context.t(f"第 {number} 星，共 {MAX_STARS} 星", f"Star {number} of {MAX_STARS}"),
        width=48,
        height=48,
        selected=lit,
        on_click=press,
    )


def _choices(context: ViewContext) -> list[Widget]:
    if not context.spec.choices:
        return []
    rows = [_choice(context, index, text) for index, text in enumerate(context.spec.choices)]
    return [Column(id="choices", children=rows, gap=4, margin=insets(0, 12, 0, 0))]


def _choice(context: ViewContext, index: int, text: str) -> Widget:
    def press() -> None:
        context.input.choice = index
        context.on_change()

    checked = context.input.choice == index
    label = Text(
        id=f"choice_{index + 1}",
        cls="android.widget.RadioButton",
        text=text,
        size=15,
        color=context.theme.ink,
        checkable=True,
        checked=checked,
        width=MATCH,
        padding=insets(36, 12, 4, 12),
        on_click=press,
    )
    return Box(children=[label, _radio_circle(context, checked)], width=MATCH)


def _radio_circle(context: ViewContext, checked: bool) -> Widget:
    """Return a radio button's circle, which is drawn on its label."""
    color = context.palette.accent if checked else context.theme.body
    dot = Widget(
        width=10,
        height=10,
        radius=999,
        background=color,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        visible=checked,
        important=False,
    )
    return Box(
        children=[dot],
        width=20,
        height=20,
        radius=999,
        border=color,
        border_width=2,
        margin=insets(2, 0, 0, 0),
        align_self=Align.START,
        align_vertical=Align.CENTER,
        important=False,
    )


def _fields(context: ViewContext) -> list[Widget]:
    return [
        TextField(
            id=f"field_{index + 1}",
            text=context.input.texts.get(index, ""),
            hint=field.hint,
            password=field.password,
            on_change=partial(_set_text, context, index),
            action="done" if index == len(context.spec.fields) - 1 else "next",
            color=context.theme.ink,
            hint_color=context.theme.outline if context.dark else "#80868B",
            background=faint(context),
            radius=12,
            width=MATCH,
            padding=insets(16, 13),
            margin=insets(0, 14 if index == 0 else 10, 0, 0),
        )
        for index, field in enumerate(context.spec.fields)
    ]


def _set_text(context: ViewContext, index: int, text: str) -> None:
    context.input.texts[index] = text
    context.on_change()


def _puzzle(context: ViewContext) -> list[Widget]:
    slider = context.spec.slider
    if slider is None:
        return []
    knob = context.input.knob
    return [
        Canvas(
            id="puzzle",
            cls="android.widget.ImageView",
            paint=partial(illustrations.puzzle, slider.gap, knob),
            width=MATCH,
            height=96 if context.compact_height else 140,
            margin=insets(0, 14, 0, 0),
        ),
        Slider(
            id="slider",
            value=knob,
            desc=slider.label,
            color=context.palette.accent,
            width=MATCH,
            height=48,
            margin=insets(0, 6, 0, 0),
            on_change=context.on_slide,
        ),
        Text(
            id="slider_label",
            text=slider.label,
            size=13,
            color=context.theme.body,
            align=Align.CENTER,
            width=MATCH,
        ),
    ]


def with_close_button(
    context: ViewContext, window: Widget, *, top_margin: float = 0, on_picture: bool = False
) -> Widget:
    """Put the close button, or a note that it will appear, into the upper corner of a window.

    Args:
        context: What the views depend on.
        window: The window.
        top_margin: Space above the button in dp.
        on_picture: Whether the button covers a picture and needs a background.
    """
    close = context.spec.close
    if close is None:
        return window
    button_size = SMALL_CLOSE_BUTTON if close.small else CLOSE_BUTTON
    color = "#FFFFFF" if on_picture else context.theme.body
    background = "#66000000" if on_picture else None
    if context.input.closable:
        icon_size = 12 if close.small else 22
        corner: Widget = Box(
            id=button_id(close.key),
            cls="android.widget.ImageButton",
            children=[
                Box(
                    children=[
                        Icon(
                            name="close",
                            size=icon_size,
                            color=color,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        )
                    ],
                    width=icon_size + 8,
                    height=icon_size + 8,
                    radius=999,
                    background=background,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    important=False,
                )
            ],
            desc=close.label or context.t("关闭", "Close"),
            width=button_size,
            height=button_size,
            align_self=Align.END,
            margin=insets(0, top_margin, 4, 0),
            on_click=partial(context.on_press, close.key),
        )
    else:
        corner = Text(
            id="countdown",
            text=context.t("稍后可关闭", "Closable soon"),
            size=11,
            color=color,
            background=background,
            radius=999,
            padding=insets(10, 4),
            align_self=Align.END,
            margin=insets(0, top_margin + 12, 12, 0),
        )
    return Box(
        id="dialog_root",
        children=[window, corner],
        width=window.width,
        height=window.height,
        align_self=window.align_self,
        align_vertical=window.align_vertical,
    )
