"""The view of the market's first page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.virtual.apps.market.listing import Listing
from garabench.virtual.apps.market.reviews import GREEN, GREY, INK, market_text, section
from garabench.virtual.kit.framework import App, Context
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    ImageView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
)


def home(
    ctx: Context,
    rows: Sequence[tuple[App, Listing, Callable[[], None]]],
    *,
    words: str,
    on_words: Callable[[str], None],
) -> Widget:
    """Return the first page."""
    field = Row(
        children=[
            Icon(name="search", color=GREY, size=22, important=False),
            TextField(
                id="search_box",
                text=words,
                hint=ctx.t("搜索应用和游戏", "Search apps & games"),
                on_change=on_words,
                action="search",
                weight=1,
                margin=insets(12, 0, 0, 0),
            ),
        ],
        height=52,
        width=MATCH,
        radius=999,
        background="#EAF3EF",
        padding=insets(18, 0),
        margin=insets(16, 10),
    )
    tabs = Row(
        children=[
            Column(
                children=[
                    market_text(title, 14, GREEN if first else GREY, bold=first),
                    Widget(height=3, width=24, radius=2, background=GREEN, margin=insets(0, 6, 0, 0))
                    if first
                    else Widget(height=9, important=False),
                ]
            )
            for title, first in ((ctx.t("为你推荐", "For you"), True), (ctx.t("排行榜", "Top charts"), False))
        ],
        gap=28,
        padding=insets(24, 6, 24, 0),
        width=MATCH,
    )
    banner = ImageView(
        seed="store-banner",
        kind="banner",
        width=MATCH,
        height=150,
        radius=16,
        margin=insets(16, 14),
        important=False,
    )
    items: list[Widget] = [_home_row(app, entry, on_click) for app, entry, on_click in rows]
    if not items:
        items = [
            market_text(
                ctx.t("没有找到相关应用", "No results found"),
                15,
                align=Align.CENTER,
                width=MATCH,
                padding=insets(24),
            )
        ]
    body = ScrollView(
        id="content",
        children=[
            banner,
            section(ctx.t("你的应用", "Your apps")),
            *items,
            Widget(height=20, important=False),
        ],
        weight=1,
        width=MATCH,
    )
    return Column(children=[field, tabs, divider(), body], width=MATCH, height=MATCH, background="#FFFFFF")


def _home_row(app: App, entry: Listing, on_click: Handler) -> Widget:
    return Row(
        id="app_row",
        key=app.package,
        children=[
            app_icon(app, 56),
            Column(
                children=[
                    Text(id="app_title", text=entry.title, size=16, color=INK, max_lines=1),
                    market_text(
                        f"{entry.developer} · {entry.category}", 12, max_lines=1, margin=insets(0, 2, 0, 0)
                    ),
                    market_text(f"{entry.rating} ★  {entry.megabytes} MB", 12, margin=insets(0, 2, 0, 0)),
                ],
                weight=1,
                margin=insets(16, 0, 0, 0),
            ),
        ],
        padding=insets(24, 9),
        width=MATCH,
        on_click=on_click,
    )
