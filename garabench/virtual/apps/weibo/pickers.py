"""The composer's pickers: topic, place and visibility."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.formatting import fold
from garabench.virtual.apps.weibo.theme import ORANGE, message_page
from garabench.virtual.apps.weibo.user_content import VISIBILITIES
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    Text,
    TextField,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.composer import OriginalComposerActivity

_VISIBILITY_WORDS = {
    "公开": "所有人可见",
    "粉丝": "关注你的人可见",
    "好友圈": "互相关注的好友可见",
    "仅自己可见": "只有你自己可以看到",
}


def _look_box(page: OriginalComposerActivity, hint: str) -> Widget:
    return Row(
        width=MATCH,
        height=52,
        padding=insets(12, 8),
        background=page.skin.card,
        children=(
            TextField(
                id="picker_search",
                text=page.query,
                hint=hint,
                size=14,
                color=page.skin.ink,
                hint_color=page.skin.ink_3,
                background=page.skin.soft,
                radius=18,
                padding=insets(14, 0),
                weight=1,
                height=36,
                on_change=page.change_query,
                on_submit=page.ctx.hide_keyboard,
                action="search",
            ),
        ),
    )


def _picker(page: OriginalComposerActivity, hint: str, rows: list[tuple[str, str, Handler]]) -> Widget:
    def row(item: tuple[str, str, Handler], _: int) -> Widget:
        label, note, call = item
        return Column(
            key=label,
            id="picker_row",
            width=MATCH,
            gap=3,
            background=page.skin.card,
            padding=insets(16, 11),
            on_click=call,
            children=(
                Text(id="picker_text", text=label, size=15, color=page.skin.ink, max_lines=1),
                Text(text=note, size=12, color=page.skin.ink_3, max_lines=1, visible=bool(note)),
            ),
        )

    body: Widget = (
        ListView(id="picker_list", width=MATCH, height=MATCH, weight=1, gap=0.7, items=rows, build=row)
        if rows
        else message_page(page.skin, "search", "没有找到")
    )
    return Column(width=MATCH, height=MATCH, weight=1, children=(_look_box(page, hint), body))


def topic_picker(page: OriginalComposerActivity) -> Widget:
    """Return the topics that match the text, and a new one of that name."""
    word = fold(page.query)
    rows: list[tuple[str, str, Handler]] = [
        (f"#{topic.topic}#", f"{topic.talks}讨论", partial(page.add_topic, topic.topic))
        for topic in content.topics().values()
        if word in fold(topic.topic)
    ]
    wanted = page.query.strip().strip("#")
    if wanted and wanted not in content.topics():
        rows.append((f"#{wanted}#", "新话题", partial(page.add_topic, wanted)))
    return _picker(page, "搜索话题", rows)


def place_picker(page: OriginalComposerActivity) -> Widget:
    """Return the nearby places that match the text."""
    rows: list[tuple[str, str, Handler]] = [("不显示位置", "", partial(page.set_place, ""))]
    for name, address in content.feed()["places"]:
        if fold(page.query) in fold(name):
            rows.append((name, address, partial(page.set_place, name)))
    return _picker(page, "搜索附近位置", rows)


def visibility_picker(page: OriginalComposerActivity) -> Widget:
    """Return the visibility options."""
    rows: list[Widget] = []
    for value in VISIBILITIES:
        on = value == page.visibility
        rows.append(
            Row(
                key=value,
                id="visibility_row",
                width=MATCH,
                height=62,
                background=page.skin.card,
                padding=insets(16, 0),
                selected=on,
                on_click=partial(page.set_visibility, value),
                children=(
                    Column(
                        weight=1,
                        gap=3,
                        children=(
                            Text(id="visibility_text", text=value, size=15.5, color=page.skin.ink),
                            Text(text=_VISIBILITY_WORDS[value], size=12, color=page.skin.ink_3),
                        ),
                    ),
                    Icon(name="check", size=20, color=ORANGE, visible=on, important=False),
                ),
            )
        )
        rows.append(divider(page.skin.line))
    return Column(width=MATCH, height=MATCH, weight=1, children=rows)
