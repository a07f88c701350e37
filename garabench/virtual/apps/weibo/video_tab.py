"""视频: a list of short videos, and the player page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.cards import buttons, follow_button
from garabench.virtual.apps.weibo.content import WeiboPost
from garabench.virtual.apps.weibo.feeds import post_list
from garabench.virtual.apps.weibo.formatting import count_text
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.theme import ORANGE, avatar, message_page, tab_strip
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    ImageView,
    ListView,
    Row,
    Slider,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.main import MainTabActivity

TABS = ("推荐", "关注", "直播")


def video_page(page: MainTabActivity) -> Widget:
    """Return the tab of videos."""
    videos = content.pick(content.feed()["videos"])
    strip = tab_strip(
        page.skin,
        TABS,
        page.video_tab,
        page.pick_video_tab,
        rid="video_tabs",
        size=16,
        height=46,
        justify=Align.CENTER,
        gap=28,
    )
    body: Widget
    if page.video_tab == "直播":
        body = message_page(page.skin, "live", "你关注的人都不在直播")
    else:
        shown = page.store.shown(videos)
        if page.video_tab == "关注":
            shown = tuple(post for post in shown if page.store.following(post.user))
        body = post_list(page, shown, key=f"video-{page.video_tab}", parts=page.parts)
    return Column(width=MATCH, height=MATCH, weight=1, children=(strip, body))


class VideoPlayActivity(PostPage):
    """The player page: the video, its comments and the next videos."""

    def on_create(self) -> None:
        """Read the video from the intent and play it from the start."""
        self.post = self.store.post(str(self.intent.extras.get("post", "")))
        self.playing = True
        self.place = 0.0
        if self.post is not None:
            self.store.add_view(self.post, self.ctx.now())

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("微博视频")

    def content(self) -> Widget:
        """Return the player, the author, and further videos."""
        post = self.post
        if post is None or not post.video:
            return message_page(self.skin, "video", "视频不存在或已被删除")
        others = tuple(other for other in content.pick(content.feed()["videos"]) if other.id != post.id)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                self._player(post),
                self._words(post),
                ListView(
                    id="video_next",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    gap=1,
                    items=self.store.shown(others),
                    build=lambda other, _: self._next(other),
                ),
            ),
        )

    def _toggle(self) -> None:
        self.playing = not self.playing

    def _seek(self, place: float) -> None:
        self.place = place

    def _player(self, post: WeiboPost) -> Widget:
        return Box(
            id="video_player",
            desc=f"播放器,{'播放中' if self.playing else '已暂停'}",
            width=MATCH,
            height=214,
            background="#000000",
            on_click=self._toggle,
            children=(
                ImageView(seed=post.id, kind="cover", width=MATCH, height=214, important=False),
                Icon(
                    name="pause" if self.playing else "play",
                    size=50,
                    color="#B3FFFFFF",
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    important=False,
                ),
                Row(
                    width=MATCH,
                    height=32,
                    gap=8,
                    padding=insets(12, 0),
                    align_vertical=Align.END,
                    children=(
                        Slider(
                            id="video_seek",
                            desc="播放进度",
                            value=self.place,
                            on_change=self._seek,
                            color=ORANGE,
                            weight=1,
                            height=24,
                        ),
                        Text(id="video_duration", text=post.video, size=12, color="#FFFFFF"),
                    ),
                ),
            ),
        )

    def _words(self, post: WeiboPost) -> Widget:
        author = post.author
        return Column(
            width=MATCH,
            background=self.skin.card,
            padding=insets(12, 12, 12, 0),
            children=(
                Row(
                    width=MATCH,
                    gap=10,
                    children=(
                        avatar(author.id, 36, mark=author.kind, on_click=self.opens_user(author.id)),
                        Text(
                            id="tvItemName",
                            text=author.name,
                            size=15,
                            color=self.skin.ink,
                            weight=1,
                            max_lines=1,
                        ),
                        follow_button(self, author.id),
                    ),
                ),
                Text(
                    id="contentTextView",
                    text=post.text,
                    size=15 * self.scale,
                    color=self.skin.ink,
                    max_lines=3,
                    margin=insets(0, 8, 0, 0),
                ),
                buttons(self, post),
            ),
        )

    def _next(self, post: WeiboPost) -> Widget:
        return Row(
            key=post.id,
            id="video_item",
            width=MATCH,
            gap=10,
            background=self.skin.card,
            padding=insets(12, 8),
            on_click=self.opens(names.VIDEO, post=post.id),
            children=(
                ImageView(seed=post.id, kind="cover", width=128, height=74, radius=5, important=False),
                Column(
                    weight=1,
                    gap=6,
                    children=(
                        Text(id="video_title", text=post.text, size=14, color=self.skin.ink, max_lines=2),
                        Text(
                            text=f"{post.author.name} · {count_text(post.likes * 21)}次观看 · {post.video}",
                            size=11.5,
                            color=self.skin.ink_3,
                            max_lines=1,
                        ),
                    ),
                ),
            ),
        )
