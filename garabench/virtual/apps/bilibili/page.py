"""The base of the app's pages: the store, loading over the network, video menus."""

from __future__ import annotations

from collections.abc import Callable

from garabench.virtual.apps.bilibili.content import Video
from garabench.virtual.apps.bilibili.names import open_space, open_video
from garabench.virtual.apps.bilibili.store import BilibiliStore
from garabench.virtual.apps.bilibili.theme import BACKGROUND, INK_3, network_error, sheet, sheet_row, top_bar
from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.kit.server_calls import network_check
from garabench.virtual.ui.widgets import MATCH, Align, Column, Handler, Text, Widget, divider, insets


class BilibiliPage(LoadingPage, Activity):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays.
    """

    no_network = "网络不可用，请检查网络设置"
    no_network_still = "网络连接失败，请稍后重试"

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = BilibiliStore(self.ctx.data, network_check(ctx, self.no_network))
        self.load_first()
        self.menu_of: Video | None = None

    def build(self) -> Widget:
        """Return the page, or an error if it failed to load."""
        body = self.content() if self.loaded else network_error(self.retry)
        bar = self.bar()
        children = (bar, body) if bar is not None else (body,)
        return Column(width=MATCH, height=MATCH, background=BACKGROUND, children=children)

    def content(self) -> Widget:
        """Return the content below the bar, which fills the remaining height."""
        raise NotImplementedError

    def bar(self) -> Widget | None:
        """Return the top bar, which is shown offline as well."""
        return None

    def back_bar(self, title: str, *actions: Widget) -> Widget:
        """Return a bar with a back button and a title."""
        return top_bar(title, self.ctx.finish, actions=actions)

    def opens(self, video: Video) -> Handler:
        """Return a handler that opens a video."""
        return lambda: open_video(self.ctx, video)

    def opens_space(self, uploader: str) -> Handler:
        """Return a handler that opens an uploader's page."""
        return lambda: open_space(self.ctx, uploader)

    def opens_menu(self, video: Video) -> Handler:
        """Return a handler that opens the menu of a video's card."""

        def run() -> None:
            self.menu_of = video

        return run

    def dialog(self) -> Widget | None:
        """Return the menu of a video, if it is open."""
        video = self.menu_of
        if video is None:
            return None
        waiting = self.store.in_later(video)
        return sheet(
            (
                Text(
                    text=video.title,
                    size=13,
                    color=INK_3,
                    max_lines=1,
                    align=Align.CENTER,
                    padding=insets(18, 10),
                ),
                divider(),
                sheet_row(
                    "移出稍后再看" if waiting else "添加至稍后再看",
                    self._menu(lambda: self._toggle_later(video)),
                    icon="watch-later",
                    rid="menu_later",
                ),
                sheet_row(
                    "不感兴趣", self._menu(lambda: self.ctx.toast("将减少相似内容推荐")), icon="dislike"
                ),
                sheet_row("反馈", self._menu(lambda: self.ctx.toast("感谢你的反馈")), icon="feedback"),
                divider(),
                Text(
                    id="menu_cancel",
                    text="取消",
                    size=15,
                    color=INK_3,
                    align=Align.CENTER,
                    padding=insets(18, 14),
                    on_click=self._menu(lambda: None),
                ),
            )
        )

    def on_dismiss_dialog(self) -> None:
        """Close the menu."""
        self.menu_of = None

    def _menu(self, call: Callable[[], None]) -> Handler:
        """Return a handler for a menu item: close the menu and call `call`."""

        def run() -> None:
            self.menu_of = None
            call()

        return run

    def _toggle_later(self, video: Video) -> None:
        wanted = not self.store.in_later(video)
        self.store.set_later(video, wanted, self.ctx.now())
        self.ctx.toast("已添加至稍后再看" if wanted else "已移出稍后再看")
