"""The app's settings: pages of rows from a data file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.amap import content, names
from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.license_plate import PlateScreen, car_kind
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import BACKGROUND, BLUE, INK, INK_3, LINE, arrow_row, card
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    RadioButton,
    Row,
    ScrollView,
    Slider,
    Text,
    Toggle,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

Entry = Mapping[str, Any]


_DETAILS = "android.settings.APPLICATION_DETAILS_SETTINGS"


class AmapSettingsScreen(AmapScreen):
    """A page of settings."""

    def __init__(self, app: NewMapActivity, name: str) -> None:
        super().__init__(app)
        self.data: Mapping[str, Any] = content.load("settings.json")[name]
        self.title = str(self.data["title"])
        self.cleared: set[str] = set()

    def toggle(self, row: Entry) -> None:
        """Toggle a switch."""
        self.store.set_setting(row["id"], not self.store.setting(row["id"], row["default"]))

    def choose(self, row: Entry, value: str) -> None:
        """Choose a value."""
        self.store.set_setting(row["id"], value)
        self.sheet = None

    def slide(self, row: Entry, share: float) -> None:
        """Move a slider."""
        self.store.set_setting(row["id"], round(share * 100))

    def act(self, row: Entry) -> None:
        """Perform the row's action."""
        self.cleared.add(row["id"])
        self.ctx.toast(row["done"])

    def content(self) -> Widget:
        """Return the groups of rows."""
        groups: list[Widget] = []
        for group in self.data["groups"]:
            rows: list[Widget] = []
            for row in group:
                if rows:
                    rows.append(divider(LINE))
                rows.append(self._row(row))
            groups.append(card(*rows, padding=insets(14, 0)))
        groups.append(spacer(16))
        return ScrollView(
            id="setting_list", width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=groups
        )

    def _row(self, row: Entry) -> Widget:
        rid, note, label = "setting_item", str(row.get("note", "")), str(row["label"])
        match row["kind"]:
            case "switch":
                toggle = partial(self.toggle, row)
                switch = Toggle(
                    id="setting_switch",
                    desc=label,
                    checked=bool(self.store.setting(row["id"], row["default"])),
                    color=BLUE,
                    width=46,
                    height=28,
                    on_click=toggle,
                )
                return arrow_row(label, rid=rid, trailing=switch, on_click=toggle)
            case "choice":
                value = str(self.store.setting(row["id"], row["default"]))
                return arrow_row(label, value, rid=rid, on_click=self.opening(partial(self._choices, row)))
            case "slider":
                return self._slider(row)
            case "page":
                open_page = partial(self._open, row["page"])
                return arrow_row(label, rid=rid, note=note, on_click=open_page)
            case "plate":
                plate = self.store.plate or "未设置"
                kind = car_kind(self.store) if self.store.plate else ""
                open_plate = self._open_plate
                return arrow_row(label, plate, rid=rid, note=kind, on_click=open_plate)
            case "system":
                return arrow_row(label, rid=rid, on_click=partial(self._system, row["action"]))
            case "action":
                value = ("0MB" if row["id"] in self.cleared else note) if note else ""
                call = partial(self.act, row)
                handler = self.asks(row["ask"], "确定", call) if row["ask"] else call
                return arrow_row(label, value, rid=rid, on_click=handler)
            case _:
                return arrow_row(label, note, rid=rid)

    def _open_plate(self) -> None:
        self.app.push(PlateScreen(self.app))

    def _open(self, page: str) -> None:
        self.app.push(AmapSettingsScreen(self.app, page))

    def _system(self, action: str) -> None:
        """Open the system's settings page of this app."""
        extras = {"android.provider.extra.APP_PACKAGE": names.PACKAGE}
        data = f"package:{names.PACKAGE}" if action == _DETAILS else ""  # other pages accept no data
        self.ctx.start(Intent(action=action, data=data, extras=extras))

    def _slider(self, row: Entry) -> Widget:
        level = int(self.store.setting(row["id"], row["default"]))
        return Column(
            id="setting_item",
            width=MATCH,
            gap=4,
            padding=insets(0, 12),
            children=(
                Row(
                    width=MATCH,
                    children=(
                        Text(id="row_label", text=row["label"], size=15, color=INK),
                        spacer(),
                        Text(id="row_value", text=f"{level}%", size=13, color=INK_3),
                    ),
                ),
                Slider(
                    id="setting_slider",
                    desc=row["label"],
                    value=level / 100,
                    width=MATCH,
                    color=BLUE,
                    on_change=partial(self.slide, row),
                ),
            ),
        )

    def _choices(self, row: Entry) -> Widget:
        value = self.store.setting(row["id"], row["default"])
        rows = [
            RadioButton(
                id="setting_choice",
                key=choice,
                text=choice,
                size=15,
                color=BLUE,
                width=MATCH,
                height=50,
                checked=choice == value,
                on_click=partial(self.choose, row, choice),
            )
            for choice in row["choices"]
        ]
        body = Column(width=MATCH, padding=insets(16, 0), children=rows)
        return bottom_sheet(row["label"], self.on_dismiss_dialog, body, rid="setting_sheet")
