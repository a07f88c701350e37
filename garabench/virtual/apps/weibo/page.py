"""The base of the app's pages: the store, the theme, loading over the network, sheets, confirmations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import WeiboPost, user_named
from garabench.virtual.apps.weibo.store import WeiboStore
from garabench.virtual.apps.weibo.theme import (
    DARK,
    FONT_SCALES,
    LIGHT,
    Skin,
    alert,
    message_page,
    sheet,
    sheet_row,
    title_bar,
)
from garabench.virtual.kit.framework import Activity, Context, Intent
from garabench.virtual.kit.loading_page import LoadingPage
from garabench.virtual.kit.server_calls import network_check
from garabench.virtual.ui.widgets import MATCH, Column, Handler, Widget, divider

Choice = tuple[str, Callable[[], None]]


class WeiboPage(LoadingPage, Activity):
    """A page.

    Pages that load over the network show an error with a retry button when opened offline; loaded content
    stays.
    """

    no_network = "网络不可用，请检查网络设置"
    no_network_still = "网络连接失败，请稍后重试"

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = WeiboStore(self.ctx.data, network_check(ctx, self.no_network))
        self.load_first()

    def request_param(self, extra: str, parameter: str) -> str:
        """Return a parameter of the page: an extra of the intent, or a query parameter of its link."""
        value = self.intent.extras.get(extra)
        if value is not None:
            return str(value)
        try:
            found = parse_qs(urlsplit(self.intent.data).query)
        except ValueError:  # such as an unclosed bracket in the address
            return ""
        return found.get(parameter, [""])[0]

    @property
    def skin(self) -> Skin:
        """The colours, by the app's own setting or the phone's."""
        mode = self.store.setting("dark", "跟随系统")
        dark = self.ctx.dark if mode == "跟随系统" else mode == "深色模式"
        return DARK if dark else LIGHT

    @property
    def scale(self) -> float:
        """The font scale of posts."""
        return FONT_SCALES[str(self.store.setting("font", "标准"))]

    def build(self) -> Widget:
        """Return the page, or an error if it failed to load."""
        self.status_bar = self.skin.card
        body = self.content() if self.loaded else self.network_error(self.retry)
        bar = self.bar()
        children = (bar, body) if bar is not None else (body,)
        return Column(width=MATCH, height=MATCH, background=self.skin.background, children=children)

    def content(self) -> Widget:
        """Return the content below the bar, which fills the remaining height."""
        raise NotImplementedError

    def bar(self) -> Widget | None:
        """Return the top bar, which is shown offline as well."""
        return None

    def back_bar(self, title: str, *actions: Widget, line: str = "") -> Widget:
        """Return a bar with a back button, a title, and optionally a small second line."""
        return title_bar(self.skin, title, self.ctx.finish, *actions, line=line)

    def network_error(self, retry: Handler) -> Widget:
        """Return the placeholder of a section that failed to load."""
        return message_page(
            self.skin, "wifi-off", "网络出错啦，请点击按钮重新加载", "重新加载", retry, rid="network_error"
        )

    # Handlers

    def opens(self, activity: str, **extras: Any) -> Handler:
        """Return a handler that opens a page of the app."""
        return lambda: self.ctx.open(activity, **extras)

    def opens_post(self, post: WeiboPost, tab: str = "评论") -> Handler:
        """Return a handler that opens a post."""
        return self.opens(names.DETAIL, post=post.id, tab=tab)

    def opens_user(self, user: str) -> Handler:
        """Return a handler that opens a user's page."""
        return self.opens(names.PROFILE, user=user)

    def opens_author(self, name: str) -> Handler:
        """Return a handler that opens the page of the user with that name, if there is one."""
        user = user_named(name)
        return self.opens_user(user.id) if user else self.toasting("该用户主页暂时无法查看")

    def is_writing_blocked(self) -> bool:
        """Return whether youth mode forbids writing; if so, show a message."""
        if self.store.youth:
            self.ctx.toast("未成年人模式下无法使用该功能")
        return self.store.youth

    # Sheets and confirmations

    def choose(self, choices: Sequence[Choice], *, title: str = "", cancel: bool = True) -> None:
        """Open a sheet of choices; each closes it."""
        self.sheet = partial(self._sheet, tuple(choices), title, cancel)

    def ask(
        self, text: str, yes: str, call: Callable[[], None], *, title: str = "", no: str = "取消"
    ) -> None:
        """Ask for confirmation."""
        self.sheet = lambda: alert(
            self.skin, text, yes, self.closing(call), self.on_dismiss_dialog, no=no, title=title
        )

    def _sheet(self, choices: tuple[Choice, ...], title: str, cancel: bool) -> Widget:
        rows: list[Widget] = []
        if title:
            header = sheet_row(self.skin, title, lambda: None, color=self.skin.ink_3, rid="sheet_title")
            rows += [header, divider(self.skin.line)]
        for label, call in choices:
            rows.append(sheet_row(self.skin, label, self.closing(call)))
            rows.append(divider(self.skin.line))
        if cancel:
            rows.append(
                sheet_row(
                    self.skin, "取消", self.on_dismiss_dialog, color=self.skin.ink_2, rid="sheet_cancel"
                )
            )
        return sheet(self.skin, rows)
