"""Larger widgets shared by Ctrip's screens: placeholder pages, rows, steppers, sheets and dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.virtual.apps.ctrip.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_2,
    INK_3,
    LINE,
    WHITE,
    button,
    glyph,
    icon_button,
    label,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Column,
    Handler,
    Insets,
    Row,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)


def message_page(
    icon: str, text: str, action: str = "", on_click: Handler | None = None, *, rid: str = "empty_view"
) -> Widget:
    """Return a page with only a message, for empty lists and missing network."""
    inner: list[Widget] = [
        Box(
            width=92,
            height=92,
            radius=46,
            background="#E6EAF0",
            align_self=Align.CENTER,
            important=False,
            children=(
                Box(
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    important=False,
                    children=(glyph(icon, 44, "#B4BBC6"),),
                ),
            ),
        ),
        Text(id="empty_text", text=text, size=14, color=INK_3, align=Align.CENTER, align_self=Align.CENTER),
    ]
    if action:
        again = button(
            action, on_click, rid="retry", fill=None, color=BLUE, size=14, padding=Insets(28, 8, 28, 8)
        )
        inner.append(Row(align_self=Align.CENTER, children=(again,)))
    return Box(
        id=rid,
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(Column(gap=16, align_self=Align.CENTER, align_vertical=Align.CENTER, children=inner),),
    )


def network_error(on_retry: Handler) -> Widget:
    """Return the placeholder of a page that failed to load."""
    return message_page("wifi_off", "网络不给力，请检查网络设置", "重新加载", on_retry, rid="network_error")


def arrow_row(
    name: str,
    value: str = "",
    on_click: Handler | None = None,
    *,
    rid: str = "row",
    trailing: Widget | None = None,
    hint: str = "",
) -> Widget:
    """Return a row of settings or facts, with an arrow if it opens a page."""
    tail: list[Widget] = []
    if value or hint:
        tail.append(
            Text(
                id="row_value",
                text=value or hint,
                size=14,
                color=INK_2 if value else INK_3,
                max_lines=1,
                align=Align.END,
                weight=1,
            )
        )
    else:
        tail.append(spacer())
    if trailing is not None:
        tail.append(trailing)
    elif on_click is not None:
        tail.append(glyph("chevron_right", 18, "#C4C8D0"))
    return Row(
        id=rid,
        width=MATCH,
        height=50,
        gap=6,
        on_click=on_click,
        children=(label(name, 15, INK, rid="row_label"), *tail),
    )


def fact_row(name: str, value: str, *, rid: str = "fact") -> Widget:
    """Return a row with a label and a value of an order."""
    return Row(
        id=rid,
        width=MATCH,
        gap=10,
        align=Align.START,
        padding=insets(0, 5),
        children=(
            Text(text=name, id="fact_name", size=13, color=INK_3, width=72),
            Text(text=value, id="fact_value", size=13, color=INK, weight=1),
        ),
    )


def field_row(
    name: str,
    text: str,
    hint: str,
    on_change: Callable[[str], None],
    *,
    rid: str,
    input_type: str = "text",
    on_done: Handler | None = None,
) -> Widget:
    """Return a row of a form: a label and a text field."""
    return Row(
        width=MATCH,
        height=52,
        gap=8,
        children=(
            Text(text=name, size=15, color=INK, width=84, max_lines=1),
            TextField(
                id=rid,
                text=text,
                hint=hint,
                size=15,
                weight=1,
                height=44,
                input_type=input_type,
                on_change=on_change,
                on_submit=on_done,
            ),
        ),
    )


def stepper(
    name: str, note: str, value: int, low: int, high: int, change: Callable[[int], None], *, rid: str
) -> Widget:
    """Return a row with a number and buttons to increase and decrease it."""

    def step(icon: str, what: str, by: int, able: bool) -> Widget:
        return Box(
            id=f"stepper_{what}",
            desc=f"{name}{'增加' if by > 0 else '减少'}",
            cls="android.widget.ImageView",
            width=34,
            height=34,
            radius=6,
            background=BACKGROUND,
            enabled=able,
            on_click=(lambda: change(value + by)) if able else None,
            children=(
                Box(
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    important=False,
                    children=(glyph(icon, 18, BLUE if able else "#C4C8D0"),),
                ),
            ),
        )

    words: list[Widget] = [label(name, 15)]
    if note:
        words.append(label(note, 11.5, INK_3))
    return Row(
        id=rid,
        width=MATCH,
        height=56,
        gap=4,
        children=(
            Column(weight=1, gap=2, children=words),
            step("minus", "minus", -1, value > low),
            Text(
                id="stepper_value",
                text=str(value),
                size=16,
                bold=True,
                color=INK,
                width=38,
                align=Align.CENTER,
            ),
            step("plus", "plus", 1, value < high),
        ),
    )


def sheet(title: str, on_close: Handler, *children: Widget, rid: str = "bottom_sheet") -> Widget:
    """Return a bottom sheet with a title and a close button, for `Activity.dialog`."""
    header = Box(
        width=MATCH,
        height=48,
        children=(
            Text(
                id="sheet_title",
                text=title,
                size=16,
                bold=True,
                color=INK,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            ),
            Row(
                align_self=Align.END,
                height=48,
                padding=insets(0, 0, 6, 0),
                children=(
                    icon_button("close", on_close, rid="sheet_close", desc="关闭", color=INK_3, size=20),
                ),
            ),
        ),
    )
    return Column(
        id=rid,
        width=MATCH,
        height=WRAP,
        background=WHITE,
        radius=14,
        align_vertical=Align.END,
        padding=insets(0, 0, 0, 12),
        children=(header, *children),
    )


def confirm_dialog(text: str, yes: str, on_yes: Handler, on_no: Handler, *, no: str = "取消") -> Widget:
    """Return a centred confirmation dialog."""
    return Column(
        id="dialog",
        width=290,
        background=WHITE,
        radius=12,
        padding=insets(20, 24, 20, 18),
        gap=22,
        children=(
            Text(
                id="dialog_message",
                text=text,
                size=16,
                color=INK,
                align=Align.CENTER,
                align_self=Align.CENTER,
            ),
            Row(
                width=MATCH,
                gap=12,
                children=(
                    button(no, on_no, rid="dialog_no", fill=None, color=INK_2, weight=1),
                    button(yes, on_yes, rid="dialog_yes", weight=1),
                ),
            ),
        ),
    )


Tool = tuple[str, str, str, bool, Handler]
"""Id, icon, label, whether it is active, and the handler."""


def tool_bar(rid: str, tools: Sequence[Tool]) -> Widget:
    """Return the bar below a list: sort order and filters."""
    return Row(
        id=rid,
        width=MATCH,
        height=56,
        background=WHITE,
        children=[
            Column(
                id=each,
                weight=1,
                gap=2,
                align=Align.CENTER,
                padding=insets(0, 6),
                selected=on,
                on_click=act,
                children=(
                    glyph(icon, 20, BLUE if on else INK_2),
                    label(text, 11, BLUE if on else INK_2, rid=f"{each}_text"),
                ),
            )
            for each, icon, text, on, act in tools
        ],
    )


def bottom_bar(*children: Widget, rid: str = "bottom_bar") -> Widget:
    """Return the bar with a form's total and button."""
    return Column(
        width=MATCH,
        background=WHITE,
        children=(
            Widget(width=MATCH, height=0.7, background=LINE, important=False),
            Row(id=rid, width=MATCH, height=60, gap=10, padding=insets(16, 8), children=children),
        ),
    )
