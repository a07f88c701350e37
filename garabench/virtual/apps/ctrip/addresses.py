"""常用地址: mailing addresses for invoices and tickets, and the address form."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    INK,
    INK_2,
    LINE,
    RED,
    badge,
    bar_button,
    button,
    card,
    icon_button,
    label,
)
from garabench.virtual.apps.ctrip.user_data import CtripAddress
from garabench.virtual.apps.ctrip.widgets import bottom_bar, field_row, message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    Row,
    ScrollView,
    Toggle,
    Widget,
    divider,
    insets,
    spacer,
)

_FIELDS = (
    ("收件人", "name", "请填写姓名", "address_name_input", "text"),
    ("手机号", "phone", "请填写手机号", "address_phone_input", "phone"),
    ("所在地区", "region", "如 上海市 嘉定区", "address_region_input", "text"),
    ("详细地址", "detail", "街道、门牌号", "address_detail_input", "text"),
)


class CtripAddressListActivity(CtripPage):
    """The address book."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("常用地址")

    def content(self) -> Widget:
        """Return the addresses and the button to add one."""
        every = self.store.addresses()
        body = (
            ListView(
                id="address_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 12),
                items=every,
                build=lambda item, _: self._row(item),
            )
            if every
            else message_page("map-marker-plus", "还没有常用地址")
        )
        add = button(
            "新增地址", self.opens_page(names.ADDRESS), rid="address_add", weight=1, padding=insets(0, 12)
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, bottom_bar(add)))

    def _row(self, item: CtripAddress) -> Widget:
        words = Column(
            weight=1,
            gap=4,
            children=(
                Row(
                    gap=8,
                    children=(
                        label(item.name, 16, INK, rid="address_name", bold=True),
                        label(item.phone, 13, INK_2, rid="address_phone"),
                        *((badge("默认", BLUE, rid="address_default"),) if item.default else ()),
                    ),
                ),
                label(f"{item.region} {item.detail}", 13, INK_2, rid="address_place", lines=2),
            ),
        )
        edit = partial(self.ctx.open, names.ADDRESS, address=item.id)
        return card(
            Row(
                width=MATCH,
                children=(
                    words,
                    icon_button(
                        "edit", edit, rid="address_edit", desc=f"编辑{item.name}", color=INK_2, size=20
                    ),
                ),
            ),
            rid="address_item",
            key=item.id,
        )


class CtripAddressEditActivity(CtripPage):
    """The form for an address."""

    needs_network = False

    def on_create(self) -> None:
        """Open the address that the intent names, or a new one."""
        wanted = str(self.intent.extras.get("address", ""))
        old = next((item for item in self.store.addresses() if item.id == wanted), None)
        self.id = old.id if old else ""
        self.values = {field: str(getattr(old, field)) if old else "" for _, field, *_ in _FIELDS}
        self.default = old.default if old else False

    def type(self, field: str, text: str) -> None:
        """Handle a change of a field."""
        self.values[field] = text

    def toggle_default(self) -> None:
        """Toggle whether it is the default address."""
        self.default = not self.default

    def save(self) -> None:
        """Store the typed text."""
        self.ctx.hide_keyboard()
        values = {field: text.strip() for field, text in self.values.items()}
        missing = next((name for name, field, *_ in _FIELDS if not values[field]), "")
        if missing:
            self.ctx.toast(f"请填写{missing}")
            return
        self.store.save_address(CtripAddress(id=self.id, default=self.default, **values))
        self.ctx.toast("保存成功")
        self.ctx.finish()

    def delete(self) -> None:
        """Delete the address."""
        self.store.delete_address(self.id)
        self.ctx.toast("已删除")
        self.ctx.finish()

    def bar(self) -> Widget:
        """Return the title bar with a delete button."""
        if not self.id:
            return self.back_bar("新增地址")
        ask = self.asks("确定删除该地址？", "删除", self.delete)
        return self.back_bar("编辑地址", bar_button("删除", "address_delete", ask, color=RED))

    def content(self) -> Widget:
        """Return the form with its button."""
        rows: list[Widget] = []
        for name, field, hint, rid, kind in _FIELDS:
            rows += [
                field_row(
                    name,
                    self.values[field],
                    hint,
                    partial(self.type, field),
                    rid=rid,
                    input_type=kind,
                    on_done=self.ctx.hide_keyboard,
                ),
                divider(LINE),
            ]
        switch = Toggle(
            id="address_default_switch",
            desc="设为默认地址",
            checked=self.default,
            color=BLUE,
            width=46,
            height=28,
            on_click=self.toggle_default,
        )
        rows.append(Row(width=MATCH, height=52, children=(label("设为默认地址", 15, INK), spacer(), switch)))
        body = ScrollView(
            id="form_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(card(*rows, padding=insets(14, 0)),),
        )
        save = button("保存", self.save, rid="address_save", weight=1, size=16, padding=insets(0, 12))
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, bottom_bar(save)))
