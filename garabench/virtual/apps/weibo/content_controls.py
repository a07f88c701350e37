"""The blocklist, muted words, and youth mode."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo.people import user_row
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.theme import ORANGE, message_page, pill
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)

PASSWORD_LENGTH = 4
_POINTS = (
    ("每天最多使用40分钟", "到时间后需要输入密码才能继续"),
    ("22:00至次日6:00不可用", "保证充足的睡眠"),
    ("只展示适合未成年人的内容", "不能发布、评论、私信和打赏"),
)


class BlackListActivity(PostPage):
    """黑名单."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("黑名单")

    def _release(self, user: str) -> None:
        def run() -> None:
            self.store.set_blocked(user, False)
            self.ctx.toast("已移出黑名单")

        self.ask("移出黑名单后，对方可以看到你的微博。", "移出", run)

    def content(self) -> Widget:
        """Return the blocked users."""
        blocked = self.store.blocked_users()
        if not blocked:
            return message_page(self.skin, "shield", "黑名单里没有人")

        def row(user: str, _: int) -> Widget:
            button = pill("移出", partial(self._release, user), rid="black_remove")
            return user_row(self, user, rid="black_row", end=button)

        return ListView(
            id="black_list", width=MATCH, height=MATCH, weight=1, gap=0.7, items=blocked, build=row
        )


class WordsActivity(PostPage):
    """屏蔽关键词: posts with these words are hidden from the feeds."""

    needs_network = False

    def on_create(self) -> None:
        """Start with an empty field."""
        self.text = ""

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def add(self) -> None:
        """Mute the word."""
        word = self.text.strip()
        if not word:
            self.ctx.toast("请输入关键词")
            return
        self.store.set_muted(word, True)
        self.text = ""
        self.ctx.hide_keyboard()

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("屏蔽关键词")

    def content(self) -> Widget:
        """Return the field and the muted words."""
        skin = self.skin
        field = Row(
            width=MATCH,
            height=58,
            gap=10,
            background=skin.card,
            padding=insets(14, 0),
            children=(
                TextField(
                    id="word_edit",
                    text=self.text,
                    hint="输入要屏蔽的关键词",
                    size=15,
                    color=skin.ink,
                    hint_color=skin.ink_3,
                    background=skin.soft,
                    radius=6,
                    padding=insets(12, 0),
                    weight=1,
                    height=40,
                    on_change=self.change,
                    on_submit=self.add,
                ),
                pill("添加", self.add, rid="word_add", fill=True),
            ),
        )
        words = self.store.words
        rows: list[Widget] = [
            Row(
                key=word,
                id="word_row",
                width=MATCH,
                height=50,
                background=skin.card,
                padding=insets(16, 0),
                children=(
                    Text(id="word_text", text=word, size=15, color=skin.ink, weight=1),
                    Text(
                        id="word_remove",
                        text="删除",
                        size=13.5,
                        color=skin.link,
                        padding=insets(8, 8),
                        on_click=partial(self.store.set_muted, word, False),
                    ),
                ),
            )
            for word in words
        ]
        body: Widget = (
            ScrollView(id="word_list", width=MATCH, height=MATCH, weight=1, gap=0.7, children=rows)
            if rows
            else message_page(skin, "shield", "还没有屏蔽关键词")
        )
        return Column(width=MATCH, height=MATCH, weight=1, gap=8, children=(field, body))


class TeenagerModeActivity(PostPage):
    """未成年人模式: turning it on sets a password, typed twice; turning it off asks for it."""

    needs_network = False

    def on_create(self) -> None:
        """Show the description of the mode."""
        self.asking = False
        self.text = self.first = ""

    def on_back(self) -> bool:
        """Back leaves the password page first."""
        if self.asking:
            self.asking = False
            return True
        return False

    def begin(self) -> None:
        """Show the password page."""
        self.asking, self.text, self.first = True, "", ""
        self.ctx.focus("youth_password")

    def change(self, text: str) -> None:
        """Handle a change of the password; the last digit submits it."""
        self.text = "".join(char for char in text if char.isdigit())[:PASSWORD_LENGTH]
        if len(self.text) == PASSWORD_LENGTH:
            self._entered(self.text)

    def _entered(self, password: str) -> None:
        self.text = ""
        if self.store.youth:
            if password == self.store.setting("youth_password", ""):
                self._switch(False)
            else:
                self.ctx.toast("密码错误")
        elif not self.first:
            self.first = password
        elif self.first == password:
            self.store.set_setting("youth_password", password)
            self._switch(True)
        else:
            self.first = ""
            self.ctx.toast("两次输入的密码不一致")

    def _switch(self, on: bool) -> None:
        self.store.set_youth(on)
        self.asking = False
        self.ctx.hide_keyboard()
        self.ctx.toast("未成年人模式已开启" if on else "未成年人模式已关闭")

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("未成年人模式")

    def content(self) -> Widget:
        """Return the description of the mode, or the password page."""
        return self._password() if self.asking else self._mode()

    def _password(self) -> Widget:
        skin = self.skin
        title = "再次输入密码" if self.first else "设置密码"
        if self.store.youth:
            title = "输入密码"
        dots = "●" * len(self.text) + "○" * (PASSWORD_LENGTH - len(self.text))
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=18,
            background=skin.card,
            padding=insets(28, 40),
            children=(
                Text(id="youth_title", text=title, size=20, bold=True, color=skin.ink, align=Align.CENTER),
                Text(
                    text="请输入4位数字，忘记密码需要联系客服",
                    size=13,
                    color=skin.ink_3,
                    align=Align.CENTER,
                ),
                Text(id="youth_dots", text=dots, size=28, color=ORANGE, align=Align.CENTER),
                TextField(
                    id="youth_password",
                    text=self.text,
                    hint="4位数字密码",
                    size=17,
                    color=skin.ink,
                    hint_color=skin.ink_3,
                    background=skin.soft,
                    radius=8,
                    padding=insets(16, 0),
                    height=48,
                    password=True,
                    input_type="number",
                    on_change=self.change,
                    autofocus=True,
                ),
            ),
        )

    def _mode(self) -> Widget:
        skin, on = self.skin, self.store.youth
        points = [
            Row(
                key=title,
                width=MATCH,
                gap=12,
                children=(
                    Icon(name="check-circle", size=22, color=ORANGE, important=False),
                    Column(
                        weight=1,
                        gap=3,
                        children=(
                            Text(text=title, size=15.5, color=skin.ink),
                            Text(text=note, size=12.5, color=skin.ink_3),
                        ),
                    ),
                ),
            )
            for title, note in _POINTS
        ]
        return ScrollView(
            id="youth_page",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=20,
            background=skin.card,
            padding=insets(28, 30),
            children=(
                Icon(name="shield", size=84, color=ORANGE, align_self=Align.CENTER, important=False),
                Text(
                    id="youth_state",
                    text="未成年人模式已开启" if on else "未成年人模式未开启",
                    size=19,
                    bold=True,
                    color=skin.ink,
                    align=Align.CENTER,
                ),
                *points,
                pill(
                    "关闭未成年人模式" if on else "开启未成年人模式",
                    self.begin,
                    rid="youth_switch",
                    fill=True,
                    size=16,
                    padding=insets(0, 12),
                ),
            ),
        )
