"""The widgets of the system UI: bars, toast, permission dialog, shade, recents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

STATUS_BAR_DP = 24
NAV_BAR_DP = 48
CARD, NOTE = "task:", "note:"
"""Prefixes of the keys of recent apps and of notifications, followed by their number."""
MAX_ICONS = 4
"""Maximum number of notification icons in the status bar; a dot replaces the rest."""
_DARK, _LIGHT = "#202124", "#FFFFFF"
_LUMA = (0.299, 0.587, 0.114)


def is_light(color: str) -> bool:
    """Return whether a colour is light, so that icons on it must be dark."""
    digits = color.lstrip("#")[-6:]
    parts = [int(digits[index : index + 2], 16) for index in (0, 2, 4)]
    return sum(weight * part for weight, part in zip(_LUMA, parts, strict=True)) > 150


def status_bar(
    *,
    time: str,
    battery: int,
    wifi: bool,
    airplane: bool,
    background: str,
    notification_descriptions: Sequence[str] = (),
) -> Widget:
    """Build the status bar over the background colour of the foreground app.

    Args:
        time: Text of the clock.
        battery: Percent.
        wifi: Whether its icon is shown.
        airplane: Whether the airplane icon replaces the signal icon.
        background: Background colour.
        notification_descriptions: Content descriptions of the notification icons, the newest first.
    """
    ink = _DARK if is_light(background) else _LIGHT
    signal = "airplane" if airplane else "signal"
    icons: list[Widget] = [Icon(name="wifi", size=14, color=ink, desc="WLAN")] if wifi else []
    icons += [
        Icon(name=signal, size=14, color=ink),
        Text(id="battery_percentage", text=f"{battery}%", size=11, color=ink),
        Icon(name="battery", size=14, color=ink),
    ]
    bells: list[Widget] = [
        Icon(name="bell", size=14, color=ink, desc=description)
        for description in notification_descriptions[:MAX_ICONS]
    ]
    if len(notification_descriptions) > MAX_ICONS:
        bells.append(Text(text="·", size=14, color=ink, important=False))
    notification_row = (
        [Row(id="notificationIcons", gap=4, padding=insets(6, 0, 0, 0), children=bells)] if bells else []
    )
    return Row(
        id="status_bar_contents",
        width=MATCH,
        height=MATCH,
        padding=insets(12, 0),
        background=background,
        gap=4,
        children=[
            Text(id="clock", text=time, size=13, color=ink, bold=True),
            *notification_row,
            spacer(),
            *icons,
        ],
    )


def nav_bar(back: Handler, home: Handler, recents: Handler, *, background: str) -> Widget:
    """Three-button navigation."""
    ink = "#5F6368" if is_light(background) else _LIGHT

    def button(name: str, icon: str, desc: str, act: Handler) -> Widget:
        return Box(
            id=name,
            weight=1,
            height=MATCH,
            desc=desc,
            on_click=act,
            cls="android.widget.ImageView",
            children=[
                Icon(
                    name=icon,
                    size=20,
                    color=ink,
                    important=False,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                )
            ],
        )

    return Row(
        id="navigation_bar_frame",
        width=MATCH,
        height=MATCH,
        background=background,
        children=[
            button("back", "nav_back", "返回", back),
            button("home", "nav_home", "主屏幕", home),
            button("recent_apps", "nav_recents", "概览", recents),
        ],
    )


def split_screen_divider(*, stacked: bool, desc: str) -> Widget:
    """Build the divider of a split screen, with its drag handle.

    Args:
        stacked: Whether one half is above the other.
        desc: Content description.
    """
    wide, high = (48, 4) if stacked else (4, 48)
    handle = Box(
        id="docked_divider_handle",
        width=wide,
        height=high,
        radius=2,
        desc=desc,
        background=_LIGHT,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
    )
    return Box(id="divider_bar", width=MATCH, height=MATCH, background="#000000", children=[handle])


def toast(text: str) -> Widget:
    """Build a toast."""
    return Box(
        padding=insets(20, 10),
        radius=24,
        background="#E6323232",
        children=[Text(id="message", text=text, size=14, color=_LIGHT)],
    )


def permission_dialog(message: str, choices: Sequence[tuple[str, str, Handler]]) -> Widget:
    """Build the system's permission dialog: (resource id, label, handler) of each choice."""
    package = "com.android.permissioncontroller:id/"
    buttons = [
        Button(
            id=package + name,
            text=label,
            width=MATCH,
            size=15,
            color="#174EA6",
            background="#D3E3FD",
            radius=14,
            padding=insets(16, 14),
            on_click=act,
        )
        for name, label, act in choices
    ]
    return Column(
        width=320,
        padding=insets(24),
        radius=28,
        background=_LIGHT,
        gap=8,
        children=[
            Text(id=package + "permission_message", text=message, size=18, align=Align.CENTER, width=MATCH),
            spacer(8),
            *buttons,
        ],
    )


