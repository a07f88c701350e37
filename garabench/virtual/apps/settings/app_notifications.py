"""The notification permission of an app."""

from __future__ import annotations

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.app_pages import AppActivity
from garabench.virtual.kit.framework import App
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import MATCH, Row, Text, Widget, insets


class AppNotifications(AppActivity):
    """The notification permission of an app."""

    filters = (IntentFilter.of("android.settings.APP_NOTIFICATION_SETTINGS"),)

    def build_for(self, app: App) -> Widget:
        ctx = self.ctx
        quiet = app.package in ctx.data["quiet"]
        parts: list[Widget] = [
            app_line(self, app),
            rows.main_switch(
                ctx,
                ctx.t(f"所有“{self.state.label(app)}”通知", f"All {self.state.label(app)} notifications"),
                on=not quiet,
                toggle=self._toggle,
            ),
        ]
        if quiet:
            parts.append(rows.note(ctx, ctx.t("此应用不会发送通知", "This app won't send notifications")))
        return rows.page(ctx, ctx.t("通知", "Notifications"), parts, back=ctx.finish)

    def _toggle(self) -> None:
        quiet = set(self.ctx.data["quiet"])
        self.ctx.data["quiet"] = sorted(quiet ^ {self.package})


def app_line(activity: AppActivity, app: App) -> Widget:
    """Return a row with the app's icon and name, for the top of a page."""
    palette = rows.colors(activity.ctx)
    return Row(
        children=[
            app_icon(app, 40),
            Text(
                id="entity_header_title",
                text=activity.state.label(app),
                size=18,
                color=palette.ink,
                margin=insets(16, 0, 0, 0),
            ),
        ],
        padding=insets(24, 0, 24, 18),
        width=MATCH,
    )
