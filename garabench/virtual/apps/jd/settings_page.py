"""The app's settings: pages of rows from a data file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.content import load
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK_2,
    LINE,
    RED,
    arrow_row,
    card,
    message_page,
    pill,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    RadioButton,
    ScrollView,
    Text,
    Toggle,
    Widget,
    divider,
    insets,
)

Row = Mapping[str, Any]
_MASTER = "notice_all"
"""The switch of all notifications; the others are disabled while it is off."""


class JdSettingActivity(JdPage):
    """A page of settings."""

    needs_network = False

    def on_create(self) -> None:
        """Open the page from the intent."""
        self.name = str(self.intent.extras.get("page", "root"))
        self.cleared: set[str] = set()

    @property
    def data(self) -> Mapping[str, Any] | None:
        """The rows of the page."""
        page: Mapping[str, Any] | None = load("settings.json")["pages"].get(self.name)
        return page

    def toggle(self, row: Row) -> None:
        """Toggle a switch."""
        self.store.set_setting(row["id"], not self.store.setting(row["id"], row["default"]))

    def choose(self, row: Row, value: str) -> None:
        """Choose a value."""
        self.store.set_setting(row["id"], value)
        self.sheet = None

    def act(self, row: Row) -> None:
        """Perform the row's action."""
        if row["note"]:
            self.cleared.add(row["id"])
        self.ctx.toast(row["action"])

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(self.data["title"] if self.data else "设置")

    def content(self) -> Widget:
        """Return the groups of rows."""
        if self.data is None:
            return message_page("settings", "页面不存在")
        groups: list[Widget] = [
            card(Text(id="agreement", text=text, size=14, color=INK_2, line_spacing=1.3))
            for text in self.data.get("text", ())
        ]
        for group in self.data["groups"]:
            rows: list[Widget] = []
            for row in group:
                if rows:
                    rows.append(divider(LINE))
                rows.append(self._row(row))
            groups.append(card(*rows, padding=insets(14, 0)))
        if self.name == "root":
            leave = self.asks("确定要退出登录吗？", "退出", self.toasting("演示账号不能退出登录"))
            groups.append(
                Column(
                    width=MATCH,
                    padding=insets(10, 18),
                    children=(
                        pill("退出登录", leave, rid="log_out", fill=False, size=16, padding=insets(0, 12)),
                    ),
                )
            )
        return ScrollView(
            id="setting_list", width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=groups
        )

    def _row(self, row: Row) -> Widget:
        rid, note = "setting_item", str(row.get("note", ""))
        match row["kind"]:
            case "switch":
                on = bool(self.store.setting(row["id"], row["default"]))
                open_ = self.name != "notice" or row["id"] == _MASTER or self.store.setting(_MASTER, True)
                toggle = partial(self.toggle, row) if open_ else self.toasting("请先开启接收新消息通知")
                switch = Toggle(
                    id="setting_switch",
                    desc=row["label"],
                    checked=on,
                    enabled=open_,
                    opacity=1 if open_ else 0.4,
                    color=RED,
                    width=46,
                    height=28,
                    on_click=toggle,
                )
                return arrow_row(row["label"], rid=rid, note=note, trailing=switch, on_click=toggle)
            case "choice":
                value = str(self.store.setting(row["id"], row["default"]))
                return arrow_row(
                    row["label"], value, rid=rid, on_click=self.opening(partial(self._choices, row))
                )
            case "page":
                return arrow_row(
                    row["label"],
                    rid=rid,
                    note=note,
                    on_click=partial(self.ctx.open, names.SETTINGS, page=row["page"]),
                )
            case "profile":
                return arrow_row(row["label"], rid=rid, on_click=partial(self.ctx.open, names.USER_INFO))
            case "address":
                return arrow_row(row["label"], rid=rid, on_click=partial(self.ctx.open, names.ADDRESSES))
            case "action":
                value = "0M" if row["id"] in self.cleared else note
                question = row.get("ask", f"确定要{row['label']}吗？")
                ask = self.asks(question, "确定", partial(self.act, row))
                return arrow_row(row["label"], value, rid=rid, on_click=ask)
            case "value":
                return arrow_row(row["label"], note, rid=rid)
            case _:
                return arrow_row(row["label"], rid=rid, note=note, on_click=self.toasting("暂不支持修改"))

    def _choices(self, row: Row) -> Widget:
        value = self.store.setting(row["id"], row["default"])
        rows = [
            RadioButton(
                id="setting_choice",
                key=choice,
                text=choice,
                size=15,
                color=RED,
                width=MATCH,
                height=50,
                checked=choice == value,
                on_click=partial(self.choose, row, choice),
            )
            for choice in row["choices"]
        ]
        body = Column(width=MATCH, padding=insets(16, 0), children=rows)
        return sheet(row["label"], self.on_dismiss_dialog, body, rid="setting_sheet")
