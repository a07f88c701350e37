"""Battery pages: the level, and Battery Saver."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import MATCH, Align, Column, Icon, ProgressBar, Row, Text, Widget, insets

SAVER = "com.android.settings.Settings$BatterySaverSettingsActivity"


class BatterySaver(SettingsPage):
    """The Battery Saver page with its switch."""

    filters = (IntentFilter.of("android.settings.BATTERY_SAVER_SETTINGS"),)
    launch_mode = "singleTop"

    def build(self) -> Widget:
        ctx, battery = self.ctx, self.state.phone.battery
        return rows.page(
            ctx,
            ctx.t("省电模式", "Battery Saver"),
            [
                rows.main_switch(
                    ctx, ctx.t("使用省电模式", "Use Battery Saver"), on=battery.saver, toggle=self._toggle
                ),
                rows.card(
                    ctx,
                    [
                        rows.item(
                            ctx,
                            ctx.t("设置时间表", "Set a schedule"),
                            ctx.t("电量低于 15% 时开启", "Turns on at 15%")
                            if self.state.number("global", "low_power_trigger_level", 0)
                            else ctx.t("没有时间表", "No schedule"),
                            on_click=self._schedule,
                        ),
                        rows.switch_item(
                            ctx,
                            ctx.t("充满电后关闭", "Turn off when charged"),
                            ctx.t("电量达到 90% 时关闭省电模式", "Battery Saver turns off at 90%"),
                            on=self.state.flag(
                                "global", "low_power_sticky_auto_disable_enabled", default=True
                            ),
                            toggle=partial(
                                self.state.toggle,
                                "global",
                                "low_power_sticky_auto_disable_enabled",
                                default=True,
                            ),
                        ),
                    ],
                ),
                rows.note(
                    ctx,
                    ctx.t(
                        "省电模式会开启深色主题，并限制或关闭后台活动、部分视觉效果和某些功能，以延长电池续航时间。",
                        "Battery Saver turns on Dark theme and limits background activity, some visual "
                        "effects and certain features.",
                    ),
                ),
            ],
            back=ctx.finish,
        )

    def _toggle(self) -> None:
        battery = self.state.phone.battery
        battery.saver = not battery.saver

    def _schedule(self) -> None:
        level = self.state.number("global", "low_power_trigger_level", 0)
        self.state.put("global", "low_power_trigger_level", "0" if level else "15")


class BatteryPage(SettingsPage):
    """The battery page: its level and the apps that use it."""

    filters = (IntentFilter.of("android.intent.action.POWER_USAGE_SUMMARY"),)

    def build(self) -> Widget:
        ctx, palette, battery = self.ctx, rows.colors(self.ctx), self.state.phone.battery
        hours = max(1, battery.level * 28 // 100)
        state = (
            ctx.t("正在充电", "Charging")
            if battery.plugged
            else ctx.t(f"大约还可使用 {hours} 小时", f"About {hours} hours left")
        )
        header = Column(
            children=[
                Row(
                    children=[
                        Text(id="battery_percent", text=f"{battery.level}%", size=48, color=palette.ink),
                        Icon(
                            name="battery",
                            size=34,
                            color=palette.accent,
                            margin=insets(12, 0, 0, 0),
                            align_self=Align.CENTER,
                            important=False,
                        ),
                    ]
                ),
                ProgressBar(
                    value=battery.level / 100, color=palette.accent, width=MATCH, margin=insets(0, 8)
                ),
                Text(id=rows.SUMMARY, text=state, size=14, color=palette.grey),
            ],
            padding=insets(18, 14),
        )
        saver = rows.item(
            ctx,
            ctx.t("省电模式", "Battery Saver"),
            ctx.t("已开启", "On") if battery.saver else ctx.t("已关闭", "Off"),
            leading=Icon(name="battery", size=24, color=palette.grey, important=False),
            on_click=partial(ctx.open, SAVER),
        )
        percent = rows.switch_item(
            ctx,
            ctx.t("电量百分比", "Battery percentage"),
            ctx.t("在状态栏中显示电量百分比", "Show battery percentage in the status bar"),
            on=self.state.flag("system", "status_bar_show_battery_percent"),
            toggle=partial(self.state.toggle, "system", "status_bar_show_battery_percent"),
        )
        return rows.page(
            ctx,
            ctx.t("电池", "Battery"),
            [rows.card(ctx, [header]), rows.card(ctx, [saver, percent])],
            back=ctx.finish,
        )
