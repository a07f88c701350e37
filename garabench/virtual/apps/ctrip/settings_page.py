"""The app's settings: pages of rows from a data file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.content import load
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import BLUE, LINE, RED, button, card
from garabench.virtual.apps.ctrip.travellers import choice_row
from garabench.virtual.apps.ctrip.widgets import arrow_row, message_page, sheet
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import MATCH, Column, ScrollView, Toggle, Widget, divider, insets

Line = Mapping[str, Any]
_PAGES = {"travellers": names.TRAVELLERS, "addresses": names.ADDRESSES}


class CtripSettingActivity(CtripPage):
    """A page of settings."""

    needs_network = False

    def on_create(self) -> None:
        """Open the page from the intent."""
        self.name = str(self.intent.extras.get("page", "root"))
        self.page: Mapping[str, Any] | None = load("settings.json")["pages"].get(self.name)
        self.done: set[str] = set()

    def toggle(self, row: Line) -> None:
        """Toggle a switch."""
        self.store.set_setting(row["id"], not self.store.setting(row["id"], row["default"]))

    def choose(self, row: Line, value: str) -> None:
        """Choose a value."""
        self.store.set_setting(row["id"], value)
        self.sheet = None

    def act(self, row: Line) -> None:
        """Perform the row's action."""
        self.done.add(row["id"])
        self.ctx.toast(row["done"])

    def open_system(self) -> None:
        """Open the system's settings page of this app."""
        self.ctx.start(
            Intent(action="android.settings.APPLICATION_DETAILS_SETTINGS", data=f"package:{names.PACKAGE}")
        )

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(self.page["title"] if self.page else "设置")

    def content(self) -> Widget:
        """Return the groups of rows."""
        if self.page is None:
            return message_page("settings", "页面不存在")
        groups: list[Widget] = []
        for group in self.page["groups"]:
            rows: list[Widget] = []
            for row in group:
                if rows:
                    rows.append(divider(LINE))
                rows.append(self._row(row))
            groups.append(card(*rows, padding=insets(14, 0)))
        if self.name == "root":
            leave = self.asks("确定要退出登录吗？", "退出", self.toasting("演示账号不能退出登录"))
            out = button("退出登录", leave, rid="log_out", fill=None, color=RED, size=16, wide=True)
            groups.append(Column(width=MATCH, padding=insets(10, 18), children=(out,)))
        return ScrollView(
            id="setting_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 14),
            children=groups,
        )

    def _row(self, row: Line) -> Widget:
        rid, name, note = "setting_item", str(row["label"]), str(row.get("note", ""))
        match row["kind"]:
            case "switch":
                toggle = partial(self.toggle, row)
                switch = Toggle(
                    id="setting_switch",
                    desc=name,
                    checked=bool(self.store.setting(row["id"], row["default"])),
                    color=BLUE,
                    width=46,
                    height=28,
                    on_click=toggle,
                )
                return arrow_row(name, "", toggle, rid=rid, trailing=switch)
            case "choice":
                value = str(self.store.setting(row["id"], row["default"]))
                return arrow_row(name, value, self.opening(partial(self._choices, row)), rid=rid)
            case "page":
                return arrow_row(name, "", self.opens_page(names.SETTINGS, page=row["page"]), rid=rid)
            case "open":
                return arrow_row(name, "", self.opens_page(_PAGES[row["open"]]), rid=rid)
            case "system":
                return arrow_row(name, note, self.open_system, rid=rid)
            case "action":
                value = "0M" if row["id"] in self.done and note else note
                return arrow_row(name, value, partial(self.act, row), rid=rid)
            case _:
                return arrow_row(name, note, rid=rid)

    def _choices(self, row: Line) -> Widget:
        value = self.store.setting(row["id"], row["default"])
        rows = [
            choice_row(item, item == value, partial(self.choose, row, item), rid="setting_choice")
            for item in row["choices"]
        ]
        return sheet(row["label"], self.on_dismiss_dialog, *rows, rid="choice_sheet")
