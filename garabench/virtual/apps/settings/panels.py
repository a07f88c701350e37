"""Settings panels: sheets with switches over another app (``SettingsPanelActivity``, since Android 10)."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.apps.settings.display import Sound
from garabench.virtual.kit.framework import Intent
from garabench.virtual.kit.intent_filter import DEFAULT, IntentFilter
from garabench.virtual.ui.widgets import MATCH, Align, Box, Button, Column, Row, Text, Widget, insets

_ACTION = "android.settings.panel.action."
_SCRIM = "#52000000"
_MORE = {
    "INTERNET_CONNECTIVITY": "android.settings.WIRELESS_SETTINGS",
    "WIFI": "android.settings.WIFI_SETTINGS",
    "NFC": "android.settings.NFC_SETTINGS",
    "VOLUME": "android.settings.SOUND_SETTINGS",
}
"""The action of the page behind "See more", by panel."""


class SettingsPanel(SettingsPage):
    """A sheet with the switches of the panel that the intent names."""

    filters = (IntentFilter(tuple(f"{_ACTION}{name}" for name in _MORE), (DEFAULT,)),)
    translucent = True
    excluded_from_recents = True

    def on_new_intent(self, intent: Intent) -> None:
        self.intent = intent

    def build(self) -> Widget:
        ctx, palette = self.ctx, rows.colors(self.ctx)
        kind = self.intent.action.removeprefix(_ACTION)
        title, entries = self._content(kind)
        buttons = [
            Button(
                id="see_more",
                text=ctx.t("查看更多", "See more"),
                color=palette.accent,
                on_click=partial(self._more, kind),
            ),
            Button(id="done", text=ctx.t("完成", "Done"), color=palette.accent, on_click=ctx.finish),
        ]
        sheet = Column(
            id="panel_container",
            width=MATCH,
            background=palette.card,
            radius=24,
            padding=insets(0, 20, 0, 8),
            align_vertical=Align.END,
            on_click=_stay,
            children=[
                Text(id="panel_title", text=title, size=20, color=palette.ink, padding=insets(18, 0, 18, 8)),
                *entries,
                Row(width=MATCH, justify=Align.SPACE_BETWEEN, padding=insets(16, 8), children=buttons),
            ],
        )
        return Box(width=MATCH, height=MATCH, background=_SCRIM, on_click=ctx.finish, children=[sheet])

    def _content(self, kind: str) -> tuple[str, list[Widget]]:
        """Return a panel's title and rows."""
        ctx = self.ctx
        match kind:
            case "INTERNET_CONNECTIVITY":
                return ctx.t("互联网", "Internet"), [self._network("mobile_data"), self._network("wifi")]
            case "WIFI":
                return ctx.t("WLAN", "Wi-Fi"), [self._network("wifi")]
            case "NFC":
                absent = ctx.t("此设备没有 NFC", "This device has no NFC")
                return "NFC", [rows.switch_item(ctx, "NFC", absent, on=False, toggle=_stay, enabled=False)]
            case _:
                return ctx.t("音量", "Volume"), Sound.sliders(ctx, self.state)

    def _network(self, name: str) -> Widget:
        """Return the switch of a network, with the connected Wi-Fi's name."""
        ctx, network = self.ctx, self.state.phone.network
        on = bool(getattr(network, name))
        names = {"wifi": ctx.t("WLAN", "Wi-Fi"), "mobile_data": ctx.t("移动数据", "Mobile data")}
        summary = ctx.data["network"] if on and name == "wifi" else ""

        def toggle() -> None:
            setattr(network, name, not on)

        return rows.switch_item(ctx, names[name], summary, on=on, toggle=toggle)

    def _more(self, kind: str) -> None:
        self.ctx.finish()
        self.ctx.start(Intent(action=_MORE.get(kind, _MORE["VOLUME"]), flags=frozenset({"NEW_TASK"})))


def _stay() -> None:
    """A tap on the sheet's background does nothing."""
