"""The user's profile: name, gender, birthday."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.dialogs import input_dialog, sheet
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import BACKGROUND, INK, LINE, RED, arrow_row, card
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    ImageView,
    RadioButton,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
)

SEXES = ("男", "女", "保密")
_MIN_NAME, _MAX_NAME = 2, 20


class UserInfoActivity(JdPage):
    """个人信息."""

    needs_network = False

    def on_create(self) -> None:
        """Start without an open dialog."""
        self.text = ""

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def edit_name(self) -> None:
        """Open the dialog for the name."""
        self.text = str(self.store.profile["name"])
        self.sheet = self._name_dialog
        self.ctx.focus("name_edit")

    def save_name(self) -> None:
        """Save the name."""
        name = self.text.strip()
        if not _MIN_NAME <= len(name) <= _MAX_NAME:
            self.ctx.toast(f"昵称需为{_MIN_NAME}-{_MAX_NAME}个字符")
            return
        self.store.set_profile("name", name)
        self.sheet = None
        self.ctx.toast("修改成功")

    def set_gender(self, sex: str) -> None:
        """Set the user's gender."""
        self.store.set_profile("gender", sex)
        self.sheet = None

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("个人信息")

    def content(self) -> Widget:
        """Return avatar and data."""
        profile = self.store.profile
        face = ImageView(seed="jd-me", kind="avatar", width=44, height=44, radius=22, important=False)
        header = Row(
            id="info_face",
            width=MATCH,
            height=64,
            on_click=self.toasting("暂不支持修改头像"),
            children=(Text(id="row_label", text="头像", size=15, color=INK, weight=1), face),
        )

        def row(label: str, value: str, act: Handler | None = None) -> Widget:
            return arrow_row(label, value, rid="info_item", on_click=act)

        return ScrollView(
            id="info_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                card(
                    header,
                    divider(LINE),
                    row("用户名", str(profile["account"])),
                    divider(LINE),
                    row("昵称", str(profile["name"]), self.edit_name),
                    divider(LINE),
                    row("性别", str(profile["gender"]), self.opening(self._gender_sheet)),
                    divider(LINE),
                    row("生日", str(profile["birthday"])),
                    padding=insets(14, 0),
                ),
                card(
                    row("收货地址", "", partial(self.ctx.open, names.ADDRESSES)),
                    divider(LINE),
                    row("实名认证", "已认证"),
                    padding=insets(14, 0),
                ),
            ),
        )

    def _gender_sheet(self) -> Widget:
        rows = [
            RadioButton(
                id="sex_choice",
                key=sex,
                text=sex,
                size=15,
                color=RED,
                width=MATCH,
                height=50,
                checked=sex == self.store.profile["gender"],
                on_click=partial(self.set_gender, sex),
            )
            for sex in SEXES
        ]
        body = Column(width=MATCH, padding=insets(16, 0), children=rows)
        return sheet("性别", self.on_dismiss_dialog, body, rid="sex_sheet")

    def _name_dialog(self) -> Widget:
        field = TextField(
            id="name_edit",
            text=self.text,
            hint="请输入昵称",
            size=16,
            width=MATCH,
            height=44,
            radius=8,
            background=BACKGROUND,
            padding=insets(14, 0),
            on_change=self.change,
            on_submit=self.save_name,
        )
        return input_dialog("修改昵称", field, self.save_name, self.on_dismiss_dialog, width=300)
