"""The browser: an address field and simple pages.

It shows pages that servers on this machine offer, and says plainly when a page cannot be loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.browser.fetch import PageNotLoadedError, full_address, load_page
from garabench.virtual.apps.browser.html_page import HtmlPage, PageBlock, read_html, read_text
from garabench.virtual.apps.settings.rows import colors
from garabench.virtual.kit.framework import Activity, App, Context, Intent
from garabench.virtual.kit.intent_filter import BROWSABLE, DEFAULT, IntentFilter
from garabench.virtual.kit.state import marks
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
)

PACKAGE = "com.android.browser"
MAIN = f"{PACKAGE}.BrowserActivity"
HOME_PAGE = "about:blank"
_VIEW = "android.intent.action.VIEW"
_MAX_HISTORY = 100


class BrowserActivity(Activity):
    """A page, and those before it."""

    launch_mode = "singleTask"
    filters = (
        IntentFilter((_VIEW,), (DEFAULT, BROWSABLE), ("http", "https", "about")),
        IntentFilter((_VIEW,), (DEFAULT, BROWSABLE), ("http", "https"), types=("text/html", "text/plain")),
        IntentFilter(("android.intent.action.MAIN",), (DEFAULT, "android.intent.category.APP_BROWSER")),
    )

    def on_create(self) -> None:
        self.before: list[str] = []
        self.address, self.typed = "", ""
        self.page: HtmlPage | None = None
        self.problem = ""
        self.on_new_intent(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        if intent.data:
            self.open(intent.data)
        elif not self.address:
            self.open(HOME_PAGE)

    def on_back(self) -> bool:
        if not self.before:
            return False
        self._show(self.before.pop())
        return True

    def open(self, address: str) -> None:
        """Open an address, which the back key leaves again."""
        if self.address:
            self.before.append(self.address)
        self._show(address)
        history = self.ctx.data["history"]
        if address != HOME_PAGE and address not in history:
            history.append(address)
            del history[:-_MAX_HISTORY]

    def _show(self, address: str) -> None:
        self.address, self.typed = address, "" if address == HOME_PAGE else address
        self.page, self.problem = None, ""
        self.ctx.hide_keyboard()
        self.ctx.scroll_to("page", 0)
        if address.startswith("about:"):
            return
        try:
            loaded = load_page(address)
        except PageNotLoadedError as error:
            self.problem = error.code
            return
        self.address = self.typed = loaded.address
        if loaded.mime_type in ("text/html", "application/xhtml+xml"):
            self.page = read_html(loaded.content, loaded.address, loaded.charset)
        elif loaded.mime_type.startswith("text/") or loaded.mime_type == "application/json":
            self.page = read_text(loaded.content.decode("utf-8", "replace"), loaded.address)
        else:
            self.problem = "ERR_UNSUPPORTED_CONTENT"

    def build(self) -> Widget:
        palette = colors(self.ctx)
        self.status_bar = palette.page
        return Column(
            width=MATCH,
            height=MATCH,
            background=palette.page,
            children=[
                self._bar(),
                ScrollView(
                    id="main_content",
                    key="page",
                    cls="android.webkit.WebView",
                    desc=self.page.title if self.page is not None else "",
                    weight=1,
                    width=MATCH,
                    gap=10,
                    children=[
                        Widget(height=8, important=False),
                        *self._content(),
                        Widget(height=32, important=False),
                    ],
                ),
            ],
        )

    def _bar(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        field = TextField(
            id="url",
            key="url",
            text=self.typed,
            hint=ctx.t("输入网址", "Type web address"),
            action="go",
            color=palette.ink,
            hint_color=palette.grey,
            background=palette.card,
            radius=22,
            height=44,
            weight=1,
            padding=insets(16, 8),
            on_change=self._type,
            on_submit=self._go,
        )
        again = Icon(
            name="refresh",
            id="refresh",
            desc=ctx.t("刷新", "Refresh"),
            color=palette.ink,
            width=48,
            height=48,
            padding=insets(12),
            on_click=lambda: self._show(self.address),
        )
        return Row(id="taburlbar", width=MATCH, padding=insets(12, 8, 4, 8), children=[field, again])

    def _content(self) -> Iterator[Widget]:
        ctx, palette = self.ctx, colors(self.ctx)
        if self.problem:
            yield _text(
                ctx.t("无法显示此网页", "Web page not available"), 24, palette.ink, "error_title", bold=True
            )
            host = self.address[:200]
            reason = ctx.t(f"位于 {host} 的网页无法加载：", f"The web page at {host} could not be loaded:")
            yield _text(reason, 16, palette.ink, "error_message")
            yield _text(self.problem, 14, palette.grey, "error_code")
        elif self.page is None:
            hint = ctx.t(
                "手机可以打开本机服务器的网页。", "The phone opens pages of servers on this machine."
            )
            yield _text(hint, 16, palette.grey, "start_page")
        else:
            for number, block in enumerate(self.page.blocks):
                yield self._block(number, block)

    def _block(self, number: int, block: PageBlock) -> Widget:
        palette = colors(self.ctx)
        if not block.text:
            return divider(palette.line, insets(20, 8))
        text = Text(
            key=f"block-{number}",
            cls="android.view.View" if block.link else "android.widget.TextView",
            text=f"🖼 {block.text}" if block.image else block.text,
            size=block.size,
            bold=block.bold,
            color=palette.accent if block.link else palette.grey if block.image else palette.ink,
            padding=insets(20, 4),
            on_click=partial(self._follow, block.link) if block.link else None,
        )
        return text

    def _follow(self, link: str) -> None:
        """Open a link: pages here, other schemes in the app for them."""
        if link.partition(":")[0] in ("http", "https", "about"):
            self.open(link)
        else:
            self.ctx.start(Intent(action=_VIEW, data=link, categories=frozenset({BROWSABLE})))

    def _type(self, text: str) -> None:
        self.typed = text

    def _go(self) -> None:
        if address := full_address(self.typed):
            self.open(address)


def _text(text: str, size: int, color: str, name: str, *, bold: bool = False) -> Widget:
    return Text(id=name, text=text, size=size, color=color, bold=bold, padding=insets(20, 8))


def _initial_data() -> dict[str, Any]:
    return {"history": []}


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the visited addresses."""
    yield from marks("visited-page", ctx.data["history"], "访问过 {}", "Visited {}")


APP = App(
    package=PACKAGE,
    label={"zh": "浏览器", "en": "Browser"},
    activities={MAIN: BrowserActivity},
    launcher=MAIN,
    version_name="14",
    version_code=34,
    icon_seed="browser",
    icon_color="#1A73E8",
    icon_glyph="icon:web",
    system=True,
    initial_data=_initial_data,
    state=state,
    apk_path="/product/app/Browser2/Browser2.apk",
)
