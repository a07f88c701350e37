"""The dialog for typing the quantity of a cart line."""

from __future__ import annotations

from garabench.virtual.apps.jd.dialogs import input_dialog
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.store import MAX_QUANTITY
from garabench.virtual.apps.jd.theme import BACKGROUND
from garabench.virtual.apps.jd.user_data import JdOrderLine
from garabench.virtual.ui.widgets import MATCH, TextField, Widget, insets


class CountDialog:
    """A dialog with a field for the quantity of a line."""

    def __init__(self, page: JdPage, line: JdOrderLine) -> None:
        self.page = page
        self.line = line
        self.text = str(line.count)

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = "".join(filter(str.isdecimal, text))[:3]

    def done(self) -> None:
        """Apply the quantity."""
        if not self.text or not int(self.text):
            self.page.ctx.toast("请输入购买数量")
            return
        wanted = min(MAX_QUANTITY, int(self.text))
        if wanted < int(self.text):
            self.page.ctx.toast(f"最多购买{MAX_QUANTITY}件哦")
        self.page.store.change_line(self.line.key, count=wanted)
        self.page.sheet = None

    def view(self) -> Widget:
        """Return the dialog."""
        field = TextField(
            id="count_edit",
            text=self.text,
            hint="购买数量",
            size=18,
            width=MATCH,
            height=44,
            radius=8,
            background=BACKGROUND,
            padding=insets(14, 0),
            input_type="number",
            on_change=self.change,
            on_submit=self.done,
        )
        return input_dialog("修改购买数量", field, self.done, self.page.on_dismiss_dialog)
