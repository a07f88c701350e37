"""The views of the market's pages."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from garabench.virtual.apps.market.listing import Listing
from garabench.virtual.apps.market.reviews import (
    GREEN,
    GREY,
    INK,
    PALE,
    histogram,
    market_text,
    own_rating,
    review_row,
    section,
)
from garabench.virtual.kit.framework import Context
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
    Column,
    Handler,
    Icon,
    ImageView,
    ProgressBar,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)


class Stage(enum.Enum):
    """The state of the app on the phone."""

    OLD = "old"
    DOWNLOADING = "downloading"
    INSTALLING = "installing"
    CURRENT = "current"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Installation:
    """The stage, and the downloaded fraction, 0 to 1."""

    stage: Stage
    part: float = 0.0


class Actions(Protocol):
    """The handlers of the page's buttons."""

    def back(self) -> None:
        """Handle the back arrow."""

    def update(self) -> None:
        """Install or update the app."""

    def cancel(self) -> None:
        """Cancel the download."""

    def open(self) -> None:
        """Start the app."""

    def ask_uninstall(self) -> None:
        """Ask for confirmation of the uninstallation."""

    def rate(self, stars: int) -> None:
        """Rate the app."""


def _bar(ctx: Context, back: Handler) -> Widget:
    return Row(
        id="toolbar",
        children=[
            Icon(
                id="navigate_up",
                name="back",
                desc=ctx.t("返回", "Navigate up"),
                color=INK,
                padding=insets(12),
                width=48,
                height=48,
                on_click=back,
            ),
            spacer(),
            Icon(name="search", color=INK, width=48, height=48, padding=insets(12), important=False),
            Icon(name="more", color=INK, width=48, height=48, padding=insets(12), important=False),
        ],
        height=56,
        width=MATCH,
        padding=insets(4, 4),
        background="#FFFFFF",
    )


def missing(ctx: Context, *, back: Handler) -> Widget:
    """Return the page of an address that names no app."""
    return Column(
        children=[
            _bar(ctx, back),
            spacer(),
            Icon(name="info", size=64, color=PALE, align_self=Align.CENTER, important=False),
            Text(
                id="error_msg",
                text=ctx.t("找不到此应用", "Item not found."),
                size=16,
                color=GREY,
                align=Align.CENTER,
                width=MATCH,
                margin=insets(0, 16, 0, 0),
            ),
            spacer(),
            spacer(),
        ],
        width=MATCH,
        height=MATCH,
        background="#FFFFFF",
    )


def details(
    ctx: Context, entry: Listing, installation: Installation, *, icon: Widget, my_stars: int, act: Actions
) -> Widget:
    """Return the page of an app."""
    body = ScrollView(
        id="details_scroll",
        children=[
            _header(ctx, entry, installation, icon),
            _figures(ctx, entry),
            _buttons(ctx, entry, installation, act),
            _screenshots(entry),
            section(ctx.t("关于此应用", "About this app")),
            Text(
                id="description",
                text=entry.about,
                color=GREY,
                size=14,
                line_spacing=1.3,
                margin=insets(24, 8, 24, 0),
            ),
            Row(
                children=[_chip(entry.category), _chip(ctx.t("适合所有人", "Everyone"))],
                gap=8,
                margin=insets(24, 14, 24, 0),
            ),
            own_rating(ctx, my_stars, act.rate),
            section(ctx.t("评分和评价", "Ratings and reviews")),
            histogram(ctx, entry),
            *[review_row(ctx, review) for review in entry.reviews],
            Widget(height=24, important=False),
        ],
        weight=1,
        width=MATCH,
    )
    return Column(children=[_bar(ctx, act.back), body], width=MATCH, height=MATCH, background="#FFFFFF")


def _header(ctx: Context, entry: Listing, installation: Installation, icon: Widget) -> Widget:
    loading = installation.stage in (Stage.DOWNLOADING, Stage.INSTALLING)
    if installation.stage is Stage.DOWNLOADING:
        done = int(installation.part * entry.megabytes)
        state = f"{int(installation.part * 100)}% · {done} MB / {entry.megabytes} MB"
    elif loading:
        state = ctx.t("正在安装…", "Installing…")
    else:
        state = ctx.t("含广告 · 应用内购商品", "Contains ads · In-app purchases")
    words: list[Widget] = [
        Text(id="title", text=entry.title, size=24, color=INK, max_lines=2),
        Text(
            id="developer", text=entry.developer, size=14, color=GREEN, bold=True, margin=insets(0, 2, 0, 0)
        ),
        Text(id="download_status", text=state, size=12, color=GREY, margin=insets(0, 4, 0, 0)),
    ]
    if loading:
        value = installation.part if installation.stage is Stage.DOWNLOADING else None
        words.append(
            ProgressBar(
                id="download_progress", value=value, color=GREEN, width=MATCH, margin=insets(0, 8, 0, 0)
            )
        )
    return Row(
        children=[
            icon,
            Column(children=words, weight=1, margin=insets(20, 0, 0, 0)),
        ],
        padding=insets(24, 8, 24, 0),
        width=MATCH,
    )


