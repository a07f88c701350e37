"""The page at the bottom of the stack: the five tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.home import HomeTab
from garabench.virtual.apps.amap.inbox import MessagesTab
from garabench.virtual.apps.amap.mine import MineTab
from garabench.virtual.apps.amap.nearby import NearbyTab
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.taxi import TaxiTab
from garabench.virtual.apps.amap.theme import BLUE, INK_2, LINE, RED, WHITE
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

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

TABS = (
    ("首页", "map_outline", "map"),
    ("附近", "compass_outline", "compass"),
    ("消息", "message_outline", "message"),
    ("打车", "taxi", "taxi"),
    ("我的", "account_outline", "account"),
)


class AmapRootScreen(AmapScreen):
    """首页, 附近, 消息, 打车 and 我的."""

    works_offline = True

    def __init__(self, app: NewMapActivity) -> None:
        super().__init__(app)
        self.tab = "首页"
        self.home = HomeTab(self)
        self.nearby = NearbyTab(self)
        self.messages = MessagesTab(self)
        self.taxi = TaxiTab(self)
        self.mine = MineTab(self)

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab
        self.background = {"我的": "#DCE9FF", "附近": WHITE}.get(tab, WHITE)

    def chooses(self, tab: str) -> Handler:
        """Return a handler that selects a tab."""
        return lambda: self.choose(tab)

    def on_back(self) -> bool:
        """Back goes to 首页 first."""
        if self.tab != "首页":
            self.choose("首页")
            return True
        return False

    def content(self) -> Widget:
        """Return the selected tab above the bottom bar."""
        match self.tab:
            case "附近":
                body = self.nearby.view()
            case "消息":
                body = self.messages.view()
            case "打车":
                body = self.taxi.view()
            case "我的":
                body = self.mine.view()
            case _:
                body = self.home.view()
        body_box = Column(key=f"tab-{self.tab}", width=MATCH, height=MATCH, weight=1, children=(body,))
        return Column(width=MATCH, height=MATCH, weight=1, children=(body_box, divider(LINE), self._bottom()))

    def _bottom(self) -> Widget:
        return Row(
            id="bottom_tab_bar",
            width=MATCH,
            height=54,
            background=WHITE,
            children=[self._place(*tab) for tab in TABS],
        )

    def _place(self, label: str, icon: str, icon_on: str) -> Widget:
        on = self.tab == label
        count = self.messages.unread if label == "消息" else 0
        words = Column(
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            gap=2,
            children=(
                Icon(
                    name=icon_on if on else icon,
                    size=23,
                    color=BLUE if on else INK_2,
                    align_self=Align.CENTER,
                    important=False,
                ),
                Text(
                    id="tab_text",
                    text=label,
                    size=10.5,
                    color=BLUE if on else INK_2,
                    align_self=Align.CENTER,
                    selected=on,
                ),
            ),
        )
        toggle_selected = Text(
            id="tab_badge",
            text=str(count),
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
        return Box(
            key=f"tab-{label}",
            id="tab_item",
            desc=label,
            weight=1,
            height=54,
            padding=insets(0, 3),
            selected=on,
            on_click=self.chooses(label),
            children=(words, toggle_selected) if count else (words,),
        )
