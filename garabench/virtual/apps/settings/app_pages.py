"""App pages: the list of apps, and an app's details."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.kit.framework import App, Intent
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, Icon, Row, Text, TextField, Widget, insets

DETAILS = "com.android.settings.applications.InstalledAppDetails"
MANAGE_PERMISSIONS = "android.intent.action.MANAGE_APP_PERMISSIONS"
NOTIFICATIONS = "com.android.settings.Settings$AppNotificationSettingsActivity"
EXTRA_PACKAGE = "android.provider.extra.APP_PACKAGE"
EXTRA_PACKAGE_NAME = "android.intent.extra.PACKAGE_NAME"


class AppActivity(SettingsPage):
    """A page about an app, which the intent names by its data (``package:…``) or an extra."""

    def on_create(self) -> None:
        super().on_create()
        self._read_intent(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        self._read_intent(intent)

    def _read_intent(self, intent: Intent) -> None:
        self.package = package_of(intent)

    def build(self) -> Widget:
        app = self.state.app(self.package)
        if app is None:
            text = self.ctx.t("未找到此应用", "App not found")
            return rows.page(self.ctx, text, [rows.note(self.ctx, self.package)], back=self.ctx.finish)
        return self.build_for(app)

    def build_for(self, app: App) -> Widget:
        """Return the page of an installed app."""
        return rows.page(self.ctx, self.state.label(app), [], back=self.ctx.finish)


def package_of(intent: Intent) -> str:
    """Return the package that an intent names; empty if none."""
    for name in ("package", EXTRA_PACKAGE, EXTRA_PACKAGE_NAME):
        value = intent.extras.get(name)
        if isinstance(value, str) and value:
            return value
    try:
        parts = urlsplit(intent.data)
    except ValueError:
        return ""
    return parts.path if parts.scheme == "package" else ""


def permission_page(package: str) -> Intent:
    """Return the intent for the page of an app's permissions, which exists since Android 6."""
    return Intent(action=MANAGE_PERMISSIONS, extras={EXTRA_PACKAGE_NAME: package})


class AppList(SettingsPage):
    """All apps with an icon, and a search field."""

    filters = (
        IntentFilter.of("android.settings.APPLICATION_SETTINGS"),
        IntentFilter.of("android.settings.MANAGE_APPLICATIONS_SETTINGS"),
        IntentFilter.of("android.settings.MANAGE_ALL_APPLICATIONS_SETTINGS"),
    )

    def on_create(self) -> None:
        super().on_create()
        self.words = ""

    def build(self) -> Widget:
        ctx = self.ctx
        wanted = self.words.strip().lower()
        apps = [app for app in self.state.apps() if wanted in self.state.label(app).lower()]
        entries = [
            rows.item(
                ctx,
                self.state.label(app),
                f"{ctx.random('size', app.package).randint(18, 640)} MB",
                leading=app_icon(app, 40),
                key=app.package,
                on_click=partial(ctx.open, DETAILS, package=app.package),
            )
            for app in apps
        ]
        return rows.page(
            ctx,
            ctx.t("所有应用", "All apps"),
            [search_field(self, self.words, ctx.t("搜索应用", "Search apps")), rows.card(ctx, entries)],
            back=ctx.finish,
        )

    def search(self, words: str) -> None:
        """Handle a change of the search text."""
        self.words = words


def search_field(owner: AppList, words: str, hint: str) -> Widget:
    """Return the rounded search field above a list."""
    palette = rows.colors(owner.ctx)
    return Row(
        children=[
            Icon(name="search", size=22, color=palette.grey, important=False),
            TextField(
                id="search_src_text",
                text=words,
                hint=hint,
                on_change=owner.search,
                action="search",
                color=palette.ink,
                weight=1,
                margin=insets(12, 0, 0, 0),
            ),
        ],
        height=52,
        width=MATCH,
        radius=999,
        background=palette.card,
        padding=insets(18, 0),
        margin=insets(14, 0, 14, 14),
    )


