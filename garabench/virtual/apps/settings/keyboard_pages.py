"""The pages of physical keyboards, and of the languages of each on-screen keyboard."""

from __future__ import annotations

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.switch_pages import LinkRow, SwitchPage, SwitchRow
from garabench.virtual.apps.settings.system_pages import KeyboardPage
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import Widget


class PhysicalKeyboard(SwitchPage):
    """Physical keyboards, of which none is connected."""

    filters = (IntentFilter.of("android.settings.HARD_KEYBOARD_SETTINGS"),)
    title = ("实体键盘", "Physical keyboard")
    groups = (
        (
            SwitchRow(
                "使用屏幕键盘",
                "Use on-screen keyboard",
                "secure",
                "show_ime_with_hard_keyboard",
                hint=("连接到实体键盘时保持显示", "Keep it on screen while a physical keyboard is active"),
            ),
            LinkRow(
                "键盘快捷键", "Keyboard shortcuts", hint=("显示可用的快捷键", "Show available shortcuts")
            ),
        ),
    )


class KeyboardLanguages(KeyboardPage):
    """The languages of each enabled keyboard, which are those of the system."""

    filters = (IntentFilter.of("android.settings.INPUT_METHOD_SUBTYPE_SETTINGS"),)

    def build(self) -> Widget:
        ctx = self.ctx
        parts: list[Widget] = []
        for identity in self.state.phone.ime.enabled:
            entries = [
                rows.switch_item(
                    ctx, ctx.t("使用系统语言", "Use system languages"), on=True, toggle=_stay, enabled=False
                ),
                rows.item(ctx, ctx.t("中文（中国）", "English (US)"), enabled=False, key=identity),
            ]
            parts += [rows.header(ctx, self.name(identity)), rows.card(ctx, entries)]
        return rows.page(ctx, ctx.t("语言", "Languages"), parts, back=ctx.finish)


def _stay() -> None:
    """The keyboards have no other languages."""
