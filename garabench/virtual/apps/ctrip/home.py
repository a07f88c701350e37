"""首页: the search bar, the grid of channels, and recommendations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.ctrip import content, names
from garabench.virtual.apps.ctrip.cards import product_card
from garabench.virtual.apps.ctrip.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_3,
    ORANGE_FADE,
    WHITE,
    glyph,
    label,
    tabs,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    ListView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.ctrip.main import CtripHomeActivity

CHANNELS: Mapping[str, str] = {
    "hotel": names.HOTEL_INQUIRE,
    "flight": names.FLIGHT_INQUIRE,
    "train": names.TRAIN_INQUIRE,
    "tour": names.TOUR_HOME,
    "sight": names.TICKET_HOME,
}
_KINDS = {"酒店": "hotel", "门票": "sight", "旅游": "tour"}
_SKY = Gradient(start="#0A84FF", end="#5DB6FF")


class CtripHomeView:
    """The content of 首页; `tab` is the selected list."""

    def __init__(self, page: CtripHomeActivity) -> None:
        self.page = page
        self.tab = "推荐"

    def choose(self, tab: str) -> None:
        """Select a list."""
        self.tab = tab

    def view(self) -> Widget:
        """Return the whole tab."""
        every: Sequence[str] = content.home()["recommended"]
        kind = _KINDS.get(self.tab)
        items = [item for item in every if kind is None or item.startswith(kind)]

        def build(item: str, _: int) -> Widget:
            kind, name = item.split(":", 1)
            return product_card(kind, name, self.page.opens)

        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                self._search(),
                ListView(
                    id="home_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    padding=insets(0, 0, 0, 10),
                    header=(self._grid(), self._offers(), self._tabs()),
                    items=items,
                    build=build,
                ),
            ),
        )

    def _search(self) -> Widget:
        page = self.page
        hint = content.home()["search_hints"][0]
        return Row(
            width=MATCH,
            height=58,
            padding=insets(12, 8),
            gap=10,
            background=_SKY,
            children=(
                Row(
                    id="home_search",
                    desc="搜索",
                    weight=1,
                    height=40,
                    radius=20,
                    gap=6,
                    padding=insets(14, 0, 3, 0),
                    background=WHITE,
                    on_click=partial(page.ctx.open, names.SEARCH),
                    children=(
                        glyph("search", 19),
                        label(hint, 14, INK_3, rid="home_search_hint", weight=1),
                        Text(
                            text="搜索",
                            size=14,
                            bold=True,
                            color=WHITE,
                            background=ORANGE_FADE,
                            radius=17,
                            padding=insets(16, 7),
                        ),
                    ),
                ),
                Box(
                    id="home_scan",
                    desc="扫一扫",
                    width=36,
                    height=40,
                    on_click=page.toasting("未检测到二维码"),
                    children=(
                        Box(
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                            children=(glyph("scan", 24, WHITE),),
                        ),
                    ),
                ),
            ),
        )

    def _grid(self) -> Widget:
        rows: Sequence[Sequence[tuple[str, str, str, str]]] = content.home()["grid"]
        lines = [
            Row(width=MATCH, children=[self._cell(*cell, big=place == 0) for cell in row])
            for place, row in enumerate(rows)
        ]
        return Column(
            id="home_grid",
            width=MATCH,
            margin=insets(10, 10, 10, 0),
            padding=insets(4, 12),
            gap=14,
            radius=12,
            background=WHITE,
            children=lines,
        )

    def _cell(self, name: str, icon: str, color: str, channel: str, *, big: bool) -> Widget:
        side = 46 if big else 36
        return Column(
            id="home_channel",
            key=name,
            desc=name,
            weight=1,
            gap=6,
            align=Align.CENTER,
            on_click=self._opens(name, channel),
            children=(
                Box(
                    width=side,
                    height=side,
                    radius=14 if big else 18,
                    background=color if big else None,
                    important=False,
                    children=(
                        Box(
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                            children=(glyph(icon, side * 0.6, WHITE if big else color),),
                        ),
                    ),
                ),
                label(name, 13 if big else 12, INK, rid="home_channel_text", bold=big),
            ),
        )

    def _opens(self, name: str, channel: str) -> Handler:
        page = self.page
        if not channel:
            return page.toasting(f"{name}暂未开通")
        return page.opens_page(CHANNELS[channel])

    def _offers(self) -> Widget:
        page = self.page

        def offer(title: str, note: str, color: str, rid: str, click: Handler) -> Widget:
            return Column(
                id=rid,
                weight=1,
                height=66,
                radius=10,
                padding=insets(12, 10),
                gap=4,
                background=Gradient(start=color, end=WHITE, horizontal=True),
                on_click=click,
                children=(label(title, 15, INK, bold=True), label(note, 12, INK_3)),
            )

        return Row(
            width=MATCH,
            padding=insets(10, 8, 10, 0),
            gap=8,
            children=(
                offer(
                    "领券中心",
                    "出行立减",
                    "#FFE3CC",
                    "home_coupons",
                    page.opens_page(names.COUPONS, tab="领券中心"),
                ),
                offer("特价机票", "说走就走", "#D5EBFF", "home_cheap", page.opens_page(names.FLIGHT_INQUIRE)),
            ),
        )

    def _tabs(self) -> Widget:
        every: Sequence[str] = content.home()["tabs"]
        return Row(
            width=MATCH,
            padding=insets(0, 8, 0, 0),
            children=(tabs(every, self.tab, self.choose, rid="home_tab", spread=False, background=None),),
        )


def community(page: CtripHomeActivity) -> Widget:
    """Return the 社区 tab: travel notes of other users."""

    def note(row: Mapping[str, str | int], _: int) -> Widget:
        name = str(row["id"])
        on = page.store.likes(name)
        count = int(row["likes"]) + on
        return Column(
            id="note_item",
            key=name,
            width=MATCH,
            margin=insets(10, 8, 10, 0),
            padding=insets(14, 12),
            gap=8,
            radius=10,
            background=WHITE,
            children=(
                label(str(row["title"]), 16, INK, rid="note_title", bold=True, lines=2),
                Text(id="note_text", text=str(row["text"]), size=14, color="#3C4048", line_spacing=1.15),
                Row(
                    width=MATCH,
                    gap=8,
                    children=(
                        label(str(row["author"]), 12, INK_3, rid="note_author"),
                        label(f"· {row['place']}", 12, BLUE),
                        spacer(),
                        Row(
                            id="note_like",
                            desc="已赞" if on else "点赞",
                            selected=on,
                            gap=4,
                            height=32,
                            padding=insets(8, 0),
                            on_click=partial(page.store.set_like, name, not on),
                            children=(
                                glyph(
                                    "thumb_up_filled" if on else "thumb_up", 18, "#FF6600" if on else INK_3
                                ),
                                label(str(count), 13, INK_3, rid="note_likes"),
                            ),
                        ),
                    ),
                ),
            ),
        )

    header = Row(
        width=MATCH,
        height=48,
        justify=Align.CENTER,
        background=WHITE,
        children=(label("社区", 17, INK, rid="title", bold=True),),
    )
    notes = ListView(
        id="note_list",
        width=MATCH,
        height=MATCH,
        weight=1,
        padding=insets(0, 0, 0, 10),
        items=content.home()["notes"],
        build=note,
    )
    return Column(width=MATCH, height=MATCH, weight=1, children=(header, notes))