class AppDetailsActivity(AppActivity):
    """An app's page: open, uninstall, force stop, and its settings."""

    filters = (IntentFilter.of("android.settings.APPLICATION_DETAILS_SETTINGS", scheme="package"),)

    def on_create(self) -> None:
        super().on_create()
        self.asking = ""

    def build_for(self, app: App) -> Widget:
        ctx, state = self.ctx, self.state
        palette = rows.colors(ctx)
        header = Column(
            id="entity_header",
            children=[
                Box(children=[app_icon(app, 72)], align_self=Align.CENTER, important=False),
                Text(
                    id="entity_header_title",
                    text=state.label(app),
                    size=24,
                    color=palette.ink,
                    align=Align.CENTER,
                    width=MATCH,
                    margin=insets(0, 14, 0, 18),
                ),
            ],
            width=MATCH,
        )
        permissions = state.permissions(app)
        granted = [
            name for full, name, _ in permissions if state.phone.packages.is_granted(app.package, full)
        ]
        quiet = app.package in ctx.data["quiet"]
        activity = state.phone.packages.resolve(permission_page(app.package))
        return rows.page(
            ctx,
            ctx.t("应用信息", "App info"),
            [
                header,
                rows.actions(
                    ctx,
                    [
                        ("button1", "open", ctx.t("打开", "Open"), self._open, bool(app.launcher)),
                        (
                            "button2",
                            "trash",
                            ctx.t("卸载", "Uninstall"),
                            partial(self._ask, "uninstall"),
                            not app.system,
                        ),
                        (
                            "button3",
                            "warning",
                            ctx.t("强行停止", "Force stop"),
                            partial(self._ask, "stop"),
                            state.running(app.package),
                        ),
                    ],
                ),
                rows.card(
                    ctx,
                    [
                        rows.item(
                            ctx,
                            ctx.t("通知", "Notifications"),
                            ctx.t("已关闭", "Off") if quiet else ctx.t("已开启", "On"),
                            on_click=partial(ctx.open, NOTIFICATIONS, package=app.package),
                        ),
                        rows.item(
                            ctx,
                            ctx.t("权限", "Permissions"),
                            ctx.t("、", ", ").join(granted)
                            or (
                                ctx.t("未授予任何权限", "No permissions granted")
                                if permissions
                                else ctx.t("未请求任何权限", "No permissions requested")
                            ),
                            on_click=partial(ctx.start, permission_page(app.package)) if activity else None,
                        ),
                        rows.item(
                            ctx,
                            ctx.t("存储和缓存", "Storage & cache"),
                            ctx.t(
                                f"已使用 {ctx.random('size', app.package).randint(18, 640)} MB",
                                f"{ctx.random('size', app.package).randint(18, 640)} MB used",
                            ),
                            on_click=partial(self._ask, "clear"),
                        ),
                        rows.item(
                            ctx,
                            ctx.t("移动数据和 WLAN", "Mobile data & Wi-Fi"),
                            f"{ctx.random('data', app.package).uniform(0.1, 2.4):.2f} GB",
                            on_click=partial(
                                ctx.open, "com.android.settings.Settings$DataUsageSummaryActivity"
                            ),
                        ),
                    ],
                ),
                rows.note(ctx, ctx.t(f"版本 {app.version_name}", f"version {app.version_name}")),
            ],
            back=ctx.finish,
        )

    def _ask(self, what: str) -> None:
        self.asking = what

    def _open(self) -> None:
        app = self.state.app(self.package)
        if app is not None:
            self.ctx.start(
                Intent(
                    action="android.intent.action.MAIN",
                    package=app.package,
                    activity=app.launcher,
                    categories=frozenset({"android.intent.category.LAUNCHER"}),
                    flags=frozenset({"NEW_TASK"}),
                )
            )

    def dialog(self) -> Widget | None:
        ctx = self.ctx
        match self.asking:
            case "stop":
                return rows.confirm(
                    ctx,
                    ctx.t("要强行停止吗？", "Force stop?"),
                    ctx.t(
                        "强行停止某个应用可能会导致其出现异常。",
                        "If you force stop an app, it may misbehave.",
                    ),
                    yes_text=ctx.t("确定", "OK"),
                    yes=self._stop,
                    no=self.on_dismiss_dialog,
                )
            case "uninstall":
                return rows.confirm(
                    ctx,
                    ctx.t("要卸载此应用吗？", "Uninstall this app?"),
                    "",
                    yes_text=ctx.t("确定", "OK"),
                    yes=self._uninstall,
                    no=self.on_dismiss_dialog,
                )
            case "clear":
                return rows.confirm(
                    ctx,
                    ctx.t("要删除应用数据吗？", "Delete app data?"),
                    ctx.t("此应用的数据将被永久删除。", "This app's data will be permanently deleted."),
                    yes_text=ctx.t("删除", "Delete"),
                    yes=self._clear,
                    no=self.on_dismiss_dialog,
                )
            case _:
                return None

    def on_dismiss_dialog(self) -> None:
        self.asking = ""

    def _stop(self) -> None:
        self.asking = ""
        self.state.phone.activities.force_stop(self.package)

    def _clear(self) -> None:
        self.asking = ""
        self.state.phone.packages.clear(self.package)

    def _uninstall(self) -> None:
        self.asking = ""
        self.state.phone.packages.uninstall(self.package)
        self.ctx.finish()
