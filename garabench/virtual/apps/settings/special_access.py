"""Special access: lists of the apps that ask for an operation, and the switch of each app.

An operation's mode is the one that ``appops`` shows.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.app_notifications import app_line
from garabench.virtual.apps.settings.app_pages import AppActivity
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.apps.settings.switch_pages import SETTINGS
from garabench.virtual.kit.framework import App
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import Widget


class SpecialAccess(SettingsPage):
    """The apps that ask for a special access, each with a switch or a page.

    Attributes:
        title: The page's title (zh, en).
        permission: The permission that such an app requests.
        op: The operation that the switch allows or denies.
        none: What the page says without such an app (zh, en).
        page: The class name of each app's page; empty for a switch in the list.
    """

    title: tuple[str, str] = ("", "")
    permission = ""
    op = ""
    none: tuple[str, str] = ("", "")
    page: ClassVar[str] = ""

    def build(self) -> Widget:
        ctx = self.ctx
        found = [app for app in self.state.apps() if self.permission in app.permissions]
        entries = [self._link(app) if self.page else self._switch(app) for app in found]
        part = rows.card(ctx, entries) if entries else rows.note(ctx, ctx.t(*self.none))
        return rows.page(ctx, ctx.t(*self.title), [part], back=ctx.finish)

    def _switch(self, app: App) -> Widget:
        return rows.switch_item(
            self.ctx,
            self.state.label(app),
            on=self.state.mode(app, self.op) == "allow",
            toggle=partial(self.state.toggle_mode, app, self.op, denied="ignore"),
            leading=app_icon(app, 36),
        )

    def _link(self, app: App) -> Widget:
        ctx, allowed = self.ctx, self.state.mode(app, self.op) == "allow"
        return rows.item(
            ctx,
            self.state.label(app),
            ctx.t("已允许", "Allowed") if allowed else ctx.t("不允许", "Not allowed"),
            leading=app_icon(app, 36),
            key=app.package,
            on_click=partial(ctx.open, self.page, package=app.package),
        )


class AppAccess(AppActivity):
    """The page of one app with the switch of a special access, disabled if the app does not ask for it.

    Attributes:
        of: The page with the list.
        switch: The switch's text (zh, en).
        explanation: What the access lets the app do (zh, en).
    """

    of: type[SpecialAccess]
    switch: tuple[str, str] = ("", "")
    explanation: tuple[str, str] = ("", "")

    def build_for(self, app: App) -> Widget:
        ctx = self.ctx
        switch = rows.switch_item(
            ctx,
            ctx.t(*self.switch),
            on=self.state.mode(app, self.of.op) == "allow",
            toggle=partial(self.state.toggle_mode, app, self.of.op, denied="deny"),
            enabled=self.of.permission in app.permissions,
        )
        parts = [app_line(self, app), rows.card(ctx, [switch]), rows.note(ctx, ctx.t(*self.explanation))]
        return rows.page(ctx, ctx.t(*self.of.title), parts, back=ctx.finish)


class UsageAccess(SpecialAccess):
    """The apps that may read the usage of others."""

    filters = (IntentFilter.of("android.settings.USAGE_ACCESS_SETTINGS"),)
    title = ("使用情况访问权限", "Usage access")
    permission, op = "android.permission.PACKAGE_USAGE_STATS", "GET_USAGE_STATS"
    none = ("没有应用请求此权限", "No installed apps have requested usage access")


class PolicyAccess(SpecialAccess):
    """The apps that may change Do Not Disturb."""

    filters = (IntentFilter.of("android.settings.NOTIFICATION_POLICY_ACCESS_SETTINGS"),)
    title = ("“勿扰”权限", "Do Not Disturb access")
    permission, op = "android.permission.ACCESS_NOTIFICATION_POLICY", "ACCESS_NOTIFICATIONS"
    none = (
        "没有任何已安装应用申请“勿扰”权限",
        "No installed apps have requested Do Not Disturb access",
    )


class ListenerAccess(SpecialAccess):
    """The apps that may read notifications, which is a service's permission: no app has such a service."""

    filters = (IntentFilter.of("android.settings.ACTION_NOTIFICATION_LISTENER_SETTINGS"),)
    title = ("设备和应用通知", "Device & app notifications")
    permission, op = "android.permission.BIND_NOTIFICATION_LISTENER_SERVICE", "ACCESS_NOTIFICATIONS"
    none = (
        "未安装任何请求通知访问权限的应用。",
        "No installed apps have requested notification access.",
    )


