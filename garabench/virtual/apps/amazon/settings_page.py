"""The app's settings: pages of rows from a data file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK_2,
    LINE,
    TEAL_DEEP,
    WHITE,
    arrow_row,
    mark_row,
    message_page,
    page_title,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import MATCH, Column, ScrollView, Text, Toggle, Widget, divider, insets

Line = Mapping[str, Any]


class AmazonSettingsActivity(AmazonPage):
    """A page of settings."""

    place = "Menu"
    needs_network = False

    def on_create(self) -> None:
        """Open the page from the intent."""
        self.name = str(self.intent.extras.get("page", "root"))

    def toggle(self, line: Line) -> None:
        """Toggle a switch."""
        self.store.set_setting(line["id"], not self.store.setting(line["id"], line["default"]))

    def choose(self, line: Line, value: str) -> None:
        """Choose a value."""
        self.store.set_setting(line["id"], value)

    def act(self, line: Line) -> None:
        """Perform the row's action."""
        match line["act"]:
            case "device_settings":
                self.ctx.start(
                    Intent(
                        action="android.settings.APPLICATION_DETAILS_SETTINGS",
                        data=f"package:{names.PACKAGE}",
                    )
                )
            case "device_notifications":
                extras = {"android.provider.extra.APP_PACKAGE": names.PACKAGE}
                self.ctx.start(Intent(action="android.settings.APP_NOTIFICATION_SETTINGS", extras=extras))
            case "default_address":
                self.ctx.open(names.ADDRESSES)
            case "default_payment":
                self.ctx.open(names.PAYMENTS)
            case "sign_out":
                self.asks("Sign out?", "Sign out", self.toasting("This demo account stays signed in"))()
            case _:
                self.ctx.toast("Opens in your browser")

    def content(self) -> Widget:
        """Return the groups of rows."""
        data = content.load("settings").get(self.name)
        if data is None:
            return message_page("settings", "Sorry, we couldn't find that page")
        parts: list[Widget] = [page_title(data["title"])]
        if note := data.get("note"):
            parts.append(
                Text(
                    text=note,
                    size=13,
                    color=INK_2,
                    padding=insets(16, 4, 16, 10),
                    background=WHITE,
                    width=MATCH,
                )
            )
        for number, group in enumerate(data["groups"]):
            rows: list[Widget] = []
            for line in group:
                if rows:
                    rows.append(divider(LINE))
                rows += self._rows(line)
            parts.append(
                Column(
                    key=f"group-{number}",
                    width=MATCH,
                    margin=insets(0, 8, 0, 0),
                    background=WHITE,
                    children=rows,
                )
            )
        return ScrollView(id="setting_list", width=MATCH, height=MATCH, weight=1, children=parts)

    def _rows(self, line: Line) -> list[Widget]:
        label, note = str(line["label"]), str(line.get("note", ""))
        rid = "setting_item"
        if "page" in line:
            return [
                arrow_row(
                    label, rid=rid, note=note, on_click=self.opens_page(names.SETTINGS, page=line["page"])
                )
            ]
        if "act" in line:
            return [arrow_row(label, rid=rid, note=note, on_click=partial(self.act, line))]
        if "value" in line:
            return [arrow_row(label, str(line["value"]), rid=rid)]
        value = self.store.setting(line["id"], line["default"])
        if "choices" not in line:
            toggle = partial(self.toggle, line)
            switch = Toggle(
                id="setting_switch",
                desc=label,
                checked=bool(value),
                color=TEAL_DEEP,
                width=48,
                height=28,
                on_click=toggle,
            )
            return [arrow_row(label, rid=rid, note=note, trailing=switch, on_click=toggle)]
        if line.get("inline"):
            return [
                mark_row(
                    choice,
                    choice == value,
                    partial(self.choose, line, choice),
                    rid="setting_choice",
                    margin=16,
                )
                for choice in line["choices"]
            ]
        choices = [(choice, choice) for choice in line["choices"]]
        on_click = self.chooses(label, choices, str(value), partial(self.choose, line), rid="setting_choice")
        return [arrow_row(label, str(value), rid=rid, note=note, on_click=on_click)]
