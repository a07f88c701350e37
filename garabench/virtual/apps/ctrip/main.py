"""The main activity: the five bottom tabs."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip.home import CtripHomeView, community
from garabench.virtual.apps.ctrip.inbox import messages_view
from garabench.virtual.apps.ctrip.mine import mine_view, trips_view
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import BLUE, INK_2, LINE, RED, WHITE, glyph, label
from garabench.virtual.apps.ctrip.widgets import network_error
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, Row, Text, Widget, divider, insets

TABS = (
    ("首页", "home_outline", "home"),
    ("消息", "message_outline", "message"),
    ("社区", "compass_outline", "compass"),
    ("行程", "bag_suitcase_outline", "bag_suitcase"),
    ("我的", "account_outline", "account"),
)
_OFFLINE = frozenset({"行程", "我的", "消息"})


class CtripHomeActivity(CtripPage):
    """首页, 消息, 社区, 行程 and 我的."""

    launch_mode = "singleTask"
    needs_network = False

    def on_create(self) -> None:
        """Start on 首页, or on the tab from the intent."""
        self.tab = TABS[0][0]
        self.home = CtripHomeView(self)
        self.seen: set[str] = set()
        self.choose(str(self.intent.extras.get("tab", self.tab)))

    def on_new_intent(self, intent: Intent) -> None:
        """Switch to the tab from the intent."""
        self.choose(str(intent.extras.get("tab", self.tab)))

    def on_back(self) -> bool:
        """Back goes to 首页 first and leaves the app from there."""
        if super().on_back():
            return True
        if self.tab != TABS[0][0]:
            self.choose(TABS[0][0])
            return True
        return False

    def choose(self, tab: str) -> None:
        """Select a bottom tab."""
        if tab not in {name for name, _, _ in TABS}:
            return
        self.tab = tab
        self.status_bar = "#0A84FF" if tab == TABS[0][0] else "#FFFFFF"
        if self.ctx.online or tab in _OFFLINE:
            self.seen.add(tab)

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
                case "消息":
                    body = messages_view(self)
                case "社区":
                    body = community(self)
                case "行程":
                    body = trips_view(self)
                case "我的":
                    body = mine_view(self)
                case _:
                    body = self.home.view()
        page = Column(width=MATCH, height=MATCH, weight=1, children=(body,))
        bottom = Row(
            id="home_tab_bar",
            width=MATCH,
            height=54,
            background=WHITE,
            children=[self._place(*tab) for tab in TABS],
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(page, divider(LINE), bottom))

    def _place(self, name: str, icon: str, icon_on: str) -> Widget:
        on = self.tab == name
        count = self.store.unread_total if name == "消息" else 0
        words = Column(
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            align=Align.CENTER,
            gap=2,
            children=(
                glyph(icon_on if on else icon, 23, BLUE if on else INK_2),
                label(name, 10.5, BLUE if on else INK_2, rid="home_tab_text"),
            ),
        )
        mark = Text(
            id="message_count",
            text=str(count),
            size=9,
            bold=True,
            color=WHITE,
            background=RED,
            radius=8,
            padding=insets(4, 0.5),
            margin=insets(26, 0, 0, 0),
            align_self=Align.CENTER,
        )
        return Box(
            key=f"tab-{name}",
            id="home_tab_item",
            desc=name,
            weight=1,
            height=54,
            padding=insets(0, 4),
            selected=on,
            on_click=partial(self.choose, name),
            children=(words, mark) if count else (words,),
        )
