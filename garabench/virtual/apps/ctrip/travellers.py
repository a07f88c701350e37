"""常用出行人: saved travellers, and their form."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    bar_button,
    button,
    card,
    chip,
    icon_button,
    label,
)
from garabench.virtual.apps.ctrip.user_data import Traveller
from garabench.virtual.apps.ctrip.widgets import arrow_row, bottom_bar, field_row, message_page, sheet
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    ListView,
    Row,
    ScrollView,
    Widget,
    divider,
    insets,
    spacer,
)

KINDS = ("成人", "儿童", "学生")
DOCUMENTS = ("身份证", "护照", "港澳通行证", "台胞证", "户口本")
_ID_DIGITS = 18
_PHONE_DIGITS = 11


class TravellerListActivity(CtripPage):
    """The list of travellers."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar."""
        total = label(f"共{len(self.store.travellers())}位", 13, INK_3, rid="traveller_total")
        return self.back_bar("常用出行人", total)

    def content(self) -> Widget:
        """Return the travellers and the button to add one."""
        every = self.store.travellers()
        body = (
            ListView(
                id="traveller_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 12),
                items=every,
                build=lambda item, _: self._row(item),
            )
            if every
            else message_page("account-plus", "还没有常用出行人")
        )
        add = button(
            "新增出行人",
            self.opens_page(names.TRAVELLER),
            rid="traveller_add",
            weight=1,
            padding=insets(0, 12),
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, bottom_bar(add)))

    def _row(self, item: Traveller) -> Widget:
        # The traveller saved last is shown in full, for checking; the others are masked.
        whole = self.store.saved_last(item)
        words = Column(
            weight=1,
            gap=4,
            children=(
                Row(
                    gap=8,
                    children=(
                        label(item.name, 17, INK, rid="traveller_name", bold=True),
                        label(item.kind, 12, BLUE, rid="traveller_kind"),
                    ),
                ),
                label(
                    f"{item.document} {item.number if whole else item.masked_number}",
                    13,
                    INK_2,
                    rid="traveller_document",
                ),
                label(f"手机 {item.phone if whole else item.masked_phone}", 13, INK_3, rid="traveller_phone"),
            ),
        )
        edit = partial(self.ctx.open, names.TRAVELLER, traveller=item.id)
        return card(
            Row(
                id="traveller_row",
                width=MATCH,
                children=(
                    words,
                    icon_button(
                        "edit", edit, rid="traveller_edit", desc=f"编辑{item.name}", color=INK_2, size=20
                    ),
                ),
            ),
            rid="traveller_item",
            key=item.id,
        )


class TravellerEditActivity(CtripPage):
    """The form for a traveller."""

    needs_network = False

    def on_create(self) -> None:
        """Open the traveller from the intent, or a new one."""
        wanted = str(self.intent.extras.get("traveller", ""))
        old = next((item for item in self.store.travellers() if item.id == wanted), None)
        self.id = old.id if old else ""
        self.name = old.name if old else ""
        self.kind = old.kind if old else KINDS[0]
        self.document = old.document if old else DOCUMENTS[0]
        self.number = old.number if old else ""
        self.phone = old.phone if old else ""

    def type(self, field: str, text: str) -> None:
        """Handle a change of a field."""
        setattr(self, field, text)

    def choose_kind(self, kind: str) -> None:
        """Select 成人, 儿童 or 学生."""
        self.kind = kind

    def choose_document(self, document: str) -> None:
        """Select a type of document."""
        self.document = document
        self.sheet = None

    def problem(self) -> str:
        """Return what is wrong with the form; empty if nothing is."""
        if not self.name.strip():
            return "请填写姓名"
        number = self.number.strip()
        if not number:
            return "请填写证件号码"
        if self.document == "身份证" and len(number) != _ID_DIGITS:
            return "请填写18位身份证号"
        if self.phone.strip() and len(self.phone.strip()) != _PHONE_DIGITS:
            return "请填写11位手机号"
        return ""

    def save(self) -> None:
        """Store the typed text."""
        self.ctx.hide_keyboard()
        problem = self.problem()
        if problem:
            self.ctx.toast(problem)
            return
        self.store.save_traveller(
            Traveller(
                self.id,
                self.name.strip(),
                self.kind,
                self.document,
                self.number.strip().upper(),
                self.phone.strip(),
            )
        )
        self.ctx.toast("保存成功")
        self.ctx.finish()

    def delete(self) -> None:
        """Delete the traveller."""
        self.store.delete_traveller(self.id)
        self.ctx.toast("已删除")
        self.ctx.finish()

    def bar(self) -> Widget:
        """Return the title bar with a delete button."""
        if not self.id:
            return self.back_bar("新增出行人")
        ask = self.asks(f"确定删除出行人“{self.name}”？", "删除", self.delete)
        return self.back_bar("编辑出行人", bar_button("删除", "traveller_delete", ask, color=RED))

    def content(self) -> Widget:
        """Return the form with its button."""
        kinds = Row(
            width=MATCH,
            height=54,
            gap=8,
            children=(
                label("旅客类型", 15, INK),
                spacer(),
                *(
                    chip(
                        kind, kind == self.kind, partial(self.choose_kind, kind), rid="traveller_kind_option"
                    )
                    for kind in KINDS
                ),
            ),
        )
        form = card(
            self._field("姓名", "name", "与证件上的姓名一致", "traveller_name_input"),
            divider(LINE),
            kinds,
            divider(LINE),
            arrow_row("证件类型", self.document, self.opening(self._documents), rid="traveller_document_row"),
            divider(LINE),
            self._field("证件号码", "number", "请填写证件号码", "traveller_number_input"),
            divider(LINE),
            self._field("手机号", "phone", "选填，用于接收通知", "traveller_phone_input", "phone"),
            rid="traveller_form",
            padding=insets(14, 0),
        )
        note = Row(
            width=MATCH,
            padding=insets(16, 10),
            children=(label("信息将严格保密，仅用于预订和出行。", 12, INK_3),),
        )
        body = ScrollView(id="form_scroll", width=MATCH, height=MATCH, weight=1, children=(form, note))
        save = button("保存", self.save, rid="traveller_save", weight=1, size=16, padding=insets(0, 12))
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, bottom_bar(save)))

    def _field(self, name: str, field: str, hint: str, rid: str, kind: str = "text") -> Widget:
        return field_row(
            name,
            getattr(self, field),
            hint,
            partial(self.type, field),
            rid=rid,
            input_type=kind,
            on_done=self.ctx.hide_keyboard,
        )

    def _documents(self) -> Widget:
        rows = [
            choice_row(
                item, item == self.document, partial(self.choose_document, item), rid="document_option"
            )
            for item in DOCUMENTS
        ]
        return sheet("证件类型", self.on_dismiss_dialog, *rows, rid="document_sheet")


def choice_row(text: str, on: bool, choose: Handler, *, rid: str) -> Widget:
    """Return a row of a sheet with options."""
    return Row(
        id=rid,
        key=text,
        width=MATCH,
        height=48,
        padding=insets(18, 0),
        selected=on,
        on_click=choose,
        children=(label(text, 15, BLUE if on else INK), spacer()),
    )