def notification_card(
    *,
    app: str,
    title: str,
    text: str,
    on_open: Handler,
    actions: Sequence[tuple[str, Handler]] = (),
    radius: float = 16,
    lines: int = 0,
) -> Column:
    """Build a notification, in the shade or at the top of the screen.

    Args:
        app: Label of its app.
        title: First line.
        text: Text below the title.
        on_open: Called after a tap on it.
        actions: Label and handler of each button.
        radius: Corner radius in dp.
        lines: Maximum number of lines of the text; 0 for all.
    """
    buttons: list[Widget] = [
        Button(
            id="android:id/action0",
            text=label,
            size=14,
            color="#1A73E8",
            background="#FFFFFF",
            padding=insets(8, 6),
            on_click=act,
        )
        for label, act in actions
    ]
    row = [Row(id="android:id/actions", width=MATCH, gap=8, children=buttons)] if buttons else []
    return Column(
        id="expandableNotificationRow",
        width=MATCH,
        padding=insets(16, 12),
        radius=radius,
        background=_LIGHT,
        gap=2,
        on_click=on_open,
        children=[
            Text(id="app_name_text", text=app, size=12, color="#5F6368"),
            Text(id="title", text=title, size=15, bold=True),
            Text(id="text", text=text, size=14, color="#444746", max_lines=lines),
            *row,
        ],
    )


def shade(
    tiles: Sequence[tuple[str, str, bool, Handler]],
    notes: Sequence[tuple[int, Column]],
    clear: Handler,
    *,
    texts: Callable[[str, str], str],
    described: bool,
) -> Widget:
    """Build the notification shade.

    Args:
        tiles: Icon, label, whether it is on, handler.
        notes: Number and view.
        clear: Called by the button "Clear all".
        texts: Chooses between Chinese and English.
        described: Whether only a tile's description says if it is on, as in Android 4.4 (SystemUI's
            ``QuickSettings``); later versions have switches.
    """

    def description(label: str, on: bool) -> str:
        state = texts("开启", "On") if on else texts("关闭", "Off")
        return texts(f"{label}{state}。", f"{label} {state}.") if described else label

    pills: list[Widget] = [
        Row(
            id="tile",
            height=64,
            weight=1,
            padding=insets(18, 0),
            gap=12,
            radius=28,
            background="#C2DBFF" if on else "#DDE0E6",
            desc=description(label, on),
            checkable=not described,
            checked=on and not described,
            on_click=act,
            cls="android.widget.FrameLayout" if described else "android.widget.Switch",
            children=[
                Icon(name=icon, size=22, color="#0B3A7E" if on else "#3C4043"),
                Text(text=label, size=14, bold=True, color="#0B3A7E" if on else "#3C4043", weight=1),
            ],
        )
        for icon, label, on, act in tiles
    ]
    grid: list[Widget] = [
        Row(width=MATCH, gap=8, children=pills[at : at + 2]) for at in range(0, len(pills), 2)
    ]
    cards: list[Widget] = [
        replace(note, key=f"{NOTE}{number}", margin=insets(8, 4)) for number, note in notes
    ]
    bottom = (
        [Button(id="dismiss_text", text=texts("全部清除", "Clear all"), color="#1A73E8", on_click=clear)]
        if cards
        else [Text(id="no_notifications", text=texts("没有通知", "No notifications"), color="#5F6368")]
    )
    return ScrollView(
        id="notification_panel",
        width=MATCH,
        height=MATCH,
        background="#F0F1F3",
        padding=insets(8, 32, 8, 8),
        children=[
            Column(width=MATCH, gap=8, padding=insets(8, 4), children=grid),
            spacer(12),
            *cards,
            Box(width=MATCH, padding=insets(16, 8), children=bottom),
        ],
    )


def recents(
    cards: Sequence[tuple[int, str, Widget, Widget, Handler]],
    clear: Handler,
    *,
    texts: Callable[[str, str], str],
) -> Widget:
    """Build the list of recent apps: number, label, small icon, large icon and handler of each task."""
    shown: list[Widget] = [
        Column(
            key=f"{CARD}{number}",
            width=MATCH,
            margin=insets(56, 10),
            gap=8,
            children=[
                Row(
                    gap=8,
                    padding=insets(4, 0),
                    children=[small, Text(text=label, size=15, bold=True, color=_LIGHT)],
                ),
                Box(
                    id="snapshot",
                    width=MATCH,
                    height=300,
                    radius=24,
                    background="#F3F4F8",
                    desc=label,
                    on_click=act,
                    children=[large],
                ),
            ],
        )
        for number, label, small, large, act in cards
    ]
    empty = Text(text=texts("近期没有任何内容", "No recent items"), size=16, color=_LIGHT, align=Align.CENTER)
    last = Button(
        id="clear_all",
        text=texts("全部清除", "Clear all"),
        color=_LIGHT,
        align_self=Align.CENTER,
        on_click=clear,
    )
    return ScrollView(
        id="overview_panel",
        width=MATCH,
        height=MATCH,
        background="#F41B1F2A",
        padding=insets(0, 48, 0, 24),
        children=[*shown, last] if shown else [empty],
    )
