"""The form for a new or an existing address."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_3,
    LINE,
    RED,
    WHITE,
    arrow_row,
    card,
    chip,
    pill,
    text_action,
)
from garabench.virtual.apps.jd.user_data import JdAddress
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Row,
    ScrollView,
    Text,
    TextField,
    Toggle,
    Widget,
    divider,
    insets,
    spacer,
)

TAGS = ("家", "公司", "学校", "父母")


class JdAddressEditActivity(JdPage):
    """The form for a new or an existing address."""

    needs_network = False

    def on_create(self) -> None:
        """Fill the form with the saved address, if any."""
        known = self.store.address(str(self.intent.extras.get("address", "")))
        self.known = known
        self.address = known or JdAddress(self.store.new_address_id(), "", "", "", "", "", False)
        self.region: list[str] = []

    def change(self, field: str, value: str) -> None:
        """Handle a change of a field."""
        self.address = replace(self.address, **{field: value[:80]})  # type: ignore[arg-type]

    def toggle_default(self) -> None:
        """Toggle whether it is the default address."""
        self.address = replace(self.address, default=not self.address.default)

    def set_tag(self, tag: str) -> None:
        """Choose the tag."""
        self.address = replace(self.address, tag="" if self.address.tag == tag else tag)

    def pick(self, name: str) -> None:
        """Choose the next level of the region; the last one closes the sheet."""
        self.region.append(name)
        if not self._choices():
            self.address = replace(self.address, region=" ".join(self.region))
            self.sheet = None

    def reopen_level(self, place: int) -> None:
        """Return to a level of the region."""
        del self.region[place:]

    def _choices(self) -> tuple[str, ...]:
        regions = content.regions()
        match self.region:
            case []:
                return tuple(regions)
            case [province]:
                return tuple(regions[province])
            case [province, city]:
                return tuple(regions[province][city])
            case _:
                return ()

    def open_regions(self) -> None:
        """Open the region picker at its first level."""
        self.region = []
        self.ctx.hide_keyboard()
        self.sheet = self._region_sheet

    def save(self) -> None:
        """Validate and save the address."""
        address = self.address
        if not address.name.strip():
            self.ctx.toast("请填写收货人")
        elif len(address.phone) != 11 or not address.phone.isdecimal():
            self.ctx.toast("请填写正确的手机号码")
        elif not address.region:
            self.ctx.toast("请选择所在地区")
        elif len(address.detail.strip()) < 4:
            self.ctx.toast("请填写详细地址")
        else:
            self.store.save_address(
                replace(address, name=address.name.strip(), detail=address.detail.strip())
            )
            self.ctx.toast("保存成功")
            self.ctx.finish()

    def delete(self) -> None:
        """Delete the address."""
        self.store.delete_address(self.address.id)
        self.ctx.toast("删除成功")
        self.ctx.finish()

    def bar(self) -> Widget:
        """Return the title, with a delete button for an existing address."""
        if self.known is None:
            return self.back_bar("新建收货地址")
        delete = self.asks("确定要删除该地址吗？", "删除", self.delete)
        return self.back_bar("编辑收货地址", text_action("删除", "address_delete", delete))

    def content(self) -> Widget:
        """Return the form."""
        address = self.address
        default = Toggle(
            id="address_default",
            desc="设为默认地址",
            checked=address.default,
            color=RED,
            width=46,
            height=28,
            on_click=self.toggle_default,
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="address_form",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    background=BACKGROUND,
                    children=(
                        card(
                            self._field("收货人", "name", "请填写收货人姓名", "address_name"),
                            divider(LINE),
                            self._field(
                                "手机号码", "phone", "请填写收货人手机号", "address_phone", kind="phone"
                            ),
                            divider(LINE),
                            arrow_row(
                                "所在地区",
                                address.region or "请选择",
                                rid="address_region",
                                on_click=self.open_regions,
                            ),
                            divider(LINE),
                            self._field("详细地址", "detail", "街道、楼牌号等", "address_detail_edit"),
                            padding=insets(14, 0),
                        ),
                        card(
                            Row(
                                width=MATCH,
                                height=50,
                                gap=8,
                                children=(
                                    Text(text="标签", size=15, color=INK),
                                    spacer(),
                                    *(
                                        chip(
                                            tag,
                                            tag == address.tag,
                                            partial(self.set_tag, tag),
                                            rid="address_tag",
                                        )
                                        for tag in TAGS
                                    ),
                                ),
                            ),
                            divider(LINE),
                            arrow_row("设为默认地址", trailing=default),
                            padding=insets(14, 0),
                        ),
                    ),
                ),
                Column(
                    width=MATCH,
                    padding=insets(16, 10),
                    background=WHITE,
                    children=(
                        pill(
                            "保存",
                            self.save,
                            rid="address_save",
                            size=16,
                            padding=insets(0, 12),
                            enabled=address != self.known,
                        ),
                        Text(
                            id="address_total",
                            text=f"已保存{len(self.store.addresses())}个收货地址",
                            size=12,
                            color=INK_3,
                            align_self=Align.CENTER,
                            margin=insets(0, 6, 0, 0),
                        ),
                    ),
                ),
            ),
        )

    def _field(self, label: str, name: str, hint: str, rid: str, *, kind: str = "text") -> Widget:
        return Row(
            width=MATCH,
            height=52,
            gap=10,
            children=(
                Text(text=label, size=15, color=INK, width=74),
                TextField(
                    id=rid,
                    text=getattr(self.address, name),
                    hint=hint,
                    size=15,
                    weight=1,
                    height=48,
                    input_type=kind,
                    on_change=partial(self.change, name),
                    on_submit=self.ctx.hide_keyboard,
                ),
            ),
        )

    def _region_sheet(self) -> Widget:
        rows = [
            Row(
                id="region_choice",
                key=name,
                width=MATCH,
                height=46,
                on_click=partial(self.pick, name),
                children=(Text(id="region_text", text=name, size=15, color=INK, weight=1),),
            )
            for name in self._choices()
        ]
        path = [
            Text(
                id="region_part",
                key=f"part-{place}",
                text=name,
                size=14,
                bold=True,
                color=INK,
                padding=insets(0, 9),
                on_click=partial(self.reopen_level, place),
            )
            for place, name in enumerate(self.region)
        ]
        path.append(Text(text="请选择", size=14, color=RED, padding=insets(0, 9)))
        return sheet(
            "请选择所在地区",
            self.on_dismiss_dialog,
            Row(width=MATCH, gap=18, padding=insets(16, 0), children=path),
            divider(LINE),
            ScrollView(
                id="region_list",
                key=f"regions-{len(self.region)}",
                width=MATCH,
                height=330,
                padding=insets(16, 0),
                children=rows,
            ),
            rid="region_sheet",
        )
