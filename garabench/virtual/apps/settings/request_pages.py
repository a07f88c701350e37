"""Pages that other apps ask for by intent: networks, accounts, default apps, special access and others."""

from __future__ import annotations

from garabench.virtual.android.role_holders import PREFIX, holders
from garabench.virtual.android.system_properties import OPERATOR
from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.apps.settings.switch_pages import SETTINGS, LinkRow, SwitchPage, SwitchRow
from garabench.virtual.kit.framework import App
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.launcher_icons import app_icon
from garabench.virtual.ui.widgets import Widget

_NONE = ("无", "None")


class MobileNetwork(SwitchPage):
    """The SIM: mobile data, roaming and the operator."""

    filters = (
        IntentFilter.of("android.settings.DATA_ROAMING_SETTINGS"),
        IntentFilter.of("android.settings.NETWORK_OPERATOR_SETTINGS"),
    )
    title = ("移动网络", "Mobile network")
    groups = (
        (
            LinkRow("网络运营商", "Network operator"),
            SwitchRow(
                "移动数据",
                "Mobile data",
                "global",
                "mobile_data",
                default=True,
                hint=("通过移动网络访问数据", "Access data using mobile network"),
            ),
            SwitchRow(
                "漫游",
                "Roaming",
                "global",
                "data_roaming",
                hint=("漫游时连接到数据服务", "Connect to data services when roaming"),
            ),
        ),
        (LinkRow("首选网络类型", "Preferred network type", hint=("LTE（推荐）", "LTE (recommended)")),),
    )

    def summary(self, entry: LinkRow) -> str:
        if entry.page or entry.hint[0]:
            return super().summary(entry)
        no_service = self.ctx.t("无服务", "No service")
        return no_service if self.state.phone.network.airplane else OPERATOR


class ConnectionPreferences(SwitchPage):
    """Connection preferences; the phone has no NFC."""

    filters = (IntentFilter.of("android.settings.NFC_SETTINGS"),)
    title = ("连接偏好设置", "Connection preferences")
    groups = (
        (
            LinkRow("蓝牙", "Bluetooth", f"{SETTINGS}$BluetoothSettingsActivity"),
            LinkRow("NFC", "NFC", hint=("此设备没有 NFC", "This device has no NFC")),
            LinkRow("投放", "Cast", f"{SETTINGS}$WifiDisplaySettingsActivity"),
        ),
    )


class Vpn(SwitchPage):
    """The VPNs, of which there are none."""

    filters = (
        IntentFilter.of("android.settings.VPN_SETTINGS"),
        IntentFilter.of("android.net.vpn.SETTINGS"),
    )
    title = ("VPN", "VPN")
    note = ("尚未添加任何 VPN", "No VPNs added")


class Cast(SwitchPage):
    """Wireless displays, of which none is near."""

    filters = (
        IntentFilter.of("android.settings.CAST_SETTINGS"),
        IntentFilter.of("android.settings.WIFI_DISPLAY_SETTINGS"),
    )
    title = ("投放", "Cast")
    groups = ((SwitchRow("启用无线显示", "Enable wireless display", "global", "wifi_display_on"),),)
    note = ("未在附近找到设备", "No nearby devices were found.")


class Dream(SwitchPage):
    """The screen saver."""

    filters = (IntentFilter.of("android.settings.DREAM_SETTINGS"),)
    title = ("屏保", "Screen saver")
    main = SwitchRow("使用屏保", "Use screen saver", "secure", "screensaver_enabled", default=True)
    groups = (
        (
            SwitchRow("充电时", "While charging", "secure", "screensaver_activate_on_sleep", default=True),
            SwitchRow("插入基座时", "While docked", "secure", "screensaver_activate_on_dock", default=True),
        ),
    )


class Captioning(SwitchPage):
    """Captions."""

    filters = (IntentFilter.of("android.settings.CAPTIONING_SETTINGS"),)
    title = ("字幕偏好设置", "Caption preferences")
    main = SwitchRow("显示字幕", "Show captions", "secure", "accessibility_captioning_enabled")
    note = (
        "部分应用不支持这些字幕偏好设置",
        "These caption preferences aren't supported by all apps",
    )


class UserDictionary(SwitchPage):
    """The user's words, of which there are none."""

    filters = (IntentFilter.of("android.settings.USER_DICTIONARY_SETTINGS"),)
    title = ("个人字典", "Personal dictionary")
    note = ("您的用户词典中没有任何字词。", "You don't have any words in the user dictionary.")


class Accounts(SwitchPage):
    """The accounts, and their synchronisation."""

    filters = (IntentFilter.of("android.settings.SYNC_SETTINGS"),)
    title = ("密码和帐号", "Passwords & accounts")
    groups = (
        (LinkRow("添加帐号", "Add account", "com.android.settings.accounts.AddAccountSettings"),),
        (SwitchRow("自动同步应用数据", "Automatically sync app data", "global", "auto_sync", default=True),),
    )


