"""Lists of posts, which load in pages."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo.cards import post_card
from garabench.virtual.apps.weibo.content import WeiboPost
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.ui.widgets import MATCH, Align, ListView, Text, Widget, insets

PAGE_SIZE = 8
"""Number of posts per page."""
LOAD_MS = 350
LOADING = "加载中..."
THE_END = "没有更多内容了"


def post_list(
    page: PostPage,
    posts: tuple[WeiboPost, ...],
    *,
    rid: str = "feed_list",
    header: tuple[Widget, ...] = (),
    key: str = "",
    parts: LoadedPages | None = None,
) -> Widget:
    """Return a list of posts; its key depends on the font size.

    Args:
        page: The page that contains the list.
        posts: All posts.
        rid: Resource id of the list.
        header: Widgets above the posts that scroll with them.
        key: Distinguishes lists in one place, such as those of tabs.
        parts: The loaded pages; None shows all posts.
    """
    items: list[WeiboPost | str] = list(posts)
    if parts is not None:
        items = list(posts[: parts.shown(key)])
        items.append(LOADING if len(items) < len(posts) else THE_END)
    return ListView(
        id=rid,
        key=f"{rid}-{key}-{page.scale}",
        width=MATCH,
        height=MATCH,
        weight=1,
        gap=8,
        items=items,
        header=header,
        build=lambda item, _: list_end(page, item) if isinstance(item, str) else post_card(page, item),
        on_end=partial(parts.more, page, key) if parts is not None else None,
    )


class LoadedPages:
    """The loaded pages of a screen's lists."""

    def __init__(self) -> None:
        self._shown: dict[str, int] = {}

    def shown(self, key: str) -> int:
        """Return the number of loaded posts of a list."""
        return self._shown.get(key, PAGE_SIZE)

    def more(self, page: PostPage, key: str) -> None:
        """Load the next page of a list if there is a network."""

        def loaded() -> None:
            self._shown[key] = self.shown(key) + PAGE_SIZE

        if page.ctx.online:
            page.ctx.after(LOAD_MS, loaded)


def list_end(page: PostPage, words: str = THE_END) -> Widget:
    """The footer below a list's last post."""
    return Text(
        id="loading_more",
        text=words,
        size=12,
        color=page.skin.ink_3,
        align=Align.CENTER,
        width=MATCH,
        padding=insets(0, 14),
    )
