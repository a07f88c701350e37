"""Display, sound and language pages."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.apps.settings.phone_state import PhoneState
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import Widget

FONT_SCALES = ("0.85", "1.0", "1.15", "1.3")
TIMEOUTS_S = (15, 30, 60, 120, 300, 600)
NIGHT_ON, NIGHT_OFF = "2", "1"
BRIGHTEST = 255


class DisplayPage(SettingsPage):
    """The display page: brightness, dark theme, font size, rotation, screen time-out."""

    filters = (IntentFilter.of("android.settings.DISPLAY_SETTINGS"),)

    def build(self) -> Widget:
        ctx, state = self.ctx, self.state
        scale = FONT_SCALES.index(self._scale())
        names = (
            ctx.t("小", "Small"),
            ctx.t("默认", "Default"),
            ctx.t("大", "Large"),
            ctx.t("最大", "Largest"),
        )
        seconds = int(state.number("system", "screen_off_timeout", 60_000)) // 1000
        timeout = ctx.t(f"{seconds} 秒", f"{seconds} seconds")
        if seconds >= 60:
            timeout = ctx.t(f"{seconds // 60} 分钟", f"{seconds // 60} min")
        return rows.page(
            ctx,
            ctx.t("显示", "Display"),
            [
                rows.header(ctx, ctx.t("亮度", "Brightness")),
                rows.card(
                    ctx,
                    [
                        rows.slider_item(
                            ctx,
                            ctx.t("亮度级别", "Brightness level"),
                            value=state.number("system", "screen_brightness", 128) / BRIGHTEST,
                            change=self._brightness,
                            id_="slider",
                        ),
                        rows.switch_item(
                            ctx,
                            ctx.t("自动调节亮度", "Adaptive brightness"),
                            on=state.flag("system", "screen_brightness_mode"),
                            toggle=partial(state.toggle, "system", "screen_brightness_mode"),
                        ),
                    ],
                ),
                rows.header(ctx, ctx.t("外观", "Appearance")),
                rows.card(
                    ctx,
                    [
                        rows.switch_item(
                            ctx,
                            ctx.t("深色主题", "Dark theme"),
                            ctx.t("已开启", "On") if ctx.dark else ctx.t("已关闭", "Off"),
                            on=ctx.dark,
                            toggle=self._dark,
                        ),
                        rows.item(ctx, ctx.t("字体大小", "Font size"), names[scale], on_click=self._font),
                    ],
                ),
                rows.header(ctx, ctx.t("其他显示控件", "Other display controls")),
                rows.card(
                    ctx,
                    [
                        rows.switch_item(
                            ctx,
                            ctx.t("自动旋转屏幕", "Auto-rotate screen"),
                            on=state.flag("system", "accelerometer_rotation"),
                            toggle=partial(state.toggle, "system", "accelerometer_rotation"),
                        ),
                        rows.item(
                            ctx,
                            ctx.t("屏幕超时", "Screen timeout"),
                            ctx.t(f"无操作 {timeout}后", f"After {timeout} of inactivity"),
                            on_click=self._timeout,
                        ),
                    ],
                ),
            ],
            back=ctx.finish,
        )

    def _scale(self) -> str:
        scale = self.state.number("system", "font_scale", 1.0)
        return min(FONT_SCALES, key=lambda each: abs(float(each) - scale))

    def _brightness(self, value: float) -> None:
        self.state.put("system", "screen_brightness", str(round(min(1.0, max(0.0, value)) * BRIGHTEST)))

    def _dark(self) -> None:
        self.state.put("secure", "ui_night_mode", NIGHT_OFF if self.ctx.dark else NIGHT_ON)
        self.status_bar = rows.colors(self.ctx).page

    def _font(self) -> None:
        following = FONT_SCALES[(FONT_SCALES.index(self._scale()) + 1) % len(FONT_SCALES)]
        self.state.put("system", "font_scale", following)

    def _timeout(self) -> None:
        present = int(self.state.number("system", "screen_off_timeout", 60_000)) // 1000
        following = next((seconds for seconds in TIMEOUTS_S if seconds > present), TIMEOUTS_S[0])
        self.state.put("system", "screen_off_timeout", str(following * 1000))


class Sound(SettingsPage):
    """The sound page: volumes."""

    filters = (IntentFilter.of("android.settings.SOUND_SETTINGS"),)
    streams = (
        ("volume_music", "媒体音量", "Media volume", 15, 7),
        ("volume_voice", "通话音量", "Call volume", 7, 5),
        ("volume_ring", "铃声音量", "Ring volume", 7, 4),
        ("volume_notification", "通知音量", "Notification volume", 7, 4),
        ("volume_alarm", "闹钟音量", "Alarm volume", 7, 6),
    )

    def build(self) -> Widget:
        ctx = self.ctx
        vibrate = rows.switch_item(
            ctx,
            ctx.t("来电时振动", "Vibrate for calls"),
            on=self.state.flag("system", "vibrate_when_ringing"),
            toggle=partial(self.state.toggle, "system", "vibrate_when_ringing"),
        )
        return rows.page(
            ctx,
            ctx.t("提示音和振动", "Sound & vibration"),
            [rows.card(ctx, self.sliders(ctx, self.state)), rows.card(ctx, [vibrate])],
            back=ctx.finish,
        )

    @classmethod
    def sliders(cls, ctx: Context, state: PhoneState) -> list[Widget]:
        """Return a slider for each volume."""
        return [
            rows.slider_item(
                ctx,
                ctx.t(zh, en),
                value=min(1.0, state.number("system", key, middle) / maximum),
                change=partial(_set_volume, state, key, maximum),
                id_=key,
            )
            for key, zh, en, maximum, middle in cls.streams
        ]


def _set_volume(state: PhoneState, key: str, maximum: int, value: float) -> None:
    state.put("system", key, str(round(value * maximum)))


class Languages(SettingsPage):
    """The language page."""

    filters = (IntentFilter.of("android.settings.LOCALE_SETTINGS"),)

    def build(self) -> Widget:
        ctx = self.ctx
        choices = (("zh", "简体中文（中国）"), ("en", "English (United States)"))
        radios = [
            rows.radio_item(ctx, name, on=ctx.lang == code, pick=partial(self._pick, code))
            for code, name in choices
        ]
        return rows.page(ctx, ctx.t("语言", "Languages"), [rows.card(ctx, radios)], back=ctx.finish)

    def _pick(self, code: str) -> None:
        self.state.phone.lang = code
