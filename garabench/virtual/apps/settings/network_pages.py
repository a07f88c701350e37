"""Network pages: the dashboard, Wi-Fi with its networks, data usage."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    ProgressBar,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)

NETWORKS: tuple[tuple[str, int, bool], ...] = (
    ("Garden-5G", 4, True),
    ("ChinaNet-HG8245", 3, True),
    ("TP-LINK_2F06", 3, True),
    ("Coffee Free WiFi", 2, False),
    ("MERCURY_88A1", 1, True),
)
"""Wi-Fi networks in range: name, bars out of 4, whether a password is needed."""
HOME_NETWORK = NETWORKS[0][0]
MIN_PASSWORD = 8


class Wifi(SettingsPage):
    """The Wi-Fi page: switch, the connected network, and those in range."""

    filters = (
        IntentFilter.of("android.settings.WIFI_SETTINGS"),
        IntentFilter.of("android.net.wifi.PICK_WIFI_NETWORK"),
    )
    launch_mode = "singleTop"

    def on_create(self) -> None:
        super().on_create()
        self.asking = ""
        self.password = ""

    def build(self) -> Widget:
        ctx, on = self.ctx, self.state.phone.network.wifi
        parts: list[Widget] = [
            rows.main_switch(ctx, ctx.t("使用 WLAN", "Use Wi-Fi"), on=on, toggle=self._toggle)
        ]
        if not on:
            parts.append(
                rows.note(
                    ctx, ctx.t("开启 WLAN 后即可查看可用的网络", "To see available networks, turn Wi-Fi on")
                )
            )
            return rows.page(ctx, "WLAN" if ctx.lang == "zh" else "Wi-Fi", parts, back=ctx.finish)
        current = ctx.data["network"]
        parts.append(
            rows.card(ctx, [self._network(name, bars, locked) for name, bars, locked in self._sorted()])
        )
        parts.append(
            rows.card(
                ctx,
                [
                    rows.item(
                        ctx,
                        ctx.t("网络偏好设置", "Network preferences"),
                        ctx.t("自动连接到开放网络", "Connect to open networks automatically"),
                        leading=Icon(name="settings", size=22, color=rows.colors(ctx).grey, important=False),
                        on_click=partial(
                            ctx.open, "com.android.settings.Settings$ConfigureWifiSettingsActivity"
                        ),
                    ),
                    rows.item(
                        ctx,
                        ctx.t("已保存的网络", "Saved networks"),
                        ctx.t(f"{len(ctx.data['saved'])} 个网络", f"{len(ctx.data['saved'])} networks"),
                        leading=Icon(name="wifi", size=22, color=rows.colors(ctx).grey, important=False),
                    ),
                ],
            )
        )
        title = "WLAN" if ctx.lang == "zh" else "Wi-Fi"
        return rows.page(ctx, title, parts, back=ctx.finish, key=f"wifi-{bool(current)}")

    def _sorted(self) -> list[tuple[str, int, bool]]:
        current = self.ctx.data["network"]
        return sorted(NETWORKS, key=lambda network: (network[0] != current, -network[1], network[0]))

    def _network(self, name: str, bars: int, locked: bool) -> Widget:
        ctx, palette = self.ctx, rows.colors(self.ctx)
        connected = name == ctx.data["network"]
        saved = name in ctx.data["saved"]
        summary = ctx.t("已保存", "Saved") if saved else ""
        if connected:
            summary = ctx.t("已连接", "Connected")
        return rows.item(
            ctx,
            name,
            summary,
            leading=Icon(
                name="wifi",
                size=24,
                color=palette.accent if connected else palette.grey,
                opacity=0.4 + bars * 0.15,
                important=False,
            ),
            trailing=Icon(name="lock", size=18, color=palette.grey, important=False) if locked else None,
            on_click=partial(self._pick, name, locked),
            key=f"network-{name}",
        )

    def _toggle(self) -> None:
        network = self.state.phone.network
        network.wifi = not network.wifi

    def _pick(self, name: str, locked: bool) -> None:
        if name == self.ctx.data["network"]:
            return
        if locked and name not in self.ctx.data["saved"]:
            self.asking, self.password = name, ""
            return
        self._connect(name)

    def _connect(self, name: str) -> None:
        self.ctx.data["network"] = name
        if name not in self.ctx.data["saved"]:
            self.ctx.data["saved"] = [*self.ctx.data["saved"], name]
        self.asking = ""
        self.ctx.toast(self.ctx.t(f"已连接到 {name}", f"Connected to {name}"))

    def dialog(self) -> Widget | None:
        if not self.asking:
            return None
        ctx, palette = self.ctx, rows.colors(self.ctx)
        field = TextField(
            id="password",
            text=self.password,
            hint=ctx.t("密码", "Password"),
            password=True,
            on_change=self._type,
            on_submit=self._join,
            autofocus=True,
            width=MATCH,
            border=palette.line,
            radius=8,
            padding=insets(12, 12),
            margin=insets(0, 16, 8, 0),
            color=palette.ink,
        )
        return rows.confirm(
            ctx,
            self.asking,
            "",
            yes_text=ctx.t("连接", "Connect"),
            yes=self._join,
            no=self.on_dismiss_dialog,
            body=field,
        )

    def _type(self, text: str) -> None:
        self.password = text

    def _join(self) -> None:
        if len(self.password) < MIN_PASSWORD:
            self.ctx.toast(self.ctx.t("密码至少 8 位", "At least 8 characters"))
            return
        self._connect(self.asking)

    def on_dismiss_dialog(self) -> None:
        self.asking = ""


class NetworkDashboard(SettingsPage):
    """The page Network & internet."""

    filters = (
        IntentFilter.of("android.settings.WIRELESS_SETTINGS"),
        IntentFilter.of("android.settings.AIRPLANE_MODE_SETTINGS"),
    )

    def build(self) -> Widget:
        ctx, network = self.ctx, self.state.phone.network
        on, off = ctx.t("已开启", "On"), ctx.t("已关闭", "Off")
        wifi = ctx.data["network"] if network.wifi else off
        grey = rows.colors(ctx).grey

        def icon(name: str) -> Widget:
            return Icon(name=name, size=24, color=grey, important=False)

        return rows.page(
            ctx,
            ctx.t("网络和互联网", "Network & internet"),
            [
                rows.card(
                    ctx,
                    [
                        rows.item(
                            ctx,
                            ctx.t("WLAN", "Wi-Fi"),
                            wifi,
                            leading=icon("wifi"),
                            on_click=partial(ctx.open, "com.android.settings.Settings$WifiSettingsActivity"),
                        ),
                        rows.switch_item(
                            ctx,
                            ctx.t("移动数据", "Mobile data"),
                            on if network.mobile_data else off,
                            on=network.mobile_data,
                            toggle=self._toggle_data,
                            leading=icon("signal"),
                        ),
                        rows.switch_item(
                            ctx,
                            ctx.t("飞行模式", "Airplane mode"),
                            on=network.airplane,
                            toggle=self._toggle_airplane,
                            leading=icon("airplane"),
                        ),
                        rows.item(
                            ctx,
                            ctx.t("流量使用情况", "Data usage"),
                            ctx.t("本月已使用 6.42 GB", "6.42 GB used this month"),
                            leading=icon("chart"),
                            on_click=partial(
                                ctx.open, "com.android.settings.Settings$DataUsageSummaryActivity"
                            ),
                        ),
                    ],
                )
            ],
            back=ctx.finish,
        )

    def _toggle_data(self) -> None:
        network = self.state.phone.network
        network.mobile_data = not network.mobile_data

    def _toggle_airplane(self) -> None:
        network = self.state.phone.network
        network.airplane = not network.airplane


class DataUsage(SettingsPage):
    """The data usage page: the month's total, data saver, and the apps with the highest usage."""

    filters = (IntentFilter.of("android.settings.DATA_USAGE_SETTINGS"),)
    used_gb = 6.42
    limit_gb = 20.0

    def build(self) -> Widget:
        ctx, palette = self.ctx, rows.colors(self.ctx)
        head = Column(
            children=[
                Row(
                    children=[
                        Text(id="data_usage_view", text=f"{self.used_gb}", size=44, color=palette.ink),
                        Text(
                            text=" GB",
                            size=20,
                            color=palette.grey,
                            align_self=Align.END,
                            padding=insets(0, 0, 0, 8),
                        ),
                    ]
                ),
                ProgressBar(
                    value=self.used_gb / self.limit_gb,
                    color=palette.accent,
                    width=MATCH,
                    margin=insets(0, 8, 0, 8),
                ),
                Text(
                    id=rows.SUMMARY,
                    text=ctx.t("5月1日 – 5月31日 · 警告值 20 GB", "May 1 – May 31 · Warning at 20 GB"),
                    size=13,
                    color=palette.grey,
                ),
            ],
            padding=insets(18, 14),
        )
        saver = rows.switch_item(
            ctx,
            ctx.t("流量节省程序", "Data Saver"),
            ctx.t("限制应用在后台使用流量", "Limit background data of apps"),
            on=self.state.flag("global", "restrict_background_data"),
            toggle=partial(self.state.toggle, "global", "restrict_background_data"),
        )
        return rows.page(
            ctx,
            ctx.t("流量使用情况", "Data usage"),
            [
                rows.card(ctx, [head]),
                rows.card(ctx, [saver]),
                rows.header(ctx, ctx.t("应用流量使用情况", "App data usage")),
                rows.card(ctx, self._apps()),
            ],
            back=ctx.finish,
        )

    def _apps(self) -> list[Widget]:
        apps = [app for app in self.state.apps() if not app.system]
        used = {app.package: self.ctx.random("data", app.package).uniform(0.1, 2.4) for app in apps}
        ordered = sorted(apps, key=lambda app: -used[app.package])
        return [
            rows.item(
                self.ctx,
                self.state.label(app),
                f"{used[app.package]:.2f} GB",
                leading=app_icon(app, 38),
                key=app.package,
                on_click=partial(
                    self.ctx.open,
                    "com.android.settings.applications.InstalledAppDetails",
                    package=app.package,
                ),
            )
            for app in ordered
        ]
