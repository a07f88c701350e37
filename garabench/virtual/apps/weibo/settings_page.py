"""设置: pages of rows from a data file."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import load
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.theme import ORANGE, message_page, sheet
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    RadioButton,
    Row,
    ScrollView,
    Text,
    Toggle,
    Widget,
    divider,
    insets,
)

Line = Mapping[str, Any]
MASTER = "notice_all"
"""The switch of all notifications; the others are disabled while it is off."""
_RESTING = ("dnd", "n_")


@functools.cache
def pages() -> Mapping[str, Any]:
    """Return all pages of settings by name."""
    data: Mapping[str, Any] = load("settings.json")["pages"]
    return data


class WeiboSettingActivity(WeiboPage):
    """A page of settings."""

    needs_network = False

    def on_create(self) -> None:
        """Open the page from the intent."""
        self.name = str(self.intent.extras.get("page", "root"))
        self.cleared = False

    @property
    def data(self) -> Mapping[str, Any] | None:
        """The page's title and rows."""
        page: Mapping[str, Any] | None = pages().get(self.name)
        return page

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(self.data["title"] if self.data else "设置")

    def content(self) -> Widget:
        """Return the groups of rows."""
        if self.data is None:
            return message_page(self.skin, "settings", "页面不存在")
        blocks: list[Widget] = []
        for group in self.data["groups"]:
            rows: list[Widget] = []
            for line in group:
                if rows:
                    rows.append(divider(self.skin.line, insets(16, 0, 0, 0)))
                rows.append(self._row(line))
            blocks += [
                Widget(height=8, important=False),
                Column(width=MATCH, background=self.skin.card, children=rows),
            ]
        if self.name == "root":
            blocks.append(
                Text(
                    id="exit_account",
                    text="退出当前账号",
                    size=16,
                    color="#F9503A",
                    background=self.skin.card,
                    align=Align.CENTER,
                    width=MATCH,
                    margin=insets(0, 14),
                    padding=insets(0, 14),
                    on_click=partial(
                        self.ask, "确定退出当前账号吗？", "退出", self.toasting("演示账号不能退出登录")
                    ),
                )
            )
        rows_of_all = ScrollView(id="setting_list", width=MATCH, height=MATCH, weight=1, children=blocks)
        if self.name != "notice":
            return rows_of_all
        return Column(width=MATCH, height=MATCH, weight=1, children=(self._summary(), rows_of_all))

    def _summary(self) -> Widget:
        """Return a line with the disabled notifications; it stays in place when the rows scroll."""
        lines = [line for group in pages()["notice"]["groups"] for line in group]
        off = [
            line["label"]
            for line in lines
            if line["id"].startswith("n_") and not self.store.setting(line["id"], line["default"])
        ]
        words = f"已关闭：{'、'.join(off)}" if off else "各类通知均已开启"
        if not self.store.setting(MASTER, True):
            words = "已关闭全部推送通知"
        return Text(
            id="setting_summary",
            text=words,
            size=12,
            color=self.skin.ink_3,
            max_lines=1,
            padding=insets(16, 8, 16, 0),
        )

    def _row(self, line: Line) -> Widget:
        match line["kind"]:
            case "switch":
                return self._switch(line)
            case "choice":
                value = str(self.store.setting(line["id"], line["default"]))
                return self._line(line, value, self.opening(partial(self._options, line)))
            case "page":
                return self._line(line, "", self.opens(names.SETTINGS, page=line["page"]))
            case "youth":
                return self._line(line, "已开启" if self.store.youth else "未开启", self.opens(names.YOUTH))
            case "clear":
                return self._line(
                    line,
                    "0.0MB" if self.cleared else line["value"],
                    partial(self.ask, "确定清理缓存吗？", "清理", self._clear),
                )
            case "blocklist":
                count = len(self.store.blocked_users())
                return self._line(line, f"{count}人", self.opens(names.BLOCKLIST))
            case "words":
                return self._line(line, f"{len(self.store.words)}个", self.opens(names.WORDS))
            case "system":
                return self._line(line, line["value"], self._system)
            case _:
                return self._line(line, line.get("value", ""), self.toasting(line["action"]))

    def _clear(self) -> None:
        self.cleared = True
        self.ctx.toast("清理完成")

    def _system(self) -> None:
        """Open the system's settings page of this app."""
        self.ctx.start(
            Intent(
                action="android.settings.APPLICATION_DETAILS_SETTINGS",
                data=f"package:{names.PACKAGE}",
                flags=frozenset({"NEW_TASK"}),
            )
        )

    def _switch(self, line: Line) -> Widget:
        on = bool(self.store.setting(line["id"], line["default"]))
        rests = line["id"].startswith(_RESTING) and not self.store.setting(MASTER, True)

        def toggle() -> None:
            if rests:
                self.ctx.toast("请先开启接收推送通知")
            else:
                self.store.set_setting(line["id"], not on)

        note = str(line.get("note", ""))
        return Row(
            key=line["id"],
            id="setting_item",
            width=MATCH,
            height=64 if note else 54,
            padding=insets(16, 0),
            on_click=toggle,
            children=(
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        Text(id="setting_label", text=line["label"], size=15.5, color=self.skin.ink),
                        Text(text=note, size=12, color=self.skin.ink_3, visible=bool(note)),
                    ),
                ),
                Toggle(
                    id="setting_switch",
                    desc=line["label"],
                    checked=on,
                    enabled=not rests,
                    opacity=0.4 if rests else 1,
                    color=ORANGE,
                    width=48,
                    height=28,
                    on_click=toggle,
                ),
            ),
        )

    def _line(self, line: Line, value: str, on_click: Handler) -> Widget:
        return Row(
            key=line.get("id", line["label"]),
            id="setting_item",
            width=MATCH,
            height=54,
            gap=6,
            padding=insets(16, 0, 12, 0),
            on_click=on_click,
            children=(
                Text(id="setting_label", text=line["label"], size=15.5, color=self.skin.ink, weight=1),
                Text(
                    id="setting_value",
                    text=value,
                    size=13.5,
                    color=self.skin.ink_3,
                    visible=bool(value),
                    max_lines=1,
                ),
                Icon(name="chevron-right", size=18, color=self.skin.ink_3, important=False),
            ),
        )

    def _options(self, line: Line) -> Widget:
        """Return the sheet of a row's choices."""
        value = self.store.setting(line["id"], line["default"])

        def sets(option: str) -> None:
            self.store.set_setting(line["id"], option)

        rows: list[Widget] = [
            Text(
                id="option_title",
                text=line["label"],
                size=16,
                bold=True,
                color=self.skin.ink,
                align=Align.CENTER,
                padding=insets(0, 12),
            ),
            divider(self.skin.line),
        ]
        for option in line["options"]:
            call = self.closing(partial(sets, option))
            rows.append(
                Row(
                    key=option,
                    id="option_row",
                    width=MATCH,
                    height=52,
                    padding=insets(18, 0),
                    on_click=call,
                    children=(
                        Text(id="option_text", text=option, size=15.5, color=self.skin.ink, weight=1),
                        RadioButton(
                            id="option_radio",
                            desc=option,
                            checked=option == value,
                            color=ORANGE,
                            width=28,
                            height=28,
                            on_click=call,
                        ),
                    ),
                )
            )
        return sheet(self.skin, rows, rid="option_sheet")
