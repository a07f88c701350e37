"""The Location page: the location switch, and the apps with the permission."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.app_pages import DETAILS
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.kit.framework import App
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import Widget

MODE, OFF, HIGH_ACCURACY = "location_mode", "0", "3"
"""``Settings.Secure.LOCATION_MODE`` and two of its values."""
_PERMISSIONS = tuple(f"android.permission.ACCESS_{kind}_LOCATION" for kind in ("FINE", "COARSE"))


class Location(SettingsPage):
    """The location switch, and the apps that request the permission."""

    filters = (IntentFilter.of("android.settings.LOCATION_SOURCE_SETTINGS"),)

    def build(self) -> Widget:
        ctx, on = self.ctx, self._on
        asking = [app for app in self.state.apps() if set(_PERMISSIONS) & set(app.permissions)]
        apps = [
            rows.item(
                ctx,
                self.state.label(app),
                ctx.t("已允许", "Allowed") if self._allowed(app) else ctx.t("不允许", "Not allowed"),
                leading=app_icon(app, 40),
                key=app.package,
                on_click=partial(ctx.open, DETAILS, package=app.package),
            )
            for app in asking
        ]
        listed = [rows.header(ctx, ctx.t("应用位置权限", "App location permissions")), rows.card(ctx, apps)]
        return rows.page(
            ctx,
            ctx.t("位置信息", "Location"),
            [
                rows.main_switch(ctx, ctx.t("使用位置信息", "Use location"), on=on, toggle=self._toggle),
                *(listed if on and apps else []),
                rows.note(
                    ctx,
                    ctx.t(
                        "位置信息服务可能会使用 GPS、WLAN、移动网络和传感器等来源估算设备的位置。",
                        "Location may use sources like GPS, Wi-Fi, mobile networks and sensors to help "
                        "estimate your device's location.",
                    ),
                ),
            ],
            back=ctx.finish,
        )

    @property
    def _on(self) -> bool:
        return self.state.number("secure", MODE, 0) != 0

    def _toggle(self) -> None:
        self.state.put("secure", MODE, OFF if self._on else HIGH_ACCURACY)

    def _allowed(self, app: App) -> bool:
        packages = self.state.phone.packages
        return any(packages.is_granted(app.package, name) for name in _PERMISSIONS)
