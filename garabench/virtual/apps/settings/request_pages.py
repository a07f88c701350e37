"""Pages that other apps ask for by intent: networks, accounts, default apps and others."""

from __future__ import annotations

from garabench.virtual.android.role_holders import PREFIX, holders
from garabench.virtual.android.system_properties import OPERATOR
from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.apps.settings.switch_pages import SETTINGS, LinkRow, SwitchPage, SwitchRow
from garabench.virtual.kit.intent_filter import IntentFilter
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
        (
            LinkRow("首选网络类型", "Preferred network type", hint=("LTE（推荐）", "LTE (recommended)")),
            LinkRow("接入点名称 (APN)", "Access Point Names", f"{SETTINGS}$ApnSettingsActivity"),
        ),
    )

    def summary(self, entry: LinkRow) -> str:
        if entry.page or entry.hint[0]:
            return super().summary(entry)
        no_service = self.ctx.t("无服务", "No service")
        return no_service if self.state.phone.network.airplane else OPERATOR


class AccessPoints(SettingsPage):
    """The access points of the mobile network: the operator's only."""

    filters = (IntentFilter.of("android.settings.APN_SETTINGS"),)
    launch_mode = "singleTask"

    def build(self) -> Widget:
        ctx = self.ctx
        part = rows.card(ctx, [rows.radio_item(ctx, OPERATOR, "internet", on=True, pick=_stay)])
        return rows.page(ctx, ctx.t("接入点名称 (APN)", "APNs"), [part], back=ctx.finish)


class WifiPreferences(SwitchPage):
    """The network preferences of Wi-Fi."""

    filters = (IntentFilter.of("android.settings.WIFI_IP_SETTINGS"),)
    title = ("网络偏好设置", "Network preferences")
    groups = (
        (
            SwitchRow(
                "自动开启 WLAN",
                "Turn on Wi-Fi automatically",
                "global",
                "wifi_wakeup_enabled",
                hint=(
                    "附近有已保存的优质 WLAN 网络（例如您的家庭网络）时自动重新开启 WLAN",
                    "Wi-Fi will turn back on near high-quality saved networks, like your home network",
                ),
            ),
            SwitchRow(
                "打开网络通知",
                "Notify for public networks",
                "global",
                "wifi_networks_available_notification_on",
                default=True,
                hint=(
                    "有可用的高品质公共网络时通知我",
                    "Notify when a high-quality public network is available",
                ),
            ),
        ),
        (
            LinkRow("安装证书", "Install certificates"),
            LinkRow("WLAN 直连", "Wi-Fi Direct", hint=("没有设备", "No devices")),
        ),
    )


class Tethering(SwitchPage):
    """The hotspot and tethering, without a connected device."""

    filters = (IntentFilter.of("android.settings.TETHER_SETTINGS"),)
    title = ("热点和网络共享", "Hotspot & tethering")
    groups = (
        (
            LinkRow("WLAN 热点", "Wi-Fi hotspot", hint=("已关闭", "Off")),
            LinkRow("USB 网络共享", "USB tethering", hint=("未连接 USB", "USB not connected")),
            LinkRow("蓝牙网络共享", "Bluetooth tethering", hint=("已关闭", "Off")),
        ),
    )


class DataSaver(SwitchPage):
    """Data Saver."""

    filters = (IntentFilter.of("android.settings.DATA_SAVER_SETTINGS"),)
    title = ("流量节省程序", "Data Saver")
    main = SwitchRow("使用流量节省程序", "Use Data Saver", "global", "restrict_background_data")
    note = (
        "为了减少流量消耗，流量节省程序会阻止部分应用在后台收发数据。",
        "To help reduce data usage, Data Saver prevents some apps from sending or receiving data in the "
        "background.",
    )


class AutoRotate(SwitchPage):
    """Rotation by the sensor."""

    filters = (IntentFilter.of("android.settings.AUTO_ROTATE_SETTINGS"),)
    title = ("自动旋转屏幕", "Auto-rotate screen")
    main = SwitchRow("使用自动旋转功能", "Use auto-rotate", "system", "accelerometer_rotation")


class PictureInPicture(SwitchPage):
    """The apps with picture-in-picture, of which there are none."""

    filters = (IntentFilter.of("android.settings.PICTURE_IN_PICTURE_SETTINGS"),)
    title = ("画中画", "Picture-in-picture")
    note = ("已安装的应用均不支持画中画", "No installed apps support picture-in-picture")


class Printing(SwitchPage):
    """The print services, of which none is installed."""

    filters = (IntentFilter.of("android.settings.ACTION_PRINT_SETTINGS"),)
    title = ("打印", "Printing")
    note = ("未安装任何打印服务", "No print services installed")


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
    """There is nothing else to choose."""


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
