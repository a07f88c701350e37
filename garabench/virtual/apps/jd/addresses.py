"""The address book."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    WHITE,
    badge,
    card,
    icon_button,
    message_page,
    pill,
    text_action,
)
from garabench.virtual.apps.jd.user_data import JdAddress
from garabench.virtual.ui.widgets import (
    MATCH,
    CheckBox,
    Column,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)


class JdAddressListActivity(JdPage):
    """The address book."""

    needs_network = False

    def set_default(self, address: JdAddress) -> None:
        """Make an address the default."""
        if not address.default:
            self.store.set_default_address(address.id)
            self.ctx.toast("设置成功")

    def remove(self, address: JdAddress) -> None:
        """Delete an address."""
        self.store.delete_address(address.id)
        self.ctx.toast("删除成功")

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("收货地址")

    def content(self) -> Widget:
        """Return the addresses above the button."""
        addresses = self.store.addresses()
        cards = [self._address(address) for address in addresses]
        body: Widget = (
            ScrollView(
                id="address_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=BACKGROUND,
                padding=insets(0, 0, 0, 10),
                children=cards,
            )
            if addresses
            else message_page("location", "还没有收货地址")
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                body,
                Column(
                    width=MATCH,
                    padding=insets(16, 10),
                    background=WHITE,
                    children=(
                        pill(
                            "新建收货地址",
                            partial(self.ctx.open, names.ADDRESS),
                            rid="address_add",
                            size=16,
                            padding=insets(0, 12),
                        ),
                    ),
                ),
            ),
        )

    def _address(self, address: JdAddress) -> Widget:
        badges: list[Widget] = [badge("默认", fill=True)] if address.default else []
        if address.tag:
            badges.append(badge(address.tag, color="#3D7BF7"))
        header = Row(
            width=MATCH,
            gap=8,
            children=(
                Column(
                    weight=1,
                    gap=6,
                    children=(
                        Row(
                            gap=6,
                            children=(
                                *badges,
                                Text(
                                    id="address_region_text",
                                    text=address.region,
                                    size=13,
                                    color=INK_2,
                                    max_lines=1,
                                ),
                            ),
                        ),
                        Text(
                            id="address_detail",
                            text=address.detail,
                            size=16,
                            bold=True,
                            color=INK,
                            max_lines=2,
                        ),
                        Text(
                            id="address_person",
                            text=f"{address.name} {address.masked_phone}",
                            size=13,
                            color=INK_2,
                        ),
                    ),
                ),
                icon_button(
                    "pencil_outline",
                    rid="address_edit",
                    desc="编辑",
                    color=INK_3,
                    size=20,
                    on_click=partial(self.ctx.open, names.ADDRESS, address=address.id),
                ),
            ),
        )
        set_default = partial(self.set_default, address)
        footer = Row(
            width=MATCH,
            height=40,
            gap=4,
            children=(
                CheckBox(
                    id="address_set_default",
                    desc="设为默认",
                    round=True,
                    checked=address.default,
                    color=RED,
                    width=26,
                    height=26,
                    on_click=set_default,
                ),
                Text(
                    id="address_default_text",
                    text="已设为默认" if address.default else "设为默认",
                    size=13,
                    color=RED if address.default else INK_2,
                    padding=insets(2, 6),
                    on_click=set_default,
                ),
                spacer(),
                text_action("复制", "address_copy", self.toasting("地址已复制"), color=INK_3),
                text_action(
                    "删除",
                    "address_remove",
                    self.asks("确定要删除该地址吗？", "删除", partial(self.remove, address)),
                    color=INK_3,
                ),
            ),
        )
        return card(
            Column(
                id="address_item",
                key=address.id,
                width=MATCH,
                gap=8,
                children=(header, divider(LINE), footer),
            ),
            rid="address_card",
            padding=insets(12, 12, 12, 2),
        )
