"""草稿箱: drafts of posts."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.formatting import age_text, links_in
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.theme import bar_text, message_page
from garabench.virtual.apps.weibo.user_content import OPEN, Draft
from garabench.virtual.ui.widgets import MATCH, Column, ListView, Row, Text, Widget, insets, spacer


class DraftBoxActivity(WeiboPage):
    """The drafts, latest first."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar with the button to delete all."""
        actions = []
        if self.store.drafts():
            actions.append(
                bar_text(self.skin, "清空", partial(self.ask, "确定清空草稿箱吗？", "清空", self._clear))
            )
        return self.back_bar("草稿箱", *actions)

    def _clear(self) -> None:
        for draft in self.store.drafts():
            self.store.delete_draft(draft.id)

    def content(self) -> Widget:
        """Return the list."""
        drafts = self.store.drafts()
        if not drafts:
            return message_page(self.skin, "file-document-edit", "草稿箱空空如也")
        return ListView(
            id="draft_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=8,
            items=drafts,
            build=lambda draft, _: self._draft(draft),
        )

    def _send(self, draft: Draft) -> None:
        if self.is_writing_blocked():
            return
        if not self.ctx.online:
            self.ctx.toast("网络不可用，发送失败")
            return
        self.store.publish(draft.text, self.ctx.now(), place=draft.place, visibility=draft.visibility)
        self.store.delete_draft(draft.id)
        self.ctx.toast("发送成功")

    def _delete(self, draft: Draft) -> None:
        self.ask("确定删除这条草稿吗？", "删除", partial(self.store.delete_draft, draft.id))

    def _draft(self, draft: Draft) -> Widget:
        skin = self.skin
        lines: list[Widget] = [
            Text(
                id="draft_text",
                text=draft.text or "分享图片",
                size=15.5 * self.scale,
                color=skin.ink,
                line_spacing=1.2,
                spans=tuple((part, skin.link) for part in links_in(draft.text)),
            )
        ]
        marks = [mark for mark in (draft.place, "" if draft.visibility == OPEN else draft.visibility) if mark]
        if marks:
            lines.append(
                Text(
                    id="draft_marks",
                    text=" · ".join(marks),
                    size=12,
                    color=skin.link,
                    margin=insets(0, 6, 0, 0),
                )
            )
        lines.append(
            Row(
                width=MATCH,
                margin=insets(0, 6, 0, 0),
                children=(
                    Text(text=age_text(draft.at, self.ctx.now()), size=12, color=skin.ink_3),
                    spacer(),
                    Text(
                        id="draft_delete",
                        text="删除",
                        size=13,
                        color=skin.ink_2,
                        padding=insets(10, 8),
                        on_click=partial(self._delete, draft),
                    ),
                    Text(
                        id="draft_send",
                        text="直接发送",
                        size=13,
                        color=skin.link,
                        padding=insets(10, 8),
                        on_click=partial(self._send, draft),
                    ),
                ),
            )
        )
        return Column(
            key=draft.id,
            id="draft_item",
            width=MATCH,
            background=skin.card,
            padding=insets(14, 12, 14, 6),
            on_click=self.opens(names.COMPOSER, draft=draft.id),
            children=lines,
        )
