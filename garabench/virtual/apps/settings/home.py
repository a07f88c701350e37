"""The first page of Settings, and About phone."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Icon,
    ImageView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

SETTINGS = "com.android.settings.Settings"


class SettingsHomePage(SettingsPage):
    """The first page of Settings."""

    launch_mode = "singleTask"
    filters = (IntentFilter.of("android.settings.SETTINGS"),)

    def build(self) -> Widget:
        ctx, palette = self.ctx, rows.colors(self.ctx)
        search = Row(
            id="search_action_bar",
            children=[
                Icon(name="search", size=22, color=palette.grey, important=False),
                Text(
                    id="search_action_bar_title",
                    text=ctx.t("在设置中搜索", "Search settings"),
                    size=16,
                    color=palette.grey,
                    margin=insets(14, 0, 0, 0),
                ),
            ],
            height=54,
            width=MATCH,
            radius=999,
            background=palette.card,
            padding=insets(20, 0),
            margin=insets(14, 0, 14, 16),
            on_click=partial(ctx.open, f"{SETTINGS}$ManageApplicationsActivity"),
        )
        heading = Row(
            children=[
                Text(id="homepage_title", text=ctx.t("设置", "Settings"), size=36, color=palette.ink),
                spacer(),
                ImageView(
                    id="account_avatar",
                    seed="owner",
                    kind="avatar",
                    width=40,
                    height=40,
                    radius=999,
                    important=False,
                ),
            ],
            padding=insets(24, 26, 24, 18),
            width=MATCH,
        )
        return Column(
            id="settings_homepage_container",
            children=[
                ScrollView(
                    id="recycler_view",
                    key="home",
                    cls="androidx.recyclerview.widget.RecyclerView",
                    children=[heading, search, *self._groups(), Widget(height=28, important=False)],
                    weight=1,
                    width=MATCH,
                )
            ],
            width=MATCH,
            height=MATCH,
            background=palette.page,
        )

    def _groups(self) -> list[Widget]:
        ctx, phone = self.ctx, self.state.phone
        battery = phone.battery
        wifi = ctx.data["network"] if phone.network.wifi else ctx.t("已关闭", "Off")
        count = len(self.state.apps())
        saver = ctx.t("，省电模式已开启", ", Battery Saver on") if battery.saver else ""

        def entry(icon: str, color: str, zh: str, en: str, summary: str, activity: str) -> Widget:
            return rows.item(
                ctx,
                ctx.t(zh, en),
                summary,
                leading=rows.badge(icon, color),
                key=en,
                on_click=partial(ctx.open, activity),
            )

        return [
            rows.card(
                ctx,
                [
                    entry("wifi", "#1A73E8", "WLAN", "Wi-Fi", wifi, f"{SETTINGS}$WifiSettingsActivity"),
                    entry(
                        "globe",
                        "#0B8043",
                        "网络和互联网",
                        "Network & internet",
                        ctx.t("移动网络、流量使用情况、飞行模式", "Mobile, data usage, airplane mode"),
                        f"{SETTINGS}$NetworkDashboardActivity",
                    ),
                ],
            ),
            rows.card(
                ctx,
                [
                    entry(
                        "grid",
                        "#F29900",
                        "应用",
                        "Apps",
                        ctx.t(f"{count} 个应用，权限、默认应用", f"{count} apps, permissions, default apps"),
                        f"{SETTINGS}$ManageApplicationsActivity",
                    ),
                    entry(
                        "battery",
                        "#188038",
                        "电池",
                        "Battery",
                        f"{battery.level}%{saver}",
                        f"{SETTINGS}$PowerUsageSummaryActivity",
                    ),
                ],
            ),
            rows.card(
                ctx,
                [
                    entry(
                        "sun",
                        "#E37400",
                        "显示",
                        "Display",
                        ctx.t("亮度、深色主题、字体大小", "Brightness, dark theme, font size"),
                        f"{SETTINGS}$DisplaySettingsActivity",
                    ),
                    entry(
                        "volume",
                        "#9334E6",
                        "提示音和振动",
                        "Sound & vibration",
                        ctx.t("音量、振动", "Volume, vibration"),
                        f"{SETTINGS}$SoundSettingsActivity",
                    ),
                ],
            ),
            rows.card(
                ctx,
                [
                    entry(
                        "phone",
                        "#188038",
                        "已连接的设备",
                        "Connected devices",
                        ctx.t("蓝牙", "Bluetooth"),
                        f"{SETTINGS}$ConnectedDeviceDashboardActivity",
                    ),
                    entry(
                        "bell",
                        "#D93025",
                        "通知",
                        "Notifications",
                        ctx.t("勿扰模式、浮动通知", "Do Not Disturb, pop on screen"),
                        f"{SETTINGS}$ConfigureNotificationSettingsActivity",
                    ),
                    entry(
                        "lock",
                        "#1E8E3E",
                        "安全和隐私",
                        "Security & privacy",
                        ctx.t("锁定屏幕、密码", "Screen lock, passwords"),
                        f"{SETTINGS}$SecurityDashboardActivity",
                    ),
                    entry(
                        "user",
                        "#1A73E8",
                        "无障碍",
                        "Accessibility",
                        ctx.t("显示、互动", "Display, interaction"),
                        f"{SETTINGS}$AccessibilitySettingsActivity",
                    ),
                    entry(
                        "settings",
                        "#5F6368",
                        "系统",
                        "System",
                        ctx.t("键盘、日期和时间、开发者选项", "Keyboard, date & time, developer options"),
                        f"{SETTINGS}$SystemDashboardActivity",
                    ),
                ],
            ),
            rows.card(
                ctx,
                [
                    entry(
                        "globe",
                        "#5F6368",
                        "语言",
                        "Languages",
                        ctx.t("简体中文（中国）", "English (United States)"),
                        f"{SETTINGS}$LocalePickerActivity",
                    ),
                    entry(
                        "info",
                        "#5F6368",
                        "关于手机",
                        "About phone",
                        phone.profile.model,
                        f"{SETTINGS}$MyDeviceInfoActivity",
                    ),
                ],
            ),
        ]


class About(SettingsPage):
    """The About phone page."""

    filters = (IntentFilter.of("android.settings.DEVICE_INFO_SETTINGS"),)

    def build(self) -> Widget:
        ctx, profile = self.ctx, self.state.phone.profile
        facts = (
            (ctx.t("设备名称", "Device name"), profile.model),
            (ctx.t("型号", "Model"), profile.model),
            (ctx.t("品牌", "Brand"), profile.brand),
            (ctx.t("Android 版本", "Android version"), profile.release),
            ("API", str(profile.sdk)),
            (ctx.t("屏幕", "Screen"), f"{profile.size}, {profile.density} dpi"),
            (ctx.t("版本号", "Build number"), f"{profile.product}-userdebug {profile.release}"),
        )
        return rows.page(
            ctx,
            ctx.t("关于手机", "About phone"),
            [rows.card(ctx, [rows.item(ctx, title, value) for title, value in facts])],
            back=ctx.finish,
        )
