"""车牌设置: the car's plate, validated as a Chinese plate."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.store import AmapStore
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_2,
    INK_3,
    RED,
    arrow_row,
    card,
    chip,
    pill,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    TextField,
    Toggle,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
KINDS = ("燃油车", "纯电动", "插电混动")
_PLATE = re.compile(r"[A-HJ-NP-Z][A-HJ-NP-Z0-9]{5,6}")


def is_plate(text: str) -> bool:
    """Return whether a text completes a plate: a letter and five characters, or six for electric cars."""
    return _PLATE.fullmatch(text) is not None


def car_kind(store: AmapStore) -> str:
    """Return what drives the user's car: one of `KINDS`."""
    return str(store.setting("car_kind", KINDS[0]))


class PlateScreen(AmapScreen):
    """The form for the plate and kind of the car."""

    title = "车牌设置"

    def __init__(self, app: NewMapActivity) -> None:
        super().__init__(app)
        plate = self.store.plate
        self.province, self.text = (plate[0], plate[1:]) if plate else ("沪", "")
        self.kind = car_kind(self.store)
        self.wrong = ""

    def write(self, text: str) -> None:
        """Handle a change of the field."""
        self.text, self.wrong = text.upper().strip(), ""

    def choose_province(self, province: str) -> None:
        """Choose the province."""
        self.province, self.sheet = province, None

    def choose_kind(self, kind: str) -> None:
        """Choose what drives the car."""
        self.kind = kind

    def toggle_limit(self) -> None:
        """Toggle whether to avoid roads that are closed to this plate."""
        self.store.set_setting("avoid_limits", not self.store.setting("avoid_limits", False))

    def save(self) -> None:
        """Save the plate if it is valid."""
        if not is_plate(self.text):
            self.wrong = "请输入正确的车牌号"
            return
        self.store.set_plate(self.province + self.text)
        self.store.set_setting("car_kind", self.kind)
        self.ctx.toast("车牌已保存")
        self.app.pop()

    def delete(self) -> None:
        """Delete the plate."""
        self.store.set_plate("")
        self.province, self.text = "沪", ""
        self.ctx.toast("车牌已删除")

    def content(self) -> Widget:
        """Return the form."""
        store = self.store
        avoids = bool(store.setting("avoid_limits", False))
        plate = Row(
            width=MATCH,
            gap=10,
            children=(
                Button(
                    id="plate_province",
                    text=self.province,
                    size=18,
                    bold=True,
                    color=BLUE,
                    background="#EAF2FF",
                    radius=10,
                    width=56,
                    height=48,
                    padding=insets(0),
                    on_click=self.opening(self._provinces),
                ),
                TextField(
                    id="plate_edit",
                    text=self.text,
                    hint="请输入车牌号",
                    size=18,
                    weight=1,
                    height=48,
                    background="#F3F5F8",
                    radius=10,
                    padding=insets(14, 0),
                    on_change=self.write,
                    on_submit=self.ctx.hide_keyboard,
                ),
            ),
        )
        kinds = Row(
            width=MATCH,
            gap=10,
            children=[
                chip(kind, kind == self.kind, partial(self.choose_kind, kind), rid="plate_kind", size=14)
                for kind in KINDS
            ],
        )
        wrong = (Text(id="plate_wrong", text=self.wrong, size=13, color=RED),) if self.wrong else ()
        form = card(
            Text(text="车牌号码", size=14, color=INK_2),
            plate,
            *wrong,
            Text(text="能源类型", size=14, color=INK_2),
            kinds,
            gap=12,
        )
        limit = card(
            arrow_row(
                "避开车辆限行",
                rid="plate_limit",
                note="规划路线时避开限行区域",
                on_click=self.toggle_limit,
                trailing=Toggle(
                    id="plate_limit_switch",
                    desc="避开车辆限行",
                    checked=avoids,
                    color=BLUE,
                    width=46,
                    height=28,
                    on_click=self.toggle_limit,
                ),
            ),
            padding=insets(14, 0),
        )
        buttons: list[Widget] = [
            Row(width=MATCH, children=(pill("保存", self.save, rid="plate_save", size=16, weight=1),))
        ]
        if store.plate:
            delete = self.asks("确定删除车牌吗？", "删除", self.delete)
            buttons.append(
                Text(
                    id="plate_delete",
                    text="删除车牌",
                    size=14,
                    color=INK_3,
                    align_self=Align.CENTER,
                    on_click=delete,
                )
            )
        return ScrollView(
            id="plate_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                form,
                limit,
                Column(width=MATCH, gap=14, padding=insets(16, 20), children=buttons),
                spacer(8),
            ),
        )

    def _provinces(self) -> Widget:
        def choose(sign: str) -> Handler:
            return lambda: self.choose_province(sign)

        signs = [
            Button(
                id="province_item",
                key=sign,
                text=sign,
                size=16,
                color=BLUE if sign == self.province else INK,
                background="#F3F5F8",
                radius=8,
                width=44,
                height=42,
                padding=insets(0),
                selected=sign == self.province,
                on_click=choose(sign),
            )
            for sign in PROVINCES
        ]
        grid = Row(width=MATCH, wrap=True, gap=8, padding=insets(14, 4), children=signs)
        return bottom_sheet("选择省份", self.on_dismiss_dialog, grid, rid="province_sheet")
