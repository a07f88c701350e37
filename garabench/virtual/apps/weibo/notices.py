"""@我的, 评论 and 赞: reactions of others to the user's posts."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.comment_rows import CommentPage
from garabench.virtual.apps.weibo.content import WeiboComment, users
from garabench.virtual.apps.weibo.formatting import age_text, links_in
from garabench.virtual.apps.weibo.theme import ORANGE, avatar, message_page, pill, tab_strip
from garabench.virtual.apps.weibo.user_content import Reaction
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

TITLES = {"mentions": "@我的", "received": "评论", "liked_by": "赞"}
_TABS = {"mentions": ("@我的微博", "@我的评论"), "received": ("收到的评论", "发出的评论"), "liked_by": ()}


class WeiboMessageBoxActivity(CommentPage):
    """One of the three boxes of reactions."""

    def on_create(self) -> None:
        """Read the box from the intent."""
        kind = str(self.intent.extras.get("kind", "received"))
        self.kind = kind if kind in TITLES else "received"
        self.tab = next(iter(_TABS[self.kind]), "")

    def pick_tab(self, tab: str) -> None:
        """Select a section of the box."""
        self.tab = tab

    def bar(self) -> Widget:
        """Return the bar with the box's title."""
        return self.back_bar(TITLES[self.kind])

    def notes(self) -> tuple[Reaction, ...]:
        """Return the reactions of the selected section."""
        match self.kind:
            case "mentions":
                kind = "post" if self.tab == "@我的微博" else "comment"
                return tuple(note for note in self.store.mentions() if note.kind == kind)
            case "liked_by":
                return self.store.liked_by()
            case _:
                return self.store.received() if self.tab == "收到的评论" else self._sent()

    def _sent(self) -> tuple[Reaction, ...]:
        result = []
        for post in (*content.posts().values(), *self.store.own_posts()):
            for row in self.store.own_comments(post):
                result.append(Reaction(row.id, "sent", content.ME, row.text, post, row.at))
        unique = {note.id: note for note in result}
        return tuple(sorted(unique.values(), key=lambda note: note.at, reverse=True))

    def content(self) -> Widget:
        """Return the tabs and the reactions."""
        parts: list[Widget] = []
        if _TABS[self.kind]:
            parts.append(
                tab_strip(
                    self.skin,
                    _TABS[self.kind],
                    self.tab,
                    self.pick_tab,
                    rid="box_tabs",
                    justify=Align.SPACE_AROUND,
                )
            )
        notes = self.notes()
        if notes:
            parts.append(
                ListView(
                    id="note_list",
                    key=f"notes-{self.tab}",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    gap=8,
                    items=notes,
                    build=lambda note, _: self._note(note),
                )
            )
        else:
            parts.append(message_page(self.skin, "bell", "暂时没有新消息"))
        return Column(width=MATCH, height=MATCH, weight=1, children=parts)

    def _comment_of(self, note: Reaction) -> WeiboComment | None:
        """Return the comment that a notice is about."""
        author = users()[note.user].name
        rows = content.comments_of(note.of)
        return next((row for row in rows if row.author == author and row.text == note.text), None)

    def _answer(self, note: Reaction) -> None:
        comment = self._comment_of(note)
        if comment is None:
            self.ctx.open(names.COMMENT, post=note.of.id)
        else:
            self.answer(note.of, comment)

    def _note(self, note: Reaction) -> Widget:
        skin = self.skin
        mine = note.user == content.ME
        name = str(self.store.profile["name"]) if mine else users()[note.user].name
        header: list[Widget] = [
            avatar(note.user, 40, mark=users()[note.user].kind, on_click=self.opens_user(note.user)),
            Column(
                gap=3,
                children=(
                    Text(id="note_name", text=name, size=14.5, color=skin.ink, max_lines=1),
                    Text(text=age_text(note.at, self.ctx.now()), size=11.5, color=skin.ink_3),
                ),
            ),
            spacer(),
        ]
        if not mine and self.kind == "received":
            header.append(pill("回复", partial(self._answer, note), rid="note_reply", size=12))
        lines: list[Widget] = [Row(width=MATCH, gap=10, children=header)]
        if self.kind == "liked_by":
            lines.append(
                Row(
                    gap=5,
                    margin=insets(0, 8, 0, 0),
                    children=(
                        Icon(name="like-filled", size=15, color=ORANGE, important=False),
                        Text(id="note_text", text="赞了你的微博", size=14.5, color=skin.ink),
                    ),
                )
            )
        else:
            lines.append(
                Text(
                    id="note_text",
                    text=note.text,
                    size=15 * self.scale,
                    color=skin.ink,
                    spans=tuple((part, skin.link) for part in links_in(note.text)),
                    margin=insets(0, 8, 0, 0),
                )
            )
        comment = self._comment_of(note) if self.kind == "received" and not mine else None
        answers = self.store.own_comments(note.of)
        for row in answers if comment is not None else ():
            if comment is not None and row.of == comment.id:
                lines.append(
                    Text(
                        key=row.id,
                        id="note_answer",
                        text=f"我的回复：{row.text}",
                        size=13.5,
                        color=skin.ink_2,
                        margin=insets(0, 6, 0, 0),
                    )
                )
        author = str(self.store.profile["name"]) if note.of.user == content.ME else note.of.author.name
        lines.append(
            Row(
                id="note_post",
                width=MATCH,
                gap=10,
                radius=4,
                background=skin.soft,
                margin=insets(0, 8, 0, 0),
                on_click=self.opens_post(note.of),
                children=(
                    ImageView(seed=f"{note.of.id}-0", kind="cover", width=56, height=56, important=False),
                    Column(
                        weight=1,
                        gap=3,
                        padding=insets(0, 4, 8, 4),
                        children=(
                            Text(text=f"@{author}", size=13, color=skin.ink, max_lines=1),
                            Text(
                                id="note_post_text", text=note.of.text, size=12, color=skin.ink_3, max_lines=1
                            ),
                        ),
                    ),
                ),
            )
        )
        return Column(
            key=note.id,
            id="note_item",
            width=MATCH,
            background=skin.card,
            padding=insets(14, 12),
            on_click=self.opens_post(note.of),
            children=lines,
        )
