"""The main activity: the five bottom tabs."""

from __future__ import annotations

from garabench.virtual.apps.jd.cart import JdCartView
from garabench.virtual.apps.jd.categories import CategoryView
from garabench.virtual.apps.jd.home import JdHomeView
from garabench.virtual.apps.jd.inbox import message_list
from garabench.virtual.apps.jd.mine import mine_page
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import INK_2, LINE, RED, WHITE, network_error
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

TABS = (
    ("首页", "home_outline", "home"),
    ("分类", "view_grid_outline", "view_grid"),
    ("消息", "message_outline", "message"),
    ("购物车", "cart_outline", "cart"),
    ("我的", "account_outline", "account"),
)
OFFLINE_TABS = frozenset({"我的", "消息"})


class JdMainActivity(JdPage):
    """首页, 分类, 消息, 购物车 and 我的."""

    launch_mode = "singleTask"
    needs_network = False

    def on_create(self) -> None:
        """Start on 首页, or on the tab from the intent."""
        self.tab = "首页"
        self.home = JdHomeView(self)
        self.categories = CategoryView(self)
        self.cart = JdCartView(self)
        self.seen: set[str] = set()
        self.choose(str(self.intent.extras.get("tab", "首页")))

    def on_new_intent(self, intent: Intent) -> None:
        """Switch to the tab from the intent."""
        self.choose(str(intent.extras.get("tab", self.tab)))

    def on_back(self) -> bool:
        """Back goes to 首页 first and leaves the app from there."""
        if self.tab != "首页":
            self.choose("首页")
            return True
        return False

    def choose(self, tab: str) -> None:
        """Select a bottom tab."""
        if tab not in {label for label, _, _ in TABS}:
            return
        self.tab = tab
        if self.ctx.online or tab in OFFLINE_TABS:
            self.seen.add(tab)

    def chooses(self, tab: str) -> Handler:
        """Return a handler that selects a bottom tab."""
        return lambda: self.choose(tab)

    def retry(self) -> None:
        """Reload the current tab."""
        self.choose(self.tab)
        if self.tab not in self.seen:
            super().retry()

    def content(self) -> Widget:
        """Return the selected tab above the bottom bar."""
        if self.tab not in self.seen:
            body = network_error(self.retry)
        else:
            match self.tab:
                case "分类":
                    body = self.categories.view()
                case "消息":
                    body = message_list(self)
                case "购物车":
                    body = self.cart.view()
                case "我的":
                    body = mine_page(self)
                case _:
                    body = self.home.view()
        body_box = Column(width=MATCH, height=MATCH, weight=1, children=(body,))
        return Column(width=MATCH, height=MATCH, weight=1, children=(body_box, divider(LINE), self._bottom()))

    def _bottom(self) -> Widget:
        return Row(
            id="navigation_bar",
            width=MATCH,
            height=54,
            background=WHITE,
            children=[self._place(*tab) for tab in TABS],
        )

    def _place(self, label: str, icon: str, icon_on: str) -> Widget:
        on = self.tab == label
        counts = {"购物车": self.store.pieces, "消息": self.store.unread_total}
        count = counts.get(label, 0)
        mark = Text(
            id="cart_count" if label == "购物车" else "message_count",
            text="99+" if count > 99 else str(count),
            size=9,
            bold=True,
            color=WHITE,
            background=RED,
            radius=8,
            padding=insets(4, 0.5),
            margin=insets(22, 0, 0, 0),
            align_self=Align.CENTER,
            align_vertical=Align.START,
        )
        words = Column(
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            gap=2,
            children=(
                Icon(
                    name=icon_on if on else icon,
                    size=23,
                    color=RED if on else INK_2,
                    align_self=Align.CENTER,
                    important=False,
                ),
                Text(
                    id="tab_label",
                    text=label,
                    size=10.5,
                    color=RED if on else INK_2,
                    align_self=Align.CENTER,
                    selected=on,
                ),
            ),
        )
        return Box(
            key=f"nav-{label}",
            id="navigation_item",
            desc=label,
            weight=1,
            height=54,
            padding=insets(0, 3),
            selected=on,
            on_click=self.chooses(label),
            children=(words, mark) if count else (words,),
        )
