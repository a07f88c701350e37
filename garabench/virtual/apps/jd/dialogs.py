"""Overlays: bottom sheets and confirmation dialogs."""

from __future__ import annotations

from garabench.virtual.apps.jd.theme import INK, INK_3, WHITE, icon_button, pill
from garabench.virtual.ui.widgets import MATCH, WRAP, Align, Box, Column, Handler, Row, Text, Widget, insets


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
                    icon_button(
                        "close", rid="sheet_close", desc="关闭", color=INK_3, size=20, on_click=on_close
                    ),
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
        padding=insets(0, 0, 0, 10),
        children=(header, *children),
    )


def input_dialog(title: str, field: Widget, on_yes: Handler, on_no: Handler, *, width: float = 290) -> Widget:
    """Return a dialog with a title, a text field, and the buttons 取消 and 确定."""
    return Column(
        id="dialog",
        width=width,
        background=WHITE,
        radius=14,
        padding=insets(20, 20, 20, 18),
        gap=16,
        children=(
            Text(id="dialog_message", text=title, size=16, bold=True, color=INK, align_self=Align.CENTER),
            field,
            Row(
                width=MATCH,
                gap=12,
                children=(
                    pill("取消", on_no, rid="dialog_no", fill=False, color=INK_3, size=15, weight=1),
                    pill("确定", on_yes, rid="dialog_yes", size=15, weight=1),
                ),
            ),
        ),
    )


def confirm_dialog(text: str, yes: str, on_yes: Handler, on_no: Handler, *, no: str = "取消") -> Widget:
    """Return a centred confirmation dialog."""
    return Column(
        id="dialog",
        width=290,
        background=WHITE,
        radius=14,
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
                    pill(no, on_no, rid="dialog_no", fill=False, color=INK_3, size=15, weight=1),
                    pill(yes, on_yes, rid="dialog_yes", size=15, weight=1),
                ),
            ),
        ),
    )
