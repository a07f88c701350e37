"""The picture viewer of a post."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.theme import WHITE, icon_button, message_page
from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, ImageView, Row, Text, Widget, insets


class ImageViewerActivity(WeiboPage):
    """A picture on black with its number; tapping its left or right half turns to the next one."""

    status_bar: str = "#000000"
    launch_mode: ClassVar[str] = "standard"

    def on_create(self) -> None:
        """Read the post and the picture's number from the intent."""
        self.post = self.store.post(str(self.intent.extras.get("post", "")))
        count = self.post.pics if self.post is not None else 0
        self.place = min(max(0, int(self.intent.extras.get("place", 0))), max(0, count - 1))

    def turn(self, by: int) -> None:
        """Show the next or previous picture, if there is one."""
        if self.post is not None:
            self.place = min(max(0, self.place + by), self.post.pics - 1)

    def build(self) -> Widget:
        """Return the picture on black."""
        post = self.post
        if post is None or not post.pics:
            return message_page(self.skin, "image", "图片不存在或已被删除")
        halves = [
            Widget(
                key=name,
                id=name,
                desc=desc,
                weight=1,
                height=MATCH,
                on_click=partial(self.turn, by),
            )
            for name, desc, by in (("picture_before", "上一张", -1), ("picture_after", "下一张", 1))
        ]
        seed = f"album-{self.place}" if post.id.startswith("own-") else f"{post.id}-{self.place}"
        width = self.ctx.width_dp
        return Column(
            width=MATCH,
            height=MATCH,
            background="#000000",
            children=(
                Row(
                    width=MATCH,
                    height=48,
                    justify=Align.SPACE_BETWEEN,
                    children=(
                        icon_button(
                            self.skin, "close", self.ctx.finish, rid="picture_close", desc="关闭", color=WHITE
                        ),
                        Text(id="picture_number", text=f"{self.place + 1}/{post.pics}", size=15, color=WHITE),
                        Text(
                            id="picture_save",
                            text="保存",
                            size=14,
                            color=WHITE,
                            padding=insets(14, 10),
                            on_click=self.toasting("已保存到相册"),
                        ),
                    ),
                ),
                Box(
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=(
                        ImageView(
                            id="picture_large",
                            desc=f"图片{self.place + 1}",
                            seed=seed,
                            kind="cover",
                            width=MATCH,
                            height=width * 0.8,
                            align_vertical=Align.CENTER,
                        ),
                        Row(width=MATCH, height=MATCH, children=halves),
                    ),
                ),
            ),
        )
