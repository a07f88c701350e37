"""The first tab: search bar, channels, flash sale and recommendations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import photo, price, product_card
from garabench.virtual.apps.jd.content import JdProduct
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_3,
    RED,
    RED_DEEP,
    WHITE,
    icon_button,
    tab_strip,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.jd.main import JdMainActivity

_HEAD = Gradient(start="#E1251B", end="#F2553F", horizontal=True)
_IN_ROW = 5


class JdHomeView:
    """The content of 首页; `tab` is the selected list."""

    def __init__(self, page: JdMainActivity) -> None:
        self.page = page
        self.tab = "推荐"

    def choose(self, tab: str) -> None:
        """Select a list."""
        if tab != self.tab:
            self.page.ctx.scroll_to(f"home_list_{self.tab}")
        self.tab = tab

    def view(self) -> Widget:
        """Return the whole tab."""
        labels: Sequence[str] = content.home()["tabs"]
        strip = tab_strip(
            labels,
            self.tab,
            {label: partial(self.choose, label) for label in labels},
            rid="home_tabs",
            spread=False,
            background=WHITE,
        )
        scrolled = ScrollView(
            id="home_tab_scroll", horizontal=True, width=MATCH, background=WHITE, children=(strip,)
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(self._header(), scrolled, self._list()),
        )

    def _header(self) -> Widget:
        page = self.page
        hint = content.home()["search_hints"][0]
        search = partial(page.ctx.open, names.SEARCH, hint=hint)
        return Column(
            width=MATCH,
            background=_HEAD,
            children=(
                Row(
                    width=MATCH,
                    height=40,
                    padding=insets(14, 0, 4, 0),
                    gap=6,
                    children=(
                        Text(text="京东", size=20, bold=True, color=WHITE),
                        Text(text="多快好省 只为品质生活", size=11, color="#FFD9D4"),
                        spacer(),
                        icon_button(
                            "scan",
                            rid="scan",
                            desc="扫一扫",
                            color=WHITE,
                            on_click=page.toasting("未检测到二维码"),
                        ),
                        icon_button(
                            "message",
                            rid="home_message",
                            desc="消息中心",
                            color=WHITE,
                            on_click=page.chooses("消息"),
                        ),
                    ),
                ),
                Box(
                    width=MATCH,
                    padding=insets(12, 2, 12, 10),
                    children=(
                        Row(
                            id="search_bar",
                            desc="搜索框",
                            width=MATCH,
                            height=38,
                            radius=19,
                            background=WHITE,
                            padding=insets(14, 0, 3, 0),
                            gap=8,
                            on_click=search,
                            children=(
                                Icon(name="search", size=19, color=INK_3, important=False),
                                Text(
                                    id="search_hint", text=hint, size=14, color=INK_3, weight=1, max_lines=1
                                ),
                                Icon(name="camera", size=20, color=INK_3, important=False),
                                Text(
                                    id="search_button",
                                    text="搜索",
                                    size=14,
                                    color=WHITE,
                                    background=RED,
                                    radius=17,
                                    padding=insets(16, 7),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        )

    def _list(self) -> Widget:
        page, data = self.page, content.home()
        first = self.tab == "推荐"
        ids = data["recommended"] if first else data["by_tab"][self.tab]

        def card(product: JdProduct, _: int) -> Widget:
            return product_card(product, page.opens(product))

        header: tuple[Widget, ...] = (self._channels(), self._banner(), self._flash()) if first else ()
        return ListView(
            id="home_list",
            key=f"home_list_{self.tab}",
            width=MATCH,
            height=MATCH,
            weight=1,
            columns=2,
            gap=8,
            padding=insets(10, 8),
            header=header,
            items=content.pick(ids),
            build=card,
            item_height=268,
        )

    def _channels(self) -> Widget:
        rows: Sequence[Any] = content.home()["channels"]
        lines = [
            Row(width=MATCH, children=[self._channel(row) for row in rows[at : at + _IN_ROW]])
            for at in range(0, len(rows), _IN_ROW)
        ]
        return Column(width=MATCH, padding=insets(0, 10), gap=10, background=WHITE, radius=10, children=lines)

    def _channel(self, row: Any) -> Widget:
        label = row["label"]
        return Column(
            id="channel",
            key=label,
            weight=1,
            gap=5,
            align=Align.CENTER,
            on_click=self._opens(label, row["query"]),
            children=(
                Box(
                    width=42,
                    height=42,
                    radius=14,
                    background=row["color"],
                    important=False,
                    children=(
                        Icon(
                            name=row["icon"],
                            size=25,
                            color=WHITE,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
                Text(id="channel_label", text=label, size=11, color=INK, max_lines=1),
            ),
        )

    def _opens(self, label: str, query: str) -> Handler:
        page = self.page
        match query:
            case "@coupons":
                return partial(page.ctx.open, names.COUPON_CENTER)
            case "@plus":
                return partial(page.ctx.open, names.PLUS)
            case "":
                return page.toasting(f"{label}暂未开通")
            case _:
                return page.finds(query)

    def _banner(self) -> Widget:
        product = content.products()["headphone-xm5"]
        return Row(
            id="home_banner",
            width=MATCH,
            height=112,
            radius=10,
            padding=insets(18, 0, 10, 0),
            background=Gradient(start="#2B2F4A", end="#6C6FA8", horizontal=True),
            on_click=self.page.opens(product),
            children=(
                Column(
                    weight=1,
                    gap=6,
                    children=(
                        Text(text="静听每一刻", size=21, bold=True, color=WHITE),
                        Text(text="降噪耳机 限时直降", size=13, color="#D8DAF2"),
                        Text(
                            text="立即抢购",
                            size=12,
                            color=WHITE,
                            background=RED,
                            radius=12,
                            padding=insets(12, 4),
                            align_self=Align.START,
                        ),
                    ),
                ),
                photo(product, 92.0, radius=46),
            ),
        )

    def _flash(self) -> Widget:
        products = content.pick(content.home()["flash"])
        title = Row(
            width=MATCH,
            gap=8,
            children=(
                Text(text="京东秒杀", size=16, bold=True, color=INK),
                Text(
                    text="10点场",
                    size=11,
                    color=WHITE,
                    background=RED_DEEP,
                    radius=4,
                    padding=insets(5, 2),
                ),
                spacer(),
                Text(text="爆款5折起", size=12, color=INK_3),
                Icon(name="chevron_right", size=15, color=INK_3, important=False),
            ),
        )
        cells = [
            Column(
                id="flash_item",
                key=product.id,
                width=84,
                gap=4,
                align=Align.CENTER,
                on_click=self.page.opens(product),
                children=(photo(product, 84.0), price(product.price, size=14)),
            )
            for product in products
        ]
        return Column(
            width=MATCH,
            padding=insets(12),
            gap=10,
            radius=10,
            background=WHITE,
            children=(
                title,
                ScrollView(id="flash_list", horizontal=True, width=MATCH, gap=10, children=cells),
            ),
        )
