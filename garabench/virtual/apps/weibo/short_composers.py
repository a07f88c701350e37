"""Composers for reposts, comments and replies."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo.content import WeiboPost
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.theme import ORANGE, bar_text, icon_button, message_page, save_button
from garabench.virtual.apps.weibo.user_content import OPEN, VISIBILITIES
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    CheckBox,
    Column,
    ImageView,
    Row,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

LONGEST = 140


class _ShortComposer(WeiboPage):
    """A composer for a text about a post, with a check box."""

    needs_network = False
    title = ""
    hint = ""
    also = ""

    def on_create(self) -> None:
        """Read the post from the intent."""
        self.post = self.store.post(str(self.intent.extras.get("post", "")))
        self.text = self.first_text()
        self.both = False

    def first_text(self) -> str:
        """The initial text of the field."""
        return ""

    def change(self, text: str) -> None:
        """Handle a change of the text."""
        self.text = text

    def toggle(self) -> None:
        """Toggle the check box."""
        self.both = not self.both

    def send(self) -> None:
        """Publish the text and go back."""
        if self.post is None:
            self.ctx.toast("该微博不存在或已被删除")
        elif len(self.text) > LONGEST:
            self.ctx.toast(f"内容超过{LONGEST}字")
        elif not self.ctx.online:
            self.ctx.toast("网络不可用，发送失败")
        elif not self.is_writing_blocked() and self.publish(self.post, self.text.strip()):
            self.ctx.finish()

    def publish(self, post: WeiboPost, text: str) -> bool:
        """Publish the text; return False if something is missing."""
        raise NotImplementedError

    def leave(self) -> None:
        """Leave; ask for confirmation before discarding a text."""
        if self.text.strip() and self.text != self.first_text():
            self.ask("放弃此次编辑？", "放弃", self.ctx.finish)
        else:
            self.ctx.finish()

    def on_back(self) -> bool:
        """Handle Back as the cancel button."""
        if self.text.strip() and self.text != self.first_text():
            self.leave()
            return True
        return False

    def bar(self) -> Widget:
        """Return the bar: cancel, title and send."""
        return Box(
            id="ly_title",
            width=MATCH,
            height=50,
            background=self.skin.card,
            children=(
                Text(
                    id="titleText",
                    text=self.heading(),
                    size=17,
                    bold=True,
                    color=self.skin.ink,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                ),
                Row(
                    width=MATCH,
                    height=50,
                    justify=Align.SPACE_BETWEEN,
                    children=(
                        bar_text(self.skin, "取消", self.leave, rid="titleBack"),
                        save_button("发送", self.send, enabled=self.ready()),
                    ),
                ),
            ),
        )

    def heading(self) -> str:
        """Return the title bar."""
        return self.title

    def ready(self) -> bool:
        """Whether the text can be sent."""
        return bool(self.text.strip())

    def content(self) -> Widget:
        """Return the field, the quoted post, and the tools."""
        post, skin = self.post, self.skin
        if post is None:
            return message_page(skin, "alert-circle", "该微博不存在或已被删除")
        left = LONGEST - len(self.text)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=skin.card,
            children=(
                TextField(
                    id="edit_view",
                    text=self.text,
                    hint=self.hint,
                    size=16,
                    color=skin.ink,
                    hint_color=skin.ink_3,
                    width=MATCH,
                    height=92,
                    padding=insets(14, 10),
                    input_type="multiline",
                    on_change=self.change,
                    autofocus=True,
                ),
                self.quoted(post),
                Row(
                    width=MATCH,
                    height=48,
                    gap=10,
                    padding=insets(14, 0),
                    children=(
                        Row(
                            gap=6,
                            on_click=self.toggle,
                            children=(
                                CheckBox(
                                    id="check_also",
                                    desc=self.also,
                                    checked=self.both,
                                    color=ORANGE,
                                    width=26,
                                    height=26,
                                    on_click=self.toggle,
                                ),
                                Text(id="also_text", text=self.also, size=13, color=skin.ink_2),
                            ),
                        ),
                        spacer(),
                        Text(
                            id="text_left",
                            text=str(left),
                            size=11,
                            color="#F9503A" if left < 0 else skin.ink_3,
                            visible=left < 20,
                        ),
                        *self.extras(),
                    ),
                ),
                divider(skin.line),
                Row(
                    width=MATCH,
                    height=46,
                    justify=Align.SPACE_AROUND,
                    children=(
                        icon_button(
                            skin, "image", self.toasting("请先开通会员"), rid="tool_picture", desc="图片"
                        ),
                        icon_button(
                            skin, "at", self.toasting("没有更多联系人"), rid="tool_mention", desc="@好友"
                        ),
                        icon_button(skin, "emoji", self._smile, rid="tool_emoji", desc="表情"),
                    ),
                ),
            ),
        )

    def extras(self) -> tuple[Widget, ...]:
        """Return widgets to show next to the check box."""
        return ()

    def _smile(self) -> None:
        self.text += "[微笑]"

    def quoted(self, post: WeiboPost) -> Widget:
        """Return the quoted post."""
        skin = self.skin
        return Row(
            id="quoted_post",
            width=MATCH,
            gap=10,
            background=skin.soft,
            radius=4,
            margin=insets(14, 0),
            children=(
                ImageView(seed=f"{post.id}-0", kind="cover", width=64, height=64, important=False),
                Column(
                    weight=1,
                    gap=4,
                    padding=insets(0, 6, 10, 6),
                    children=(
                        Text(
                            id="quoted_name",
                            text=f"@{post.author.name}",
                            size=13.5,
                            color=skin.ink,
                            max_lines=1,
                        ),
                        Text(id="quoted_text", text=post.text, size=12, color=skin.ink_3, max_lines=2),
                    ),
                ),
            ),
        )


class ForwardComposerActivity(_ShortComposer):
    """转发微博."""

    title = "转发微博"
    hint = "说说分享心得..."
    also = "同时评论"
    visibility = OPEN

    def first_text(self) -> str:
        """The texts of the reposts and comments in between."""
        quote = str(self.intent.extras.get("quote", ""))
        if quote:
            return quote
        if self.post is not None and self.post.of:
            return f"//@{self.post.author.name}：{self.post.text}"
        return ""

    def ready(self) -> bool:
        """Whether the text can be sent: a repost needs none."""
        return True

    def publish(self, post: WeiboPost, text: str) -> bool:
        """Repost the original post."""
        self.store.publish(
            text or "转发微博", self.ctx.now(), of=post.of or post.id, visibility=self.visibility
        )
        if self.both and text:
            self.store.comment(post, text, self.ctx.now())
        self.ctx.toast("转发成功")
        return True

    def extras(self) -> tuple[Widget, ...]:
        """Return the visibility selector."""
        return (
            Text(
                id="btn_visibility",
                text=self.visibility,
                size=12.5,
                color=self.skin.ink_2,
                background=self.skin.soft,
                radius=14,
                padding=insets(12, 6),
                on_click=self._choose,
            ),
        )

    def _choose(self) -> None:
        def sets(value: str) -> None:
            self.visibility = value

        self.choose([(value, partial(sets, value)) for value in VISIBILITIES], title="公开范围")


class CommentComposerActivity(_ShortComposer):
    """发评论, or 回复评论 if the intent names a comment."""

    hint = "写评论..."
    also = "同时转发"

    def heading(self) -> str:
        """Return the title bar."""
        return "回复评论" if self.intent.extras.get("of") else "发评论"

    def publish(self, post: WeiboPost, text: str) -> bool:
        """Publish the comment."""
        if not text:
            self.ctx.toast("请输入内容")
            return False
        extras = self.intent.extras
        to, of = str(extras.get("to", "")), str(extras.get("of", ""))
        self.store.comment(post, text, self.ctx.now(), to=to, of=of)
        if self.both and post.visibility == OPEN:
            self.store.publish(text, self.ctx.now(), of=post.of or post.id)
        self.ctx.toast("回复成功" if of else "评论成功")
        return True
