"""What an app may do: its permissions, one permission, its notifications."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.framework import App, IntentFilter
from garabench.virtual.apps.icons import app_icon
from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.apps import PERMISSION, AppActivity
from garabench.virtual.apps.settings.state import DANGEROUS
from garabench.virtual.ui.widgets import MATCH, Icon, Row, Text, View, insets


class Permissions(AppActivity):
    """An app's permissions, the allowed ones first."""

    def build_for(self, app: App) -> View:
        ctx, look = self.ctx, rows.colors(self.ctx)
        allowed: list[View] = []
        denied: list[View] = []
        for full, name, icon in self.state.permissions(app):
            granted = self.state.phone.packages.is_granted(app.package, full)
            entry = rows.item(
                ctx,
                name,
                leading=Icon(name=icon, size=24, color=look.grey, important=False),
                key=full,
                on_click=partial(ctx.open, PERMISSION, package=app.package, permission=full),
            )
            (allowed if granted else denied).append(entry)
        nothing_allowed = [rows.item(ctx, ctx.t("未授予任何权限", "No permissions allowed"), enabled=False)]
        nothing_denied = [rows.item(ctx, ctx.t("未拒绝任何权限", "No permissions denied"), enabled=False)]
        return rows.page(
            ctx,
            ctx.t("应用权限", "App permissions"),
            [
                app_line(self, app),
                rows.header(ctx, ctx.t("允许", "Allowed")),
                rows.card(ctx, allowed or nothing_allowed),
                rows.header(ctx, ctx.t("不允许", "Not allowed")),
                rows.card(ctx, denied or nothing_denied),
            ],
            back=ctx.finish,
        )


class Permission(AppActivity):
    """One permission of an app: allow or don't."""

    def build_for(self, app: App) -> View:
        ctx = self.ctx
        permission = str(self.intent.extras.get("permission", ""))
        entry = DANGEROUS.get(permission.rsplit(".", 1)[-1])
        name = ctx.t(entry[0], entry[1]) if entry is not None else permission
        granted = self.state.phone.packages.is_granted(app.package, permission)
        return rows.page(
            ctx,
            ctx.t(f"{name}权限", f"{name} permission"),
            [
                app_line(self, app),
                rows.header(ctx, ctx.t("此应用的这项权限", "Access for this app")),
                rows.card(
                    ctx,
                    [
                        rows.radio_item(
                            ctx,
                            ctx.t("仅在使用该应用时允许", "Allow only while using the app"),
                            on=granted,
                            pick=partial(self._set, permission, True),
                        ),
                        rows.radio_item(
                            ctx,
                            ctx.t("不允许", "Don't allow"),
                            on=not granted,
                            pick=partial(self._set, permission, False),
                        ),
                    ],
                ),
            ],
            back=ctx.finish,
        )

    def _set(self, permission: str, granted: bool) -> None:
        packages = self.state.phone.packages
        if granted:
            packages.grant(self.package, permission)
        else:
            packages.revoke(self.package, permission)


class AppNotifications(AppActivity):
    """Whether an app may notify."""

    filters = (IntentFilter("android.settings.APP_NOTIFICATION_SETTINGS"),)

    def build_for(self, app: App) -> View:
        ctx = self.ctx
        quiet = app.package in ctx.data["quiet"]
        parts: list[View] = [
            app_line(self, app),
            rows.main_switch(
                ctx,
                ctx.t(f"所有“{self.state.label(app)}”通知", f"All {self.state.label(app)} notifications"),
                on=not quiet,
                flip=self._flip,
            ),
        ]
        if quiet:
            parts.append(rows.note(ctx, ctx.t("此应用不会发送通知", "This app won't send notifications")))
        return rows.page(ctx, ctx.t("通知", "Notifications"), parts, back=ctx.finish)

    def _flip(self) -> None:
        quiet = set(self.ctx.data["quiet"])
        self.ctx.data["quiet"] = sorted(quiet ^ {self.package})


def app_line(activity: AppActivity, app: App) -> View:
    """The app's icon and name at the head of a page."""
    look = rows.colors(activity.ctx)
    return Row(
        children=[
            app_icon(app, 40),
            Text(
                id="entity_header_title",
                text=activity.state.label(app),
                size=18,
                color=look.ink,
                margin=insets(16, 0, 0, 0),
            ),
        ],
        padding=insets(24, 0, 24, 18),
        width=MATCH,
    )
