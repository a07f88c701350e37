"""The permission controller, under the package name that it has since Android 10.

``ManagePermissionsActivity`` shows all permissions of an app, or a single one, as AOSP's does, and
``DefaultAppListActivity`` the default apps. ``MANAGE_APP_PERMISSIONS`` starts the former with the app in
``android.intent.extra.PACKAGE_NAME``.
"""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.app_notifications import app_line
from garabench.virtual.apps.settings.app_pages import MANAGE_PERMISSIONS, AppActivity
from garabench.virtual.apps.settings.phone_state import DANGEROUS
from garabench.virtual.apps.settings.request_pages import DefaultApps
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.state import no_state
from garabench.virtual.ui.widgets import Icon, Widget

PACKAGE = "com.android.permissioncontroller"
MANAGE = f"{PACKAGE}.permission.ui.ManagePermissionsActivity"
DEFAULTS = f"{PACKAGE}.role.ui.DefaultAppListActivity"
EXTRA_PERMISSION = "android.intent.extra.PERMISSION_NAME"
_SINCE = 29


class ManagePermissions(AppActivity):
    """An app's permissions, the allowed ones first; or a single one, with the buttons to allow or deny it."""

    filters = (IntentFilter.of(MANAGE_PERMISSIONS),)

    def _read_intent(self, intent: Intent) -> None:
        super()._read_intent(intent)
        self.permission = str(intent.extras.get(EXTRA_PERMISSION, ""))

    def build_for(self, app: App) -> Widget:
        return self._one(app) if self.permission else self._all(app)

    def _all(self, app: App) -> Widget:
        ctx, palette = self.ctx, rows.colors(self.ctx)
        allowed: list[Widget] = []
        denied: list[Widget] = []
        for full, name, icon in self.state.permissions(app):
            granted = self.state.phone.packages.is_granted(app.package, full)
            extras = {"package": app.package, EXTRA_PERMISSION: full}
            entry = rows.item(
                ctx,
                name,
                leading=Icon(name=icon, size=24, color=palette.grey, important=False),
                key=full,
                on_click=partial(ctx.open, MANAGE, **extras),
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

    def _one(self, app: App) -> Widget:
        ctx = self.ctx
        entry = DANGEROUS.get(self.permission.rsplit(".", 1)[-1])
        name = ctx.t(entry[0], entry[1]) if entry is not None else self.permission
        granted = self.state.phone.packages.is_granted(app.package, self.permission)
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
                            pick=partial(self._set, True),
                        ),
                        rows.radio_item(
                            ctx,
                            ctx.t("不允许", "Don't allow"),
                            on=not granted,
                            pick=partial(self._set, False),
                        ),
                    ],
                ),
            ],
            back=ctx.finish,
        )

    def _set(self, granted: bool) -> None:
        packages = self.state.phone.packages
        if granted:
            packages.grant(self.package, self.permission)
        else:
            packages.revoke(self.package, self.permission)


APP = App(
    package=PACKAGE,
    label={"zh": "权限控制器", "en": "Permission controller"},
    activities={MANAGE: ManagePermissions, DEFAULTS: DefaultApps},
    version_name="14",
    version_code=34,
    system=True,
    state=no_state,
    since=_SINCE,
)
