"""离线地图: downloaded city maps, and those available."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    RED,
    WHITE,
    message_page,
    pill,
    tabs,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    ProgressBar,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_STEP_MS = 300
_STEP = 0.5
_ALWAYS = "全国概要图"


class AmapOfflineScreen(AmapScreen):
    """The cities: those available, and those downloaded."""

    title = "离线地图"

    def __init__(self, app: NewMapActivity) -> None:
        super().__init__(app)
        self.tab = "城市列表"
        self.text = ""
        self.loading: dict[str, float] = {}

    def choose(self, tab: str) -> None:
        """Select a list and show all of it: a search applies to the list in which it was made."""
        if tab != self.tab:
            self.text = ""
        self.tab = tab

    def write(self, text: str) -> None:
        """Filter the cities by name."""
        self.text = text

    def download(self, city: str) -> None:
        """Start a download."""
        self.loading[city] = 0.0
        self.ctx.after(_STEP_MS, partial(self._step, city))

    def _step(self, city: str) -> None:
        if city not in self.loading:
            return
        if not self.online:
            del self.loading[city]
            self.ctx.toast("下载中断，请检查网络设置")
            return
        self.loading[city] += _STEP
        if self.loading[city] >= 1:
            del self.loading[city]
            self.store.set_offline(city, True)
            self.ctx.toast(f"{city}离线地图下载完成")
        else:
            self.ctx.after(_STEP_MS, partial(self._step, city))

    def stop(self, city: str) -> None:
        """Cancel a download."""
        self.loading.pop(city, None)

    def delete(self, city: str) -> None:
        """Delete a city's map."""
        self.store.set_offline(city, False)
        self.ctx.toast("已删除")

    def content(self) -> Widget:
        """Return the tabs, the search field, and the list."""
        labels = ("城市列表", "已下载")
        downloaded = self.store.offline()
        rows = [
            row
            for row in content.load("offline.json")
            if self.text.strip() in row["name"] and (self.tab == "城市列表" or row["name"] in downloaded)
        ]
        field = TextField(
            id="offline_search",
            text=self.text,
            hint="搜索城市",
            size=14,
            width=MATCH,
            height=40,
            background="#F3F5F8",
            radius=20,
            padding=insets(16, 0),
            margin=insets(14, 8),
            on_change=self.write,
            on_submit=self.ctx.hide_keyboard,
            action="search",
        )
        header = Column(
            width=MATCH,
            background=WHITE,
            children=(
                tabs(labels, self.tab, [partial(self.choose, label) for label in labels], rid="offline_tab"),
                field,
            ),
        )
        if self.tab == "已下载":
            count = Text(
                id="offline_count",
                text=f"共{len(downloaded)}个离线地图",
                size=12,
                color=INK_3,
                padding=insets(16, 0, 16, 8),
            )
            header = Column(width=MATCH, background=WHITE, children=(header, count))
        body: Widget = ListView(
            id="offline_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=1,
            background=BACKGROUND,
            items=rows,
            build=lambda row, _: self._line(row),
            item_height=62,
        )
        if not rows:
            body = message_page(
                "map_search_outline", "没有找到相关城市" if self.text else "还没有下载离线地图"
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=(header, body))

    def _line(self, row: Mapping[str, Any]) -> Widget:
        city = str(row["name"])
        downloaded = city in self.store.offline()
        state = "已下载" if downloaded else ("下载中" if city in self.loading else "")
        tail: Widget
        if city in self.loading:
            tail = pill(
                "暂停", partial(self.stop, city), rid="offline_pause", fill=False, color=INK_2, size=13
            )
        elif downloaded and city != _ALWAYS:
            delete = self.asks(f"确定删除{city}离线地图吗？", "删除", partial(self.delete, city))
            tail = pill("删除", delete, rid="offline_delete", fill=False, color=RED, size=13)
        elif downloaded:
            tail = Text(text="必备", size=13, color=INK_3)
        else:
            start = self.if_online(partial(self.download, city))
            tail = pill("下载", start, rid="offline_download", fill=False, size=13)
        words: list[Widget] = [
            Row(
                gap=8,
                children=(
                    Text(id="offline_city", text=city, size=16, color=INK),
                    Text(id="offline_state", text=state, size=12, color=INK_3),
                ),
            ),
            Text(id="offline_size", text=row["size"], size=12, color=INK_3),
        ]
        if city in self.loading:
            words.append(ProgressBar(value=self.loading[city], width=MATCH))
        return Row(
            id="offline_item",
            key=city,
            width=MATCH,
            height=62,
            gap=10,
            background=WHITE,
            padding=insets(16, 0),
            children=(Column(weight=1, gap=3, children=words), tail),
        )
