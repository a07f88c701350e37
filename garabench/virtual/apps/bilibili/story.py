"""The vertical player of short videos: one fills the screen, a swipe opens the next."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import avatar
from garabench.virtual.apps.bilibili.composer import composer
from garabench.virtual.apps.bilibili.content import Video, count_text
from garabench.virtual.apps.bilibili.theme import PINK, WHITE, follow_button, icon_button
from garabench.virtual.apps.bilibili.video import VideoActions
from garabench.virtual.apps.bilibili.video_modes import Overlay
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    Icon,
    ImageView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)


class StoryActivity(VideoActions):
    """A short video that fills the page."""

    status_bar = "#000000"

    def on_create(self) -> None:
        """Start with the panel closed."""
        super().on_create()
        self.composing = False
        self.draft = ""

    def on_back(self) -> bool:
        """Back closes the composer first."""
        if self.composing:
            self.close_composer()
            return True
        return False

    def step(self, forward: bool) -> None:
        """Show the next or the previous short video."""
        shorts: list[Video] = [video for video in content.videos().values() if video.portrait]
        place = next((at for at, video in enumerate(shorts) if video.id == self.video.id), 0)
        self.intent = Intent(extras={"video": shorts[(place + (1 if forward else -1)) % len(shorts)].id})
        self.on_create()

    def open_composer(self) -> None:
        """Open the composer."""
        self.composing, self.draft = True, ""
        self.ctx.focus("danmaku_input")

    def close_composer(self) -> None:
        """Close the composer."""
        self.composing = False
        self.ctx.hide_keyboard()

    def change_draft(self, text: str) -> None:
        """Handle a change of the draft."""
        self.draft = text

    def send(self) -> None:
        """Send the bullet comment."""
        text = self.draft.strip()
        if not text or not self.ctx.online:
            self.ctx.toast("内容不能为空" if not text else "网络不可用，请检查网络设置")
            return
        self.store.send_danmaku(self.video, text)
        self.close_composer()
        self.ctx.toast("弹幕发送成功")

    def build(self) -> Widget:
        """Return the page, with the composer over it."""
        page = super().build()
        if not self.composing:
            return page
        panel = composer(
            text=self.draft,
            hint="发个友善的弹幕见证当下",
            action="发送",
            on_change=self.change_draft,
            on_send=self.send,
            on_close=self.close_composer,
            rid="danmaku",
        )
        return Box(width=MATCH, height=MATCH, children=(page, panel))

    def content(self) -> Widget:
        """Return the picture, with text at the bottom and actions on the right."""
        video = self.video
        return Box(
            id="story_container",
            desc=f"播放器,{video.title}",
            width=MATCH,
            height=MATCH,
            weight=1,
            background="#000000",
            children=(
                ImageView(seed=video.id, kind="cover", width=MATCH, height=MATCH, important=False),
                Widget(
                    width=MATCH,
                    height=360,
                    background=Gradient("#00000000", "#D9000000"),
                    align_vertical=Align.END,
                    important=False,
                ),
                Row(
                    width=MATCH,
                    height=48,
                    padding=insets(4, 0),
                    children=(
                        icon_button(
                            "arrow-back", rid="story_back", desc="返回", color=WHITE, on_click=self.ctx.finish
                        ),
                        spacer(),
                        icon_button(
                            "search",
                            desc="搜索",
                            color=WHITE,
                            on_click=lambda: self.ctx.toast("请在首页搜索"),
                        ),
                        icon_button(
                            "more",
                            rid="story_more",
                            desc="更多选项",
                            color=WHITE,
                            on_click=self.opens_overlay(Overlay.SHARE),
                        ),
                    ),
                ),
                Column(
                    width=MATCH,
                    align_vertical=Align.END,
                    padding=insets(14, 0, 6, 10),
                    children=(
                        Row(
                            width=MATCH,
                            align=Align.END,
                            gap=10,
                            children=(self._words(), self._side()),
                        ),
                        self._footer(),
                    ),
                ),
            ),
        )

    def _words(self) -> Widget:
        author = self.author
        flying = [
            Text(
                id="danmaku_own",
                key=f"danmaku-{at}",
                text=text,
                size=14,
                color=WHITE,
                border=WHITE,
                padding=insets(6, 1),
            )
            for at, text in enumerate(self.store.danmaku(self.video)[-3:])
        ]
        return Column(
            weight=1,
            gap=8,
            align=Align.START,
            children=(
                *flying,
                Row(
                    gap=8,
                    children=(
                        avatar(author.id, 36, on_click=self.opens_space(author.id)),
                        Text(
                            id="up_name",
                            text=author.name,
                            size=15,
                            bold=True,
                            color=WHITE,
                            max_lines=1,
                            on_click=self.opens_space(author.id),
                        ),
                        follow_button(self.store.following(author.id), self.if_online(self.follow)),
                    ),
                ),
                Text(id="title", text=self.video.title, size=15, color=WHITE, max_lines=2),
                Text(
                    id="view_count", text=f"{count_text(self.video.plays)}次播放", size=12, color="#CCFFFFFF"
                ),
            ),
        )

    def _side(self) -> Widget:
        video, store = self.video, self.store
        liked, coins, saved = store.liked(video), store.coins(video), bool(store.folders_with(video))
        return Column(
            width=56,
            gap=4,
            align=Align.CENTER,
            children=(
                self._action(
                    "like_icon", "like-filled", "点赞", video.likes + liked, liked, self.like, self.triple
                ),
                self._action("coin_icon", "coin", "投币", video.coins + coins, coins > 0, self.ask_coins),
                self._action(
                    "favorite_icon", "star-filled", "收藏", video.favorites + saved, saved, self.ask_folders
                ),
                self._action(
                    "share_icon",
                    "share-filled",
                    "分享",
                    video.shares,
                    False,
                    self.opens_overlay(Overlay.SHARE),
                ),
            ),
        )

    def _action(
        self,
        rid: str,
        icon: str,
        label: str,
        count: int,
        on: bool,
        on_click: Handler,
        on_long_click: Handler | None = None,
    ) -> Widget:
        return Column(
            key=rid,
            width=56,
            height=60,
            gap=3,
            align=Align.CENTER,
            justify=Align.CENTER,
            children=(
                Icon(
                    id=rid,
                    name=icon,
                    desc=f"已{label}" if on else label,
                    size=30,
                    color=PINK if on else WHITE,
                    selected=on,
                    on_click=self.if_online(on_click),
                    on_long_click=self.if_online(on_long_click) if on_long_click else None,
                ),
                Text(id=f"{rid}_count", text=count_text(count), size=11, color=WHITE),
            ),
        )

    def _footer(self) -> Widget:
        return Row(
            width=MATCH,
            gap=8,
            margin=insets(0, 10, 8, 0),
            children=(
                Row(
                    id="danmaku_entry",
                    weight=1,
                    height=36,
                    radius=18,
                    background="#33FFFFFF",
                    padding=insets(14, 0),
                    on_click=self.open_composer,
                    children=(Text(text="发个友善的弹幕见证当下", size=13, color="#CCFFFFFF"),),
                ),
                icon_button("chevron-up", desc="上一个视频", color=WHITE, on_click=lambda: self.step(False)),
                icon_button(
                    "chevron-down",
                    rid="story_next",
                    desc="下一个视频",
                    color=WHITE,
                    on_click=lambda: self.step(True),
                ),
            ),
        )
