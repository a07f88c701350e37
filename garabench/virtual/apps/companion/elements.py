"""Further elements of an interruption: picture, stars, choices, fields, puzzle, close button."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.companion import scenes
from garabench.virtual.apps.companion.parts import Kit, button_id, faint
from garabench.virtual.apps.companion.spec import MAX_STARS
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

CROSS, SMALL_CROSS = 48.0, 32.0
"""What can be touched of a cross, in dp; the small one is less than Android recommends, as such ones are."""


def picture(kit: Kit, height: float, radius: float = 0) -> list[Widget]:
    """The illustration, where the specification has one and the screen the room."""
    name = kit.spec.picture
    if not name:
        return []
    return [
        Canvas(
            id="picture",
            cls="android.widget.ImageView",
            paint=partial(scenes.draw, name),
            width=MATCH,
            height=height,
            radius=radius,
            visible=not kit.low,
        )
    ]


def elements(kit: Kit) -> list[Widget]:
    """The content between the text and the buttons."""
    return [*_stars(kit), *_choices(kit), *_fields(kit), *_slider(kit)]


def tail(kit: Kit, align: Align = Align.CENTER) -> list[Widget]:
    """The content below the buttons: the clickable text and the small print."""
    link, note = kit.spec.link, kit.spec.note
    found: list[Widget] = []
    if link is not None:
        found.append(
            Button(
                id=button_id(link.key),
                text=link.label,
                size=14,
                color=kit.theme.link,
                padding=insets(12, 12),
                align_self=align,
                margin=insets(0, 6, 0, 0),
                on_click=partial(kit.press, link.key),
            )
        )
    if note:
        found.append(
            Text(
                id="note",
                text=note,
                size=11,
                color=kit.theme.body,
                align=align,
                width=MATCH,
                margin=insets(0, 10, 0, 0),
                opacity=0.8,
            )
        )
    return found


def _stars(kit: Kit) -> list[Widget]:
    if kit.spec.stars is None:
        return []
    lit = kit.entered.stars
    return [
        Row(
            id="stars",
            children=[_star(kit, number, number <= lit) for number in range(1, MAX_STARS + 1)],
            align_self=Align.CENTER,
            margin=insets(0, 14, 0, 0),
        )
    ]


def _star(kit: Kit, number: int, lit: bool) -> Widget:
    def press() -> None:
        kit.entered.stars = number
        kit.change()

    color = kit.palette.accent if lit else kit.theme.outline
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
        desc=kit.t(f"第 {number} 星，共 {MAX_STARS} 星", f"Star {number} of {MAX_STARS}"),
        width=48,
        height=48,
        selected=lit,
        on_click=press,
    )


def _choices(kit: Kit) -> list[Widget]:
    if not kit.spec.choices:
        return []
    rows = [_choice(kit, place, text) for place, text in enumerate(kit.spec.choices)]
    return [Column(id="choices", children=rows, gap=4, margin=insets(0, 12, 0, 0))]


def _choice(kit: Kit, place: int, text: str) -> Widget:
    def press() -> None:
        kit.entered.choice = place
        kit.change()

    chosen = kit.entered.choice == place
    label = Text(
        id=f"choice_{place + 1}",
        cls="android.widget.RadioButton",
        text=text,
        size=15,
        color=kit.theme.ink,
        checkable=True,
        checked=chosen,
        width=MATCH,
        padding=insets(36, 12, 4, 12),
        on_click=press,
    )
    return Box(children=[label, _circle(kit, chosen)], width=MATCH)


def _circle(kit: Kit, chosen: bool) -> Widget:
    """A radio button's circle; it belongs to the label."""
    color = kit.palette.accent if chosen else kit.theme.body
    dot = Widget(
        width=10,
        height=10,
        radius=999,
        background=color,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        visible=chosen,
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


def _fields(kit: Kit) -> list[Widget]:
    return [
        TextField(
            id=f"field_{place + 1}",
            text=kit.entered.texts.get(place, ""),
            hint=each.hint,
            password=each.password,
            on_change=partial(_typed, kit, place),
            action="done" if place == len(kit.spec.fields) - 1 else "next",
            color=kit.theme.ink,
            hint_color=kit.theme.outline if kit.dark else "#80868B",
            background=faint(kit),
            radius=12,
            width=MATCH,
            padding=insets(16, 13),
            margin=insets(0, 14 if place == 0 else 10, 0, 0),
        )
        for place, each in enumerate(kit.spec.fields)
    ]


def _typed(kit: Kit, place: int, text: str) -> None:
    kit.entered.texts[place] = text
    kit.change()


def _slider(kit: Kit) -> list[Widget]:
    slider = kit.spec.slider
    if slider is None:
        return []
    knob = kit.entered.knob
    return [
        Canvas(
            id="puzzle",
            cls="android.widget.ImageView",
            paint=partial(scenes.puzzle, slider.gap, knob),
            width=MATCH,
            height=96 if kit.low else 140,
            margin=insets(0, 14, 0, 0),
        ),
        Slider(
            id="slider",
            value=knob,
            desc=slider.label,
            color=kit.palette.accent,
            width=MATCH,
            height=48,
            margin=insets(0, 6, 0, 0),
            on_change=kit.slide,
        ),
        Text(
            id="slider_label",
            text=slider.label,
            size=13,
            color=kit.theme.body,
            align=Align.CENTER,
            width=MATCH,
        ),
    ]


def crossed(kit: Kit, window: Widget, *, top: float = 0, over: bool = False) -> Widget:
    """The window with a cross in its upper corner, or with the word that there will be one.

    Args:
        kit: What it is built with.
        window: What lies below.
        top: Room above the cross in dp.
        over: Whether it lies on a picture, where it needs a ground of its own.
    """
    close = kit.spec.close
    if close is None:
        return window
    side = SMALL_CROSS if close.small else CROSS
    color = "#FFFFFF" if over else kit.theme.body
    ground = "#66000000" if over else None
    if kit.entered.closable:
        size = 12 if close.small else 22
        cross: Widget = Box(
            id=button_id(close.key),
            cls="android.widget.ImageButton",
            children=[
                Box(
                    children=[
                        Icon(
                            name="close",
                            size=size,
                            color=color,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        )
                    ],
                    width=size + 8,
                    height=size + 8,
                    radius=999,
                    background=ground,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    important=False,
                )
            ],
            desc=close.label or kit.t("关闭", "Close"),
            width=side,
            height=side,
            align_self=Align.END,
            margin=insets(0, top, 4, 0),
            on_click=partial(kit.press, close.key),
        )
    else:
        cross = Text(
            id="countdown",
            text=kit.t("稍后可关闭", "Closable soon"),
            size=11,
            color=color,
            background=ground,
            radius=999,
            padding=insets(10, 4),
            align_self=Align.END,
            margin=insets(0, top + 12, 12, 0),
        )
    return Box(
        id="dialog_root",
        children=[window, cross],
        width=window.width,
        height=window.height,
        align_self=window.align_self,
        align_vertical=window.align_vertical,
    )