class AddAccount(SwitchPage):
    """The kinds of accounts; no app on this phone offers one."""

    filters = (IntentFilter.of("android.settings.ADD_ACCOUNT_SETTINGS"),)
    title = ("添加帐号", "Add an account")
    note = ("没有应用提供帐号", "No app offers accounts")


class VoiceInput(SwitchPage):
    """The assistant."""

    filters = (IntentFilter.of("android.settings.VOICE_INPUT_SETTINGS"),)
    title = ("数字助理应用", "Digital assistant app")
    groups = (
        (
            LinkRow("默认数字助理应用", "Default digital assistant app", hint=_NONE),
            SwitchRow(
                "使用屏幕中的文字", "Use text from screen", "secure", "assist_structure_enabled", default=True
            ),
            SwitchRow("使用屏幕截图", "Use screenshot", "secure", "assist_screenshot_enabled", default=True),
        ),
    )


class NightDisplay(SwitchPage):
    """Night Light."""

    filters = (IntentFilter.of("android.settings.NIGHT_DISPLAY_SETTINGS"),)
    title = ("夜间模式", "Night Light")
    main = SwitchRow("使用夜间模式", "Use Night Light", "secure", "night_display_activated")
    groups = ((LinkRow("时间安排", "Schedule", hint=_NONE),),)
    note = (
        "夜间模式会将屏幕染成琥珀色，让您在光线昏暗的环境下更舒适地查看屏幕。",
        "Night Light tints your screen amber. This makes it easier to look at your screen in dim light.",
    )


class HomeApp(SettingsPage):
    """The home app."""

    filters = (IntentFilter.of("android.settings.HOME_SETTINGS"),)

    def build(self) -> Widget:
        ctx, found = self.ctx, self.state.phone.packages.home()
        label = self.state.label(found.app) if found is not None else ""
        entries = [rows.radio_item(ctx, label, on=True, pick=_stay)] if label else []
        return rows.page(
            ctx, ctx.t("默认主屏幕应用", "Default home app"), [rows.card(ctx, entries)], back=ctx.finish
        )


def _stay() -> None:
    """There is no other home app to choose."""


class SpecialAccess(SettingsPage):
    """The apps that ask for a special access, each with a switch.

    Attributes:
        title: The page's title (zh, en).
        permission: The permission that such an app requests.
        op: The operation that the switch allows or denies.
        none: What the page says without such an app (zh, en).
    """

    title: tuple[str, str] = ("", "")
    permission = ""
    op = ""
    none: tuple[str, str] = ("", "")

    def build(self) -> Widget:
        ctx = self.ctx
        found = [app for app in self.state.apps() if self.permission in app.permissions]
        entries = [
            rows.switch_item(
                ctx,
                self.state.label(app),
                on=self._mode(app) == "allow",
                toggle=lambda app=app: self._toggle(app),  # type: ignore[misc]
                leading=app_icon(app, 36),
            )
            for app in found
        ]
        part = rows.card(ctx, entries) if entries else rows.note(ctx, ctx.t(*self.none))
        return rows.page(ctx, ctx.t(*self.title), [part], back=ctx.finish)

    def _mode(self, app: App) -> str:
        return self.state.phone.packages.ops.get(app.package, {}).get(self.op, "default")

    def _toggle(self, app: App) -> None:
        modes = self.state.phone.packages.ops.setdefault(app.package, {})
        modes[self.op] = "ignore" if self._mode(app) == "allow" else "allow"
        self.state.phone.changed()


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


class DefaultApps(SettingsPage):
    """The holders of the roles (``DefaultAppListActivity`` of the permission controller)."""

    filters = (IntentFilter.of("android.settings.MANAGE_DEFAULT_APPS_SETTINGS"),)

    def build(self) -> Widget:
        ctx = self.ctx
        names = (
            ("ASSISTANT", "数字助理应用", "Digital assistant app"),
            ("BROWSER", "浏览器应用", "Browser app"),
            ("HOME", "主屏幕应用", "Home app"),
            ("DIALER", "电话应用", "Phone app"),
            ("SMS", "短信应用", "SMS app"),
        )
        entries = [rows.item(ctx, ctx.t(zh, en), self._holder(role)) for role, zh, en in names]
        return rows.page(ctx, ctx.t("默认应用", "Default apps"), [rows.card(ctx, entries)], back=ctx.finish)

    def _holder(self, role: str) -> str:
        phone = self.state.phone
        found = holders(phone, f"{PREFIX}{role}")
        return phone.label(found[0]) if found else self.ctx.t(*_NONE)
