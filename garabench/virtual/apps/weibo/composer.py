"""The post composer: text, topic, place, pictures and visibility."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import content, pickers
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.theme import bar_text, icon_button, save_button
from garabench.virtual.apps.weibo.user_content import OPEN
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ImageView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

LONGEST = 2000
MAX_PICTURES = 9


class OriginalComposerActivity(WeiboPage):
    """发微博; `step` is the open picker: topic, place or visibility."""

    needs_network = False

    def on_create(self) -> None:
        """Start empty, with a topic, or with a draft."""
        extras = self.intent.extras
        self.draft = self.store.draft(str(extras.get("draft", "")))
        topic = str(extras.get("topic", ""))
        self.text = self.draft.text if self.draft else (f"#{topic}# " if topic else "")
        self.place = self.draft.place if self.draft else ""
        self.visibility = self.draft.visibility if self.draft else OPEN
        self.pics = int(extras.get("pics", 0))
        self.step = ""
        self.query = ""

    def change(self, text: str) -> None:
        """Handle a change of the text."""
        self.text = text[:LONGEST]

    def change_query(self, text: str) -> None:
        """Handle a change of the picker's search text."""
        self.query = text

    def go(self, step: str) -> None:
        """Open a picker; an empty name returns to the text."""
        self.step, self.query = step, ""
        self.ctx.hide_keyboard()

    def on_back(self) -> bool:
        """Back closes a picker; with a text, it asks whether to save a draft."""
        if self.step:
            self.go("")
            return True
        return self._leave()

    def _leave(self) -> bool:
        if not self.text.strip() and not self.pics:
            return False
        self.choose(
            (("保留草稿", partial(self._end, True)), ("不保留", partial(self._end, False))),
            title="是否保留此次编辑？",
        )
        return True

    def leave(self) -> None:
        """Handle a tap on Cancel."""
        if not self._leave():
            self.ctx.finish()

    def _end(self, save: bool) -> None:
        if save:
            self.store.save_draft(
                self.text,
                self.ctx.now(),
                name=self.draft.id if self.draft else "",
                place=self.place,
                visibility=self.visibility,
            )
            self.ctx.toast("已保存到草稿箱")
        self.ctx.finish()

    def send(self) -> None:
        """Publish the post."""
        if not self.text.strip() and not self.pics:
            self.ctx.toast("请输入内容")
            return
        if self.is_writing_blocked():
            return
        if not self.ctx.online:
            self.ctx.toast("发送失败，已保存到草稿箱")
            self._end(True)
            return
        text = self.text.strip() or "分享图片"
        self.store.publish(text, self.ctx.now(), place=self.place, visibility=self.visibility, pics=self.pics)
        if self.draft:
            self.store.delete_draft(self.draft.id)
        self.ctx.toast("发送成功")
        self.ctx.finish()

    def add_topic(self, topic: str) -> None:
        """Append a topic to the text."""
        lead = f"{self.text.rstrip()} " if self.text.strip() else ""
        self.text = f"{lead}#{topic}# "
        self.go("")

    def set_place(self, place: str) -> None:
        """Set the place; an empty one removes it."""
        self.place = place
        self.go("")

    def set_visibility(self, value: str) -> None:
        """Set the visibility."""
        self.visibility = value
        self.go("")

    def add_picture(self) -> None:
        """Add the next picture of the album."""
        if self.pics < MAX_PICTURES:
            self.pics += 1
        else:
            self.ctx.toast(f"最多添加{MAX_PICTURES}张图片")

    def remove_picture(self) -> None:
        """Remove the last picture."""
        self.pics -= 1

    def bar(self) -> Widget:
        """Return the bar with the title of the open picker."""
        if self.step:
            title = {"topic": "选择话题", "place": "选择位置", "visibility": "公开范围"}[self.step]
            return Box(
                width=MATCH,
                height=46,
                background=self.skin.card,
                children=(
                    Text(
                        id="titleText",
                        text=title,
                        size=17,
                        bold=True,
                        color=self.skin.ink,
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                    ),
                    icon_button(self.skin, "arrow-back", partial(self.go, ""), rid="titleBack", desc="返回"),
                ),
            )
        ready = bool(self.text.strip() or self.pics)
        return Box(
            id="ly_title",
            width=MATCH,
            height=50,
            background=self.skin.card,
            children=(
                Column(
                    align=Align.CENTER,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    children=(
                        Text(id="titleText", text="发微博", size=17, bold=True, color=self.skin.ink),
                        Text(text=str(self.store.profile["name"]), size=11, color=self.skin.ink_3),
                    ),
                ),
                Row(
                    width=MATCH,
                    height=50,
                    justify=Align.SPACE_BETWEEN,
                    children=(
                        bar_text(self.skin, "取消", self.leave, rid="titleBack"),
                        save_button("发送", self.send, enabled=ready),
                    ),
                ),
            ),
        )

    def content(self) -> Widget:
        """Return the text field, or the open picker."""
        match self.step:
            case "topic":
                return pickers.topic_picker(self)
            case "place":
                return pickers.place_picker(self)
            case "visibility":
                return pickers.visibility_picker(self)
            case _:
                return self._writing()

    def _writing(self) -> Widget:
        skin = self.skin
        left = LONGEST - len(self.text)
        pictures = [
            ImageView(
                key=f"pic-{place}",
                id="iv_pic",
                desc="已选图片",
                seed=f"album-{place}",
                width=78,
                height=78,
                radius=4,
            )
            for place in range(self.pics)
        ]
        added: tuple[Widget, ...] = ()
        if pictures:
            added = (
                Row(width=MATCH, wrap=True, gap=6, padding=insets(14, 6), children=pictures),
                Text(
                    id="pic_remove",
                    text="移除最后一张",
                    size=12.5,
                    color=skin.link,
                    padding=insets(14, 6),
                    on_click=self.remove_picture,
                ),
            )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=skin.card,
            children=(
                ScrollView(
                    id="composer_body",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=(
                        TextField(
                            id="edit_view",
                            text=self.text,
                            hint="分享新鲜事...",
                            size=16,
                            color=skin.ink,
                            hint_color=skin.ink_3,
                            width=MATCH,
                            height=150,
                            padding=insets(14, 10),
                            input_type="multiline",
                            on_change=self.change,
                            autofocus=True,
                        ),
                        *added,
                    ),
                ),
                Row(
                    width=MATCH,
                    height=44,
                    gap=10,
                    padding=insets(14, 0),
                    children=(
                        self._chip(
                            "location", self.place or "你在哪里？", "btn_location", partial(self.go, "place")
                        ),
                        spacer(),
                        Text(id="text_left", text=str(left), size=11, color=skin.ink_3, visible=left < 100),
                        self._chip(
                            "earth", self.visibility, "btn_visibility", partial(self.go, "visibility")
                        ),
                    ),
                ),
                divider(skin.line),
                Row(
                    id="composer_tools",
                    width=MATCH,
                    height=46,
                    justify=Align.SPACE_AROUND,
                    children=(
                        icon_button(skin, "image", self.add_picture, rid="tool_picture", desc="图片"),
                        icon_button(skin, "at", self._mention, rid="tool_mention", desc="@好友"),
                        icon_button(skin, "pound", partial(self.go, "topic"), rid="tool_topic", desc="话题"),
                        icon_button(skin, "emoji", self._smile, rid="tool_emoji", desc="表情"),
                        icon_button(
                            skin,
                            "plus-circle-outline",
                            self.toasting("更多功能暂不可用"),
                            rid="tool_more",
                            desc="更多",
                        ),
                    ),
                ),
            ),
        )

    def _smile(self) -> None:
        self.text += "[微笑]"

    def _mention(self) -> None:
        people = [content.users()[user] for user in self.store.follows()[:8]]

        def adds(name: str) -> None:
            self.text = f"{self.text}@{name} "

        self.choose([(user.name, partial(adds, user.name)) for user in people], title="选择要@的人")

    def _chip(self, icon: str, label: str, rid: str, on_click: Handler) -> Widget:
        return Row(
            id=rid,
            desc=label,
            height=30,
            gap=4,
            radius=15,
            background=self.skin.soft,
            padding=insets(11, 0),
            on_click=on_click,
            children=(
                Icon(name=icon, size=15, color=self.skin.ink_2, important=False),
                Text(id=f"{rid}_text", text=label, size=12.5, color=self.skin.ink_2, max_lines=1),
            ),
        )
