"""设置: groups of rows, some of which open sub-pages."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.bilibili import names
from garabench.virtual.apps.bilibili.content import load
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.theme import INK, INK_3, PINK, WHITE, sheet
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
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


@functools.cache
def groups() -> tuple[Mapping[str, Any], ...]:
    """Return the groups of settings, in order, each for one page (the first page has no name)."""
    return tuple(load("settings.json")["groups"])


class BilibiliSettingsActivity(BilibiliPage):
    """A page of settings."""

    needs_network = False

    def on_create(self) -> None:
        """Read the page from the intent; the default is the first one."""
        self.page = str(self.intent.extras.get("page", ""))
        self.title = str(self.intent.extras.get("title", "设置"))
        self.choosing: Mapping[str, Any] | None = None
        self.cleared = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(self.title)

    def content(self) -> Widget:
        """Return the groups of this page."""
        blocks: list[Widget] = []
        for group in groups():
            if group["page"] != self.page:
                continue
            if group["title"]:
                blocks.append(Text(text=group["title"], size=13, color=INK_3, padding=insets(16, 12, 16, 6)))
            else:
                blocks.append(Widget(height=8, important=False))
            rows: list[Widget] = []
            for place, row in enumerate(group["rows"]):
                if place:
                    rows.append(divider("#EEEEEE", insets(16, 0, 0, 0)))
                rows.append(self._row(row))
            blocks.append(Column(width=MATCH, background=WHITE, children=rows))
        if not self.page:
            blocks.append(
                Button(
                    id="logout",
                    text="退出登录",
                    size=15,
                    color=PINK,
                    background=WHITE,
                    margin=insets(0, 12),
                    padding=insets(0, 14),
                    width=MATCH,
                    on_click=lambda: self.ctx.toast("演示账号不能退出登录"),
                )
            )
        return ScrollView(id="preference_list", width=MATCH, height=MATCH, weight=1, children=blocks)

    def _row(self, row: Mapping[str, Any]) -> Widget:
        match row["kind"]:
            case "toggle":
                return self._toggle(row)
            case "choice":
                value = str(self.store.setting(row["key"], row["default"]))
                return self._line(row, value, lambda: setattr(self, "choosing", row))
            case "page":
                return self._line(
                    row, "", lambda: self.ctx.open(names.SETTINGS, page=row["key"], title=row["title"])
                )
            case "teen":
                return self._line(
                    row, "已开启" if self.store.teen else "未开启", lambda: self.ctx.open(names.TEEN)
                )
            case "clear":
                return self._line(row, "0.0MB" if self.cleared else row["value"], self._clear)
            case _:
                return self._line(row, row["value"], None)

    def _clear(self) -> None:
        self.cleared = True
        self.ctx.toast("清理完成")

    def _words(self, row: Mapping[str, Any]) -> Widget:
        lines: list[Widget] = [
            Text(id="preference_title", text=row["title"], size=15, color=INK, max_lines=1)
        ]
        if row.get("note"):
            lines.append(Text(id="preference_note", text=row["note"], size=12, color=INK_3, max_lines=1))
        return Column(weight=1, gap=2, children=lines)

    def _toggle(self, row: Mapping[str, Any]) -> Widget:
        on = bool(self.store.setting(row["key"], row["default"]))

        def toggle() -> None:
            self.store.set_setting(row["key"], not on)

        return Row(
            key=row["key"],
            id="preference_row",
            width=MATCH,
            height=62 if row.get("note") else 52,
            gap=10,
            padding=insets(16, 0),
            on_click=toggle,
            children=(
                self._words(row),
                Toggle(id="switchWidget", desc=row["title"], checked=on, color=PINK, on_click=toggle),
            ),
        )

    def _line(self, row: Mapping[str, Any], value: str, on_click: Handler | None) -> Widget:
        end: tuple[Widget, ...] = (
            (Icon(name="chevron-right", size=18, color=INK_3, important=False),) if on_click else ()
        )
        return Row(
            key=row["key"],
            id="preference_row",
            width=MATCH,
            height=52,
            gap=6,
            padding=insets(16, 0, 12, 0),
            on_click=on_click,
            children=(
                self._words(row),
                Text(id="preference_value", text=value, size=13, color=INK_3, visible=bool(value)),
                *end,
            ),
        )

    def dialog(self) -> Widget | None:
        """Return the options of a row, if open."""
        row = self.choosing
        if row is None:
            return None
        value = self.store.setting(row["key"], row["default"])

        def chooses(option: str) -> Handler:
            def run() -> None:
                self.store.set_setting(row["key"], option)
                self.choosing = None

            return run

        return sheet(
            (
                Text(
                    text=row["title"],
                    size=16,
                    bold=True,
                    color=INK,
                    align=Align.CENTER,
                    padding=insets(0, 12),
                ),
                divider(),
                *(
                    Row(
                        key=option,
                        width=MATCH,
                        height=50,
                        padding=insets(18, 0),
                        on_click=chooses(option),
                        children=(
                            RadioButton(
                                id="preference_option",
                                text=option,
                                size=15,
                                color=PINK,
                                checked=option == value,
                                weight=1,
                                on_click=chooses(option),
                            ),
                        ),
                    )
                    for option in row["options"]
                ),
            ),
            rid="choice_sheet",
        )

    def on_dismiss_dialog(self) -> None:
        """Close the options."""
        self.choosing = None
