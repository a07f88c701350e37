"""The contacts: a list by name, a page for each, and a form for new ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.settings.rows import card, colors, page
from garabench.virtual.kit.framework import Activity, App, Context, Intent
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter
from garabench.virtual.kit.state import item, numbered
from garabench.virtual.ui.widgets import (
    MATCH,
    Button,
    Column,
    ImageView,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)

PACKAGE = "com.android.contacts"
MAIN, DETAILS = f"{PACKAGE}.activities.PeopleActivity", f"{PACKAGE}.quickcontact.QuickContactActivity"
EDITOR = f"{PACKAGE}.activities.ContactEditorActivity"
_INSERT, _VIEW = "android.intent.action.INSERT", "android.intent.action.VIEW"
_TYPES = ("vnd.android.cursor.dir/contact", "vnd.android.cursor.dir/raw_contact")
_PICK, _GET = "android.intent.action.PICK", "android.intent.action.GET_CONTENT"
_ITEM_TYPES = (
    "vnd.android.cursor.item/contact",
    "vnd.android.cursor.dir/phone_v2",
    "vnd.android.cursor.item/phone_v2",
)
_LONGEST = 100


class PeopleActivity(Activity):
    """The list of contacts."""

    launch_mode = "singleTop"
    filters = (
        IntentFilter(("android.intent.action.MAIN",), (DEFAULT, "android.intent.category.APP_CONTACTS")),
        IntentFilter((_VIEW,), (DEFAULT,), types=_TYPES),
        IntentFilter((_PICK, _GET), (DEFAULT,), types=(*_TYPES, *_ITEM_TYPES)),
    )

    def on_create(self) -> None:
        self.words = ""

    @property
    def is_picking(self) -> bool:
        """Whether another app asks for a contact, which ends this activity."""
        return self.intent.action in (_PICK, _GET)

    def build(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        self.status_bar = palette.page
        entries = sorted(enumerate(ctx.data["contacts"]), key=lambda each: each[1]["name"].casefold())
        wanted = self.words.strip().casefold()
        rows = [
            self._row(place, contact)
            for place, contact in entries
            if wanted in f"{contact['name']} {contact['phone']}".casefold()
        ]
        search = TextField(
            id="search_view",
            key="search",
            text=self.words,
            hint=ctx.t("查找联系人", "Find contacts"),
            action="search",
            color=palette.ink,
            hint_color=palette.grey,
            background=palette.card,
            radius=22,
            height=44,
            width=MATCH,
            margin=insets(24, 0, 24, 12),
            padding=insets(16, 8),
            on_change=self._search,
        )
        add = Button(
            id="floating_action_button",
            text=ctx.t("新建联系人", "Create contact"),
            color=palette.on_accent,
            background=palette.accent,
            radius=24,
            margin=insets(24, 0, 24, 12),
            on_click=partial(ctx.open, EDITOR),
        )
        nobody = Text(
            id="message",
            text=ctx.t("没有联系人", "No contacts"),
            size=16,
            color=palette.grey,
            padding=insets(24, 24),
        )
        shown = card(ctx, rows) if rows else nobody
        if self.is_picking:
            return page(ctx, ctx.t("选择联系人", "Choose a contact"), [search, shown], back=ctx.finish)
        return page(ctx, ctx.t("通讯录", "Contacts"), [search, add, shown], back=ctx.finish)

    def _row(self, place: int, contact: dict[str, str]) -> Widget:
        name = contact["name"]
        return Row(
            id="cliv_row",
            key=f"contact-{place}",
            width=MATCH,
            gap=16,
            padding=insets(20, 10),
            on_click=self.ctx.finish if self.is_picking else partial(self.ctx.open, DETAILS, place=place),
            children=[
                ImageView(seed=name, kind="avatar", width=40, height=40, radius=20, important=False),
                Text(id="cliv_name_textview", text=name, size=17, color=colors(self.ctx).ink),
            ],
        )

    def _search(self, words: str) -> None:
        self.words = words


class QuickContactActivity(Activity):
    """The page of a contact."""

    def on_create(self) -> None:
        self.place = self.intent.extras.get("place", -1)
        self.asking = False

    def _contact(self) -> dict[str, str] | None:
        contacts: list[dict[str, str]] = self.ctx.data["contacts"]
        known = isinstance(self.place, int) and 0 <= self.place < len(contacts)
        return contacts[self.place] if known else None

    def build(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        self.status_bar = palette.page
        contact = self._contact()
        if contact is None:
            return page(ctx, ctx.t("联系人不存在", "Contact doesn't exist"), [], back=ctx.finish)
        number = Row(
            id="entry",
            width=MATCH,
            padding=insets(20, 14),
            on_click=partial(self._dial, contact["phone"]),
            children=[
                Column(
                    children=[
                        Text(id="header", text=contact["phone"] or "—", size=18, color=palette.ink),
                        Text(id="sub_header", text=ctx.t("手机", "Mobile"), size=14, color=palette.grey),
                    ]
                )
            ],
        )
        delete = Button(
            id="menu_delete",
            text=ctx.t("删除", "Delete"),
            color="#D93025",
            margin=insets(24, 8),
            on_click=self._ask,
        )
        return page(ctx, contact["name"], [card(ctx, [number]), delete], back=ctx.finish)

    def dialog(self) -> Widget | None:
        if not self.asking:
            return None
        ctx, palette = self.ctx, colors(self.ctx)
        buttons = [
            Button(
                id="android:id/button2",
                text=ctx.t("取消", "Cancel"),
                color=palette.accent,
                on_click=self.on_dismiss_dialog,
            ),
            Button(
                id="android:id/button1",
                text=ctx.t("删除", "Delete"),
                color=palette.accent,
                on_click=self._delete,
            ),
        ]
        return Column(
            width=300,
            background=palette.card,
            radius=24,
            padding=insets(24, 20, 12, 8),
            gap=16,
            children=[
                Text(
                    id="android:id/message",
                    text=ctx.t("要删除此联系人吗？", "Delete this contact?"),
                    size=18,
                    color=palette.ink,
                ),
                Row(width=MATCH, gap=8, children=buttons),
            ],
        )

    def on_dismiss_dialog(self) -> None:
        self.asking = False

    def _ask(self) -> None:
        self.asking = True

    def _delete(self) -> None:
        self.asking = False
        if self._contact() is not None:
            del self.ctx.data["contacts"][self.place]
        self.ctx.finish()

    def _dial(self, number: str) -> None:
        if number:
            self.ctx.start(Intent(action="android.intent.action.DIAL", data=f"tel:{number}"))


class ContactEditorActivity(Activity):
    """The form for a new contact, which other apps open too (``INSERT`` with ``name`` and ``phone``)."""

    filters = (IntentFilter((_INSERT,), (DEFAULT,), types=_TYPES),)

    def on_create(self) -> None:
        self.name = str(self.intent.extras.get("name", ""))[:_LONGEST]
        self.phone = str(self.intent.extras.get("phone", ""))[:_LONGEST]

    def build(self) -> Widget:
        ctx, palette = self.ctx, colors(self.ctx)
        self.status_bar = palette.page
        save = Button(
            id="editor_menu_save_button",
            text=ctx.t("保存", "Save"),
            color=palette.on_accent,
            background=palette.accent,
            radius=24,
            margin=insets(24, 16),
            on_click=self._save,
        )
        fields = [
            self._field("name", ctx.t("姓名", "Name"), self.name, "text"),
            self._field("phone", ctx.t("电话", "Phone"), self.phone, "phone"),
        ]
        return page(ctx, ctx.t("新建联系人", "Create contact"), [*fields, save], back=ctx.finish)

    def _field(self, name: str, hint: str, text: str, kind: str) -> Widget:
        palette = colors(self.ctx)
        return TextField(
            id=name,
            key=name,
            text=text,
            hint=hint,
            input_type=kind,
            color=palette.ink,
            hint_color=palette.grey,
            border=palette.line,
            background=palette.card,
            radius=8,
            width=MATCH,
            margin=insets(24, 6),
            padding=insets(14, 12),
            on_change=partial(self._set, name),
        )

    def _set(self, name: str, text: str) -> None:
        if name == "name":
            self.name = text[:_LONGEST]
        else:
            self.phone = text[:_LONGEST]

    def _save(self) -> None:
        if self.name.strip() or self.phone.strip():
            name = self.name.strip() or self.phone.strip()
            self.ctx.data["contacts"].append({"name": name, "phone": self.phone.strip()})
            self.ctx.toast(self.ctx.t(f"{name} 已保存", f"{name} saved"))
        self.ctx.finish()


def _initial_data() -> dict[str, Any]:
    return {
        "contacts": [
            {"name": "妈妈", "phone": "13800138000"},
            {"name": "Alex Chen", "phone": "+14155550123"},
            {"name": "李娜", "phone": "13912345678"},
        ]
    }


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the contacts."""
    yield from numbered(
        item(
            "contact",
            f"{each['name']}/{each['phone']}",
            f"联系人 {each['name']}：{each['phone']}",
            f"Contact {each['name']}: {each['phone']}",
            name=each["name"],
            phone=each["phone"],
        )
        for each in ctx.data["contacts"]
    )


APP = App(
    package=PACKAGE,
    label={"zh": "通讯录", "en": "Contacts"},
    activities={MAIN: PeopleActivity, DETAILS: QuickContactActivity, EDITOR: ContactEditorActivity},
    launcher=MAIN,
    version_name="14",
    version_code=34,
    icon_seed="contacts",
    icon_color="#1967D2",
    icon_glyph="icon:person",
    system=True,
    initial_data=_initial_data,
    state=state,
    apk_path="/product/priv-app/Contacts/Contacts.apk",
)
