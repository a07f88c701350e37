"""我的: the account, with entries to the user's content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.favorites import FavoritesScreen
from garabench.virtual.apps.amap.license_plate import PlateScreen, car_kind
from garabench.virtual.apps.amap.offline import AmapOfflineScreen
from garabench.virtual.apps.amap.settings_page import AmapSettingsScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_2,
    INK_3,
    arrow_row,
    card,
    icon_button,
)
from garabench.virtual.apps.amap.trips import TripsScreen
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Gradient,
    Handler,
    Icon,
    ImageView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.root import AmapRootScreen


class MineTab:
    """The 我的 tab."""

    def __init__(self, root: AmapRootScreen) -> None:
        self.root, self.app, self.store = root, root.app, root.store

    def favorites(self) -> FavoritesScreen:
        """Return the page of the favourites."""
        return FavoritesScreen(self.app)

    def settings(self) -> None:
        """Open the settings."""
        self.app.push(AmapSettingsScreen(self.app, "root"))

    def view(self) -> Widget:
        """Return the header, the tools, and the rows."""
        store, app = self.store, self.app
        rows = card(
            arrow_row(
                "我的车辆",
                store.plate or "未添加",
                rid="mine_car",
                note=car_kind(store) if store.plate else "",
                on_click=lambda: app.push(PlateScreen(app)),
            ),
            arrow_row(
                "我的评价", "暂无", rid="mine_reviews", on_click=self.root.toasting("您还没有发表过评价")
            ),
            arrow_row("意见反馈", rid="mine_feedback", on_click=self.root.toasting("感谢您的反馈")),
            arrow_row("设置", rid="mine_settings", on_click=self.settings),
            padding=insets(14, 0),
        )
        return ScrollView(
            id="mine_scroll",
            width=MATCH,
            height=MATCH,
            background=BACKGROUND,
            children=(self._header(), self._tools(), rows, spacer(16)),
        )

    def _header(self) -> Widget:
        profile = self.store.profile
        return Column(
            width=MATCH,
            background=Gradient(start="#DCE9FF", end="#F4F6F9"),
            padding=insets(16, 8, 8, 10),
            children=(
                Row(
                    width=MATCH,
                    height=44,
                    children=(
                        spacer(),
                        icon_button(
                            "line_scan",
                            rid="mine_scan",
                            desc="扫一扫",
                            on_click=self.root.toasting("请允许使用相机后再试"),
                        ),
                        icon_button(
                            "cog_outline", rid="mine_setting_icon", desc="设置", on_click=self.settings
                        ),
                    ),
                ),
                Row(
                    width=MATCH,
                    gap=14,
                    children=(
                        ImageView(
                            seed="amap-user", kind="avatar", width=64, height=64, radius=32, important=False
                        ),
                        Column(
                            weight=1,
                            gap=4,
                            children=(
                                Text(id="mine_name", text=profile["name"], size=20, bold=True, color=INK),
                                Text(id="mine_level", text=profile["level"], size=13, color=INK_2),
                            ),
                        ),
                    ),
                ),
            ),
        )

    def _tools(self) -> Widget:
        app = self.app
        favorites = len(self.store.favorites())
        tools: tuple[tuple[str, str, str, Handler], ...] = (
            ("收藏夹", f"{favorites}个地点", "star", lambda: app.push(self.favorites())),
            (
                "历史路线",
                f"{len(self.store.trips())}条",
                "map_marker_path",
                lambda: app.push(TripsScreen(app)),
            ),
            (
                "离线地图",
                f"{len(self.store.offline())}个",
                "download",
                lambda: app.push(AmapOfflineScreen(app)),
            ),
            ("我的订单", "查看全部", "clipboard_text_outline", self.root.toasting("暂无订单")),
        )
        return card(
            Row(
                width=MATCH,
                children=[
                    Column(
                        key=label,
                        id="mine_tool",
                        desc=label,
                        weight=1,
                        gap=4,
                        on_click=on_click,
                        children=(
                            Icon(name=icon, size=28, color=BLUE, align_self=Align.CENTER, important=False),
                            Text(
                                id="mine_tool_text", text=label, size=14, color=INK, align_self=Align.CENTER
                            ),
                            Text(text=note, size=11, color=INK_3, align_self=Align.CENTER),
                        ),
                    )
                    for label, note, icon, on_click in tools
                ],
            ),
            rid="mine_tools",
        )
