"""The user's lists: history, watch later, offline videos, follows."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import user_row, video_row
from garabench.virtual.apps.bilibili.content import Uploader, Video, clock_text
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.store import HistoryItem, WatchLaterItem
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_3,
    WHITE,
    icon_button,
    message_page,
    sheet,
    sheet_row,
    tab_strip,
)
from garabench.virtual.apps.bilibili.video_sheets import confirm_sheet
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)


class BilibiliHistoryActivity(BilibiliPage):
    """历史记录, by day."""

    def on_create(self) -> None:
        """Start without an open dialog."""
        self.asking_all = False
        self.picked: Video | None = None

    def bar(self) -> Widget:
        """Return the title, the number of videos, and the clear button."""
        return self.back_bar(
            "历史记录",
            Text(id="history_count", text=f"共{len(self.store.history())}条", size=13, color=INK_3),
            icon_button(
                "trash", rid="history_clear", desc="清空历史记录", color=INK, size=20, on_click=self._ask
            ),
        )

    def _ask(self) -> None:
        self.asking_all = True

    def _clear(self) -> None:
        self.store.clear_history()
        self.on_dismiss_dialog()
        self.ctx.toast("历史记录已清空")

    def _remove(self, video: Video) -> Handler:
        def run() -> None:
            self.store.remove_from_history(video)
            self.on_dismiss_dialog()
            self.ctx.toast("已删除")

        return run

    def dialog(self) -> Widget | None:
        """Return the confirmation before clearing, or the menu of a video, if open."""
        if self.asking_all:
            return confirm_sheet(
                "清空后不可恢复，确定清空全部历史记录？",
                "清空",
                self._clear,
                self.on_dismiss_dialog,
                rid="clear_sheet",
            )
        if self.picked is not None:
            return sheet(
                (
                    sheet_row("删除该条记录", self._remove(self.picked), icon="trash", rid="history_delete"),
                    divider(),
                    sheet_row("取消", self.on_dismiss_dialog, icon="close", rid="menu_cancel"),
                )
            )
        return super().dialog()

    def on_dismiss_dialog(self) -> None:
        """Close the open overlay."""
        self.asking_all = False
        self.picked = None
        super().on_dismiss_dialog()

    def _picks(self, video: Video) -> Handler:
        def run() -> None:
            self.picked = video

        return run

    def content(self) -> Widget:
        """Return the videos under headings by day."""
        rows: list[HistoryItem | str] = []
        last = ""
        today = self.ctx.now().date()
        for watched in self.store.history():
            days = (today - watched.at.astimezone(self.ctx.now().tzinfo).date()).days
            day = "今天" if days == 0 else "昨天" if days == 1 else "近一周" if days < 7 else "更早"
            if day != last:
                rows.append(day)
                last = day
            rows.append(watched)
        if not rows:
            return message_page("history", "还没有历史记录哦")
        return ListView(
            id="history_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=rows,
            build=lambda row, _: self._row(row),
        )

    def _row(self, row: HistoryItem | str) -> Widget:
        if isinstance(row, str):
            return Text(
                id="history_day",
                key=row,
                text=row,
                size=14,
                bold=True,
                color=INK,
                padding=insets(14, 12, 14, 4),
            )
        seen = "已看完" if row.seconds >= row.video.seconds - 5 else f"看到 {clock_text(row.seconds)}"
        at = row.at.astimezone(self.ctx.now().tzinfo)
        return video_row(
            row.video,
            self.opens(row.video),
            note=f"{at.hour:02}:{at.minute:02} · {seen}",
            on_more=self._picks(row.video),
            progress=min(1.0, row.seconds / row.video.seconds),
            rid="history_item",
        )


class LaterActivity(BilibiliPage):
    """稍后再看."""

    def on_create(self) -> None:
        """Start with all videos."""
        self.tab = "全部"
        self.asking = False

    def bar(self) -> Widget:
        """Return the title, and the button to remove watched videos."""
        return self.back_bar(
            "稍后再看",
            Text(id="later_count", text=f"共{len(self.store.later())}个", size=13, color=INK_3),
            Text(
                id="later_clean",
                text="移除已看",
                size=14,
                color=INK,
                padding=insets(12, 10),
                on_click=self._ask,
            ),
        )

    def _ask(self) -> None:
        self.asking = True

    def _clean(self) -> None:
        count = self.store.delete_watched()
        self.asking = False
        self.ctx.toast(f"已移除{count}个视频" if count else "没有已看完的视频")

    def dialog(self) -> Widget | None:
        """Return the confirmation before removing, or the menu of a video, if open."""
        if self.asking:
            return confirm_sheet(
                "移除所有已看完的视频？", "移除", self._clean, self.on_dismiss_dialog, rid="clean_sheet"
            )
        return super().dialog()

    def on_dismiss_dialog(self) -> None:
        """Close the open overlay."""
        self.asking = False
        super().on_dismiss_dialog()

    def content(self) -> Widget:
        """Return the tabs 全部 and 未看完 above the list."""
        rows = [row for row in self.store.later() if self.tab == "全部" or not row.done]

        def chooses(tab: str) -> Handler:
            def run() -> None:
                self.tab = tab

            return run

        tabs = ("全部", "未看完")
        header = Row(
            width=MATCH,
            background=WHITE,
            children=(
                tab_strip(tabs, self.tab, {tab: chooses(tab) for tab in tabs}, rid="later_tabs"),
                spacer(),
                Text(text="最近添加", size=12, color=INK_3, padding=insets(0, 0, 14, 0)),
            ),
        )
        body: Widget
        if rows:
            body = ListView(
                id="later_list",
                key=f"later-{self.tab}",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=WHITE,
                items=rows,
                build=lambda row, _: self._row(row),
            )
        else:
            body = message_page("watch-later", "没有等待观看的视频")
        return Column(width=MATCH, height=MATCH, weight=1, children=(header, body))

    def _row(self, row: WatchLaterItem) -> Widget:
        return video_row(
            row.video,
            self.opens(row.video),
            note="已看完" if row.done else "未看完",
            on_more=self.opens_menu(row.video),
            progress=1.0 if row.done else None,
            rid="later_item",
        )


class OfflineActivity(BilibiliPage):
    """离线缓存: available without a network."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("离线缓存")

    def content(self) -> Widget:
        """Return the downloads, and the storage that they use."""
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ListView(
                    id="offline_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    background=WHITE,
                    items=self.store.cached,
                    build=lambda video, _: video_row(
                        video,
                        self.opens(video),
                        note=f"{video.seconds // 8}.{video.seconds % 10}MB · 720P 高清",
                        rid="offline_item",
                    ),
                ),
                Text(
                    text="已用 642.7MB / 剩余 48.3GB 可用",
                    size=12,
                    color=INK_3,
                    align=Align.CENTER,
                    width=MATCH,
                    background=WHITE,
                    padding=insets(0, 12),
                ),
            ),
        )


class FollowsActivity(BilibiliPage):
    """我的关注."""

    def on_create(self) -> None:
        """Save who is listed, so that an accidental unfollow can be undone."""
        self.listed = self.store.follows()

    def bar(self) -> Widget:
        """Return the title and the number of followed users."""
        count = len(self.store.follows())
        return self.back_bar(
            "我的关注",
            Text(id="follow_count", text=f"共{count}人", size=13, color=INK_3, padding=insets(0, 0, 14, 0)),
        )

    def content(self) -> Widget:
        """Return the users, each with a button."""
        users = [content.uploaders()[user] for user in self.listed]
        if not users:
            return message_page("person", "还没有关注任何人")
        return ListView(
            id="follow_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=users,
            build=lambda user, _: self._row(user),
        )

    def _row(self, user: Uploader) -> Widget:
        following = self.store.following(user.id)

        def toggle() -> None:
            self.store.set_following(user.id, not following)
            self.ctx.toast("已取消关注" if following else "关注成功")

        return user_row(
            user, following=following, on_open=self.opens_space(user.id), on_follow=self.if_online(toggle)
        )