def _figures(ctx: Context, entry: Listing) -> Widget:
    def figure(top: Sequence[Widget], below: str) -> Widget:
        return Column(
            children=[
                Row(children=top, gap=2, justify=Align.CENTER, width=MATCH),
                market_text(below, 12, align=Align.CENTER, width=MATCH, margin=insets(0, 4, 0, 0)),
            ],
            weight=1,
        )

    def upright() -> Widget:
        return Widget(width=0.7, height=28, background=PALE, important=False)

    star = Icon(name="star-filled", size=13, color=INK, important=False)
    return Row(
        children=[
            figure([market_text(f"{entry.rating}", 15, INK, bold=True), star], entry.ratings),
            upright(),
            figure([market_text(entry.downloads, 15, INK, bold=True)], ctx.t("下载次数", "Downloads")),
            upright(),
            figure([market_text(f"{entry.megabytes} MB", 15, INK, bold=True)], ctx.t("大小", "Size")),
        ],
        padding=insets(16, 20),
        width=MATCH,
    )


def _wide(id_: str, text: str, on_click: Handler | None, *, filled: bool, enabled: bool = True) -> Widget:
    ink = "#FFFFFF" if filled else GREEN
    return Button(
        id=id_,
        text=text,
        size=15,
        bold=True,
        color=ink if enabled else "#9AA0A6",
        background=(GREEN if enabled else "#F1F3F4") if filled else "#FFFFFF",
        border=None if filled else PALE,
        radius=10,
        height=44,
        weight=1,
        enabled=enabled,
        on_click=on_click,
    )


def _buttons(ctx: Context, entry: Listing, installation: Installation, act: Actions) -> Widget:
    uninstall = _wide("uninstall_button", ctx.t("卸载", "Uninstall"), act.ask_uninstall, filled=False)
    open_button = partial(_wide, "open_button", ctx.t("打开", "Open"), act.open)
    match installation.stage:
        case Stage.OLD:
            update = _wide("update_button", ctx.t("更新", "Update"), act.update, filled=True)
            buttons = [uninstall, update]
        case Stage.CURRENT:
            buttons = [uninstall, open_button(filled=True)]
        case Stage.DOWNLOADING | Stage.INSTALLING:
            cancel = _wide("cancel_button", ctx.t("取消", "Cancel"), act.cancel, filled=False)
            buttons = [cancel, _wide("open_button", ctx.t("打开", "Open"), None, filled=True, enabled=False)]
        case Stage.UNAVAILABLE:
            text = ctx.t("与你的设备不兼容", "Not available for your device")
            buttons = [_wide("install_button", text, None, filled=True, enabled=False)]
    return Row(children=buttons, gap=12, padding=insets(24, 0, 24, 20), width=MATCH)


def _screenshots(entry: Listing) -> Widget:
    shots = [
        ImageView(
            seed=f"{entry.package}-{number}", kind="cover", width=118, height=210, radius=10, important=False
        )
        for number in range(4)
    ]
    return ScrollView(
        id="screenshots",
        horizontal=True,
        children=shots,
        gap=10,
        width=MATCH,
        height=210,
        padding=insets(24, 0),
    )


def _chip(text: str) -> Widget:
    return market_text(text, 13, GREY, border=PALE, radius=999, padding=insets(14, 7))


def uninstall_dialog(ctx: Context, entry: Listing, *, yes: Handler, no: Handler) -> Widget:
    """Return the confirmation before an app is uninstalled."""
    return Column(
        children=[
            Text(text=entry.title, size=20, color=INK, bold=True),
            market_text(
                ctx.t("要卸载此应用吗？", "Do you want to uninstall this app?"),
                15,
                margin=insets(0, 14, 0, 18),
            ),
            Row(
                children=[
                    Button(id="cancel", text=ctx.t("取消", "Cancel"), color=GREEN, bold=True, on_click=no),
                    Button(id="ok", text=ctx.t("卸载", "Uninstall"), color=GREEN, bold=True, on_click=yes),
                ],
                justify=Align.END,
                width=MATCH,
            ),
        ],
        width=310,
        background="#FFFFFF",
        radius=24,
        elevation=8,
        padding=insets(24, 22, 16, 12),
    )
