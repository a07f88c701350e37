"""Lists of posts, which load in pages."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo.cards import post_card
from garabench.virtual.apps.weibo.content import WeiboPost
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.ui.widgets import MATCH, Align, ListView, Text, Widget, insets

PART = 8
"""So many posts are loaded at once."""
MILLISECONDS_TO_LOAD = 350
LOADING = "加载中..."
THE_END = "没有更多内容了"


def post_list(
    page: PostPage,
    posts: tuple[WeiboPost, ...],
    *,
    rid: str = "feed_list",
    header: tuple[Widget, ...] = (),
    key: str = "",
    parts: Parts | None = None,
) -> Widget:
    """A list of posts; it is another list for another size of letters.

    Args:
        page: The page that it is on.
        posts: All of them.
        rid: The list's id.
        header: What scrolls with it, above.
        key: Distinguishes lists in one place, such as those of tabs.
        parts: How far it has been loaded; None shows it all at once.
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


class Parts:
    """How many posts of each of a page's lists have been loaded."""

    def __init__(self) -> None:
        self._shown: dict[str, int] = {}

    def shown(self, key: str) -> int:
        """How many of that list are there."""
        return self._shown.get(key, PART)

    def more(self, page: PostPage, key: str) -> None:
        """Load the next part, while there is a network."""

        def loaded() -> None:
            self._shown[key] = self.shown(key) + PART

        if page.ctx.online:
            page.ctx.after(MILLISECONDS_TO_LOAD, loaded)


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
