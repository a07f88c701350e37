"""Date and time, and the on-screen keyboards."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import Widget

_ZONES = ("Asia/Shanghai", "Asia/Tokyo", "Europe/London", "America/New_York", "GMT")


class DateTime(SettingsPage):
    """The date and time page."""

    filters = (IntentFilter.of("android.settings.DATE_SETTINGS"),)

    def build(self) -> Widget:
        ctx, state, clock = self.ctx, self.state, self.state.phone.clock
        wall = clock.wall()
        zone_by_network = state.flag("global", "auto_time_zone", default=True)
        hours = (state.phone.settings.get("system", "time_12_24") or "24") == "24"
        return rows.page(
            ctx,
            ctx.t("日期和时间", "Date & time"),
            [
                rows.card(
                    ctx,
                    [
                        rows.switch_item(
                            ctx,
                            ctx.t("自动设置时间", "Set time automatically"),
                            on=state.flag("global", "auto_time", default=True),
                            toggle=partial(state.toggle, "global", "auto_time", default=True),
                        ),
                        rows.item(
                            ctx,
                            ctx.t("日期", "Date"),
                            ctx.t(
                                f"{wall.year}年{wall.month}月{wall.day}日",
                                f"{wall:%B} {wall.day}, {wall.year}",
                            ),
                        ),
                        rows.item(
                            ctx, ctx.t("时间", "Time"), f"{wall:%H:%M}" if hours else f"{wall:%I:%M %p}"
                        ),
                    ],
                ),
                rows.card(
                    ctx,
                    [
                        rows.switch_item(
                            ctx,
                            ctx.t("自动设置时区", "Set time zone automatically"),
                            on=zone_by_network,
                            toggle=partial(state.toggle, "global", "auto_time_zone", default=True),
                        ),
                        rows.item(
                            ctx,
                            ctx.t("时区", "Time zone"),
                            f"{wall.tzname()} {clock.zone}",
                            on_click=None if zone_by_network else self._next_zone,
                            enabled=not zone_by_network,
                        ),
                    ],
                ),
                rows.card(
                    ctx,
                    [
                        rows.switch_item(
                            ctx,
                            ctx.t("使用 24 小时制", "Use 24-hour format"),
                            "13:00" if hours else "1:00 PM",
                            on=hours,
                            toggle=partial(state.put, "system", "time_12_24", "12" if hours else "24"),
                        )
                    ],
                ),
            ],
            back=ctx.finish,
        )

    def _next_zone(self) -> None:
        clock = self.state.phone.clock
        at = _ZONES.index(clock.zone) if clock.zone in _ZONES else -1
        clock.zone = _ZONES[(at + 1) % len(_ZONES)]


class KeyboardPage(SettingsPage):
    """A page about keyboards."""

    def name(self, identity: str) -> str:
        """Return the name of a keyboard: its app's."""
        app = self.state.app(identity.partition("/")[0])
        return self.state.label(app) if app is not None else self.ctx.t("拉丁键盘", "Latin keyboard")


class Keyboards(KeyboardPage):
    """The on-screen keyboards: which are enabled, and which is the default."""

    filters = (IntentFilter.of("android.settings.INPUT_METHOD_SETTINGS"),)

    def build(self) -> Widget:
        ctx, ime = self.ctx, self.state.phone.ime
        switches = [
            rows.switch_item(
                ctx,
                self.name(identity),
                identity,
                on=identity in ime.enabled,
                toggle=partial(self._toggle, identity),
                enabled=len(ime.enabled) > 1 or identity not in ime.enabled,
            )
            for identity in ime.installed
        ]
        defaults = [
            rows.radio_item(
                ctx, self.name(identity), on=identity == ime.default, pick=partial(self._select, identity)
            )
            for identity in ime.enabled
        ]
        hardware = partial(self.state.toggle, "secure", "show_ime_with_hard_keyboard")
        return rows.page(
            ctx,
            ctx.t("屏幕键盘", "On-screen keyboard"),
            [
                rows.card(ctx, switches),
                rows.header(ctx, ctx.t("默认键盘", "Default keyboard")),
                rows.card(ctx, defaults),
                rows.card(
                    ctx,
                    [
                        rows.switch_item(
                            ctx,
                            ctx.t("使用屏幕键盘", "Use on-screen keyboard"),
                            ctx.t(
                                "连接到实体键盘时保持显示",
                                "Keep it on screen while a physical keyboard is active",
                            ),
                            on=self.state.flag("secure", "show_ime_with_hard_keyboard"),
                            toggle=hardware,
                        )
                    ],
                ),
            ],
            back=ctx.finish,
        )

    def _select(self, identity: str) -> None:
        self.state.phone.ime.set(identity)

    def _toggle(self, identity: str) -> None:
        ime = self.state.phone.ime
        (ime.disable if identity in ime.enabled else ime.enable)(identity)
