"""The app's settings: pages of switches and choices from a data file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.theme import BLUE, bottom_sheet, choice, dialog_box, line_row, text_button
from garabench.virtual.ui.widgets import MATCH, Align, Column, Row, ScrollView, Text, Toggle, Widget, insets

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

Entry = Mapping[str, Any]


class GmapsSettingsScreen(GmapsScreen):
    """A page of the settings."""

    def __init__(self, app: MapsActivity, page: str) -> None:
        super().__init__(app)
        self.page = page
        self.data: Entry = content.load("settings.json")[page]
        self.title = str(self.data["title"])

    def value(self, row: Entry) -> Any:
        """Return the value of a row."""
        return self.store.setting(row["id"], row["default"])

    def toggle(self, row: Entry) -> None:
        """Toggle a switch."""
        self.store.set_setting(row["id"], not self.value(row))

    def choose(self, row: Entry, value: str) -> None:
        """Choose a value."""
        self.store.set_setting(row["id"], value)

    def content(self) -> Widget:
        """Return the rows."""
        rows = [self._row(row) for row in self.data["rows"]]
        return ScrollView(
            id="settings_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=rows),),
        )

    def _row(self, row: Entry) -> Widget:
        label = str(row["label"])
        match row["kind"]:
            case "head":
                return Text(text=label, size=14, bold=True, color=BLUE, padding=insets(18, 16, 18, 4))
            case "switch":
                toggle = partial(self.toggle, row)
                return self._line(label, "", toggle, self._switch(label, bool(self.value(row)), toggle))
            case "timeline":
                on = bool(self.value(row))
                asks = self.opening(partial(self._ask_pause, row))
                text = "Timeline is on" if on else "Timeline is off"
                note = "Remembers where you've been" if on else "Your visits are not saved"
                turn = asks if on else partial(self.toggle, row)
                return self._line(text, note, turn, self._switch("Timeline", on, turn))
            case "choice":
                sheet = self.opening(partial(self._choices, row))
                return self._line(label, str(self.value(row)), sheet)
            case "page":
                to = partial(self._open, str(row["page"]))
                return self._line(label, str(row.get("note", "")), to)
            case _:
                return self._line(label, str(row.get("note", "")), None)

    def _line(self, label: str, note: str, on_click: Any, *trailing: Widget) -> Widget:
        return line_row(
            self.tone,
            "",
            label,
            note=note,
            rid="setting_row",
            key=f"row-{label}",
            on_click=on_click,
            trailing=trailing,
        )

    def _switch(self, label: str, on: bool, toggle: Any) -> Widget:
        return Toggle(id="setting_switch", desc=label, checked=on, width=48, height=28, on_click=toggle)

    def _open(self, page: str) -> None:
        self.app.push(GmapsSettingsScreen(self.app, page))

    def _ask_pause(self, row: Entry) -> Widget:
        text = Text(
            id="dialog_message",
            text="Places you visit will no longer be saved. Past visits stay until you delete them.",
            size=14.5,
            color=self.tone.ink_2,
        )
        buttons = Row(
            align_self=Align.END,
            children=(
                text_button("Cancel", self.on_dismiss_dialog, rid="dialog_cancel"),
                text_button("Turn off", self.closing(partial(self.toggle, row)), rid="dialog_ok"),
            ),
        )
        return dialog_box(self.tone, "Turn off Timeline?", text, buttons, rid="timeline_dialog")

    def _choices(self, row: Entry) -> Widget:
        rows = [
            choice(
                self.tone,
                "setting_choice",
                each,
                each == self.value(row),
                self.closing(partial(self.choose, row, each)),
            )
            for each in row["choices"]
        ]
        body = Column(width=MATCH, padding=insets(18, 0), children=rows)
        return bottom_sheet(self.tone, str(row["label"]), body, rid="choice_sheet")