class Overlays(SpecialAccess):
    """The apps that may display over others."""

    filters = (IntentFilter.of("android.settings.action.MANAGE_OVERLAY_PERMISSION"),)
    title = ("显示在其他应用的上层", "Display over other apps")
    permission, op = "android.permission.SYSTEM_ALERT_WINDOW", "SYSTEM_ALERT_WINDOW"
    none = ("没有应用。", "No apps.")
    page = f"{SETTINGS}$AppDrawOverlaySettingsActivity"


class AppOverlay(AppAccess):
    """Whether an app may display over others."""

    filters = (IntentFilter.of("android.settings.action.MANAGE_OVERLAY_PERMISSION", scheme="package"),)
    of = Overlays
    switch = ("允许显示在其他应用的上层", "Allow display over other apps")
    explanation = (
        "允许此应用显示在您正在使用的其他应用的上层。此应用将能获知您点按的位置或更改屏幕上显示的内容。",
        "Allow this app to display on top of other apps you're using. This app will be able to see where you "
        "tap or change what's displayed on the screen.",
    )


class SystemWriters(SpecialAccess):
    """The apps that may change system settings."""

    filters = (IntentFilter.of("android.settings.action.MANAGE_WRITE_SETTINGS"),)
    title = ("修改系统设置", "Modify system settings")
    permission, op = "android.permission.WRITE_SETTINGS", "WRITE_SETTINGS"
    none = ("没有应用。", "No apps.")
    page = f"{SETTINGS}$AppWriteSettingsActivity"


class AppSystemWriter(AppAccess):
    """Whether an app may change system settings."""

    filters = (IntentFilter.of("android.settings.action.MANAGE_WRITE_SETTINGS", scheme="package"),)
    of = SystemWriters
    switch = ("允许修改系统设置", "Allow modifying system settings")
    explanation = (
        "此权限允许应用修改系统设置。",
        "This permission allows an app to modify system settings.",
    )


class AppSources(SpecialAccess):
    """The apps that may install others."""

    filters = (IntentFilter.of("android.settings.MANAGE_UNKNOWN_APP_SOURCES"),)
    title = ("安装未知应用", "Install unknown apps")
    permission, op = "android.permission.REQUEST_INSTALL_PACKAGES", "REQUEST_INSTALL_PACKAGES"
    none = ("没有应用。", "No apps.")
    page = f"{SETTINGS}$ManageAppExternalSourcesActivity"


class AppSource(AppAccess):
    """Whether an app may install others."""

    filters = (IntentFilter.of("android.settings.MANAGE_UNKNOWN_APP_SOURCES", scheme="package"),)
    of = AppSources
    switch = ("允许来自此来源的应用", "Allow from this source")
    explanation = (
        "来自未知来源的应用很容易损害您的手机和个人数据。",
        "Your phone and personal data are more vulnerable to attack by unknown apps.",
    )


class AllFiles(SpecialAccess):
    """The apps that may read and change all files."""

    filters = (IntentFilter.of("android.settings.MANAGE_ALL_FILES_ACCESS_PERMISSION"),)
    title = ("所有文件访问权限", "All files access")
    permission, op = "android.permission.MANAGE_EXTERNAL_STORAGE", "MANAGE_EXTERNAL_STORAGE"
    none = ("没有应用。", "No apps.")
    page = f"{SETTINGS}$AppManageExternalStorageActivity"


class AppAllFiles(AppAccess):
    """Whether an app may read and change all files."""

    filters = (IntentFilter.of("android.settings.MANAGE_APP_ALL_FILES_ACCESS_PERMISSION", scheme="package"),)
    of = AllFiles
    switch = ("授予所有文件的管理权限", "Allow access to manage all files")
    explanation = (
        "允许此应用读取、修改和删除此设备上的所有文件。",
        "Allow this app to read, modify and delete all files on this device.",
    )


class ExactAlarms(SpecialAccess):
    """The apps that may set exact alarms."""

    filters = (IntentFilter.of("android.settings.REQUEST_SCHEDULE_EXACT_ALARM"),)
    title = ("闹钟和提醒", "Alarms & reminders")
    permission, op = "android.permission.SCHEDULE_EXACT_ALARM", "SCHEDULE_EXACT_ALARM"
    none = ("没有应用。", "No apps.")
    page = f"{SETTINGS}$AlarmsAndRemindersAppActivity"


class AppExactAlarms(AppAccess):
    """Whether an app may set exact alarms."""

    filters = (IntentFilter.of("android.settings.REQUEST_SCHEDULE_EXACT_ALARM", scheme="package"),)
    of = ExactAlarms
    switch = ("允许设置闹钟和提醒", "Allow setting alarms and reminders")
    explanation = (
        "允许此应用设置闹钟以及安排在特定时间执行的操作。",
        "Allow this app to set alarms and schedule time-sensitive actions.",
    )
