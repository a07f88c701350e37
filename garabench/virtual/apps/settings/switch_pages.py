"""Pages of switches: accessibility, Bluetooth, security, developer options and others.

A page is a table of groups of rows. A switch shows and changes a system setting; its name is that of AOSP's
``Settings.System``, ``Secure`` and ``Global``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from garabench.virtual.apps.settings import rows
from garabench.virtual.apps.settings.base import SettingsPage
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import Widget

SETTINGS = "com.android.settings.Settings"
_SCALES = ("0.0", "0.5", "1.0", "1.5", "2.0")


@dataclass(frozen=True, slots=True)
class SwitchRow:
    """A switch for a system setting.

    Attributes:
        zh, en: Its title.
        table, key: The setting's namespace and name.
        default: Whether it is on before it is first set.
        on: The value that switches it on.
        hint: Its summary (zh, en); empty for none.
    """

    zh: str
    en: str
    table: str
    key: str
    default: bool = False
    on: str = "1"
    hint: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A row that opens another page, by class name; empty for a row with information only."""

    zh: str
    en: str
    page: str = ""
    hint: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """An animation scale, which a tap increases."""

    zh: str
    en: str
    key: str


Group = Sequence[SwitchRow | LinkRow | ScaleRow]


class SwitchPage(SettingsPage):
    """A page of switches.

    Attributes:
        title: Its title (zh, en).
        main: The wide switch at its top, or None.
        groups: The rows of each card; hidden while the main switch is off.
        note: The small print at its end (zh, en); empty for none.
    """

    title: tuple[str, str] = ("", "")
    main: SwitchRow | None = None
    groups: Sequence[Group] = ()
    note: tuple[str, str] = ("", "")

    def build(self) -> Widget:
        ctx = self.ctx
        parts: list[Widget] = []
        if self.main is not None:
            label = ctx.t(self.main.zh, self.main.en)
            toggle = partial(self.toggle, self.main)
            parts.append(rows.main_switch(ctx, label, on=self.is_on(self.main), toggle=toggle))
        if self.main is None or self.is_on(self.main):
            parts += [rows.card(ctx, [self._row(entry) for entry in group]) for group in self.groups]
        if self.note[0]:
            parts.append(rows.note(ctx, ctx.t(*self.note)))
        return rows.page(ctx, ctx.t(*self.title), parts, back=ctx.finish)

    def _row(self, entry: SwitchRow | LinkRow | ScaleRow) -> Widget:
        ctx = self.ctx
        title = ctx.t(entry.zh, entry.en)
        match entry:
            case SwitchRow():
                toggle = partial(self.toggle, entry)
                return rows.switch_item(ctx, title, ctx.t(*entry.hint), on=self.is_on(entry), toggle=toggle)
            case ScaleRow():
                scale = self._scale(entry.key)
                shown = (
                    ctx.t("关闭动画", "Animation off")
                    if scale == "0.0"
                    else ctx.t(f"动画缩放 {scale}x", f"Animation scale {scale}x")
                )
                return rows.item(ctx, title, shown, on_click=partial(self._next_scale, entry.key))
            case LinkRow():
                opened = partial(ctx.open, entry.page) if entry.page else None
                return rows.item(ctx, title, self.summary(entry), on_click=opened)

    def summary(self, entry: LinkRow) -> str:
        """Return the text below a row's title."""
        return self.ctx.t(*entry.hint)

    def is_on(self, entry: SwitchRow) -> bool:
        """Return whether a switch is on."""
        if entry.on == "1":
            return self.state.flag(entry.table, entry.key, default=entry.default)
        return self.state.number(entry.table, entry.key, float(entry.on) if entry.default else 0.0) != 0

    def toggle(self, entry: SwitchRow) -> None:
        """Invert a switch."""
        self.state.put(entry.table, entry.key, "0" if self.is_on(entry) else entry.on)

    def _scale(self, key: str) -> str:
        value = self.state.number("global", key, 1.0)
        return min(_SCALES, key=lambda each: abs(float(each) - value))

    def _next_scale(self, key: str) -> None:
        following = _SCALES[(_SCALES.index(self._scale(key)) + 1) % len(_SCALES)]
        self.state.put("global", key, following)


class Accessibility(SwitchPage):
    """The accessibility page."""

    filters = (IntentFilter.of("android.settings.ACCESSIBILITY_SETTINGS"),)
    title = ("无障碍", "Accessibility")
    groups = (
        (
            LinkRow("字体大小和显示", "Display size and text", f"{SETTINGS}$DisplaySettingsActivity"),
            SwitchRow("颜色反转", "Color inversion", "secure", "accessibility_display_inversion_enabled"),
            SwitchRow("高对比度文字", "High contrast text", "secure", "high_text_contrast_enabled"),
            SwitchRow("放大功能", "Magnification", "secure", "accessibility_display_magnification_enabled"),
            SwitchRow("大号鼠标指针", "Large mouse pointer", "secure", "accessibility_large_pointer_icon"),
        ),
        (
            SwitchRow("单声道音频", "Mono audio", "system", "master_mono"),
            SwitchRow(
                "按电源按钮结束通话",
                "Power button ends call",
                "secure",
                "incall_power_button_behavior",
                on="2",
            ),
            SwitchRow("自动旋转屏幕", "Auto-rotate screen", "system", "accelerometer_rotation"),
        ),
        (LinkRow("已下载的应用", "Downloaded apps", hint=("未安装任何服务", "No services installed")),),
    )


class Bluetooth(SwitchPage):
    """The Bluetooth page."""

    filters = (IntentFilter.of("android.settings.BLUETOOTH_SETTINGS"),)
    title = ("蓝牙", "Bluetooth")
    main = SwitchRow("使用蓝牙", "Use Bluetooth", "global", "bluetooth_on", default=True)
    groups = (
        (LinkRow("与新设备配对", "Pair new device", hint=("附近没有设备", "No devices nearby")),),
        (
            LinkRow("设备名称", "Device name"),
            LinkRow("已保存的设备", "Saved devices", hint=("没有已保存的设备", "No saved devices")),
        ),
    )
    note = (
        "开启蓝牙后，您的设备可以与附近的其他蓝牙设备通信。",
        "When Bluetooth is turned on, your device can communicate with other nearby Bluetooth devices.",
    )

    def summary(self, entry: LinkRow) -> str:
        if entry.en == "Device name":
            return self.state.phone.settings.get("secure", "bluetooth_name") or self.state.phone.profile.model
        return super().summary(entry)


class ConnectedDevices(SwitchPage):
    """Connected devices: Bluetooth and other connections."""

    title = ("已连接的设备", "Connected devices")
    groups = (
        (
            LinkRow("蓝牙", "Bluetooth", f"{SETTINGS}$BluetoothSettingsActivity"),
            LinkRow("USB", "USB", hint=("未连接", "Not connected")),
            SwitchRow("投放", "Wireless display", "global", "wifi_display_on"),
        ),
    )


class Security(SwitchPage):
    """The security page; the lock screen's switch is that of ``locksettings set-disabled``."""

    filters = (IntentFilter.of("android.settings.SECURITY_SETTINGS"),)
    title = ("安全", "Security")
    groups = (
        (
            LinkRow("应用安全", "App security", hint=("未发现有害应用", "No harmful apps found")),
            LinkRow("查找我的设备", "Find My Device", hint=("已关闭", "Off")),
            LinkRow("隐私", "Privacy", f"{SETTINGS}$PrivacyDashboardActivity"),
        ),
        (
            SwitchRow("锁定屏幕", "Screen lock", "lock", "screen", hint=("滑动", "Swipe")),
            SwitchRow(
                "在锁定屏幕上显示通知",
                "Notifications on lock screen",
                "secure",
                "lock_screen_show_notifications",
                default=True,
            ),
            SwitchRow("显示密码", "Show passwords", "system", "show_password", default=True),
            SwitchRow(
                "通过 USB 验证应用",
                "Verify apps over USB",
                "global",
                "verifier_verify_adb_installs",
                default=True,
            ),
        ),
        (LinkRow("加密与凭据", "Encryption & credentials", hint=("已加密", "Encrypted")),),
    )

    def is_on(self, entry: SwitchRow) -> bool:
        if entry.table == "lock":
            return bool(self.state.phone.keyguard.enabled)
        return super().is_on(entry)

    def toggle(self, entry: SwitchRow) -> None:
        if entry.table == "lock":
            self.state.phone.keyguard.enabled = not self.is_on(entry)
        else:
            super().toggle(entry)


class DeveloperOptions(SwitchPage):
    """The developer options."""

    filters = (IntentFilter.of("android.settings.APPLICATION_DEVELOPMENT_SETTINGS"),)
    title = ("开发者选项", "Developer options")
    main = SwitchRow(
        "使用开发者选项", "Use developer options", "global", "development_settings_enabled", default=True
    )
    groups = (
        (
            SwitchRow(
                "保持唤醒状态",
                "Stay awake",
                "global",
                "stay_on_while_plugged_in",
                on="7",
                hint=("充电时屏幕不会休眠", "Screen will never sleep while charging"),
            ),
            SwitchRow("自动系统更新", "Automatic system updates", "global", "ota_disable_automatic_update"),
        ),
        (
            SwitchRow(
                "USB 调试",
                "USB debugging",
                "global",
                "adb_enabled",
                default=True,
                hint=("连接 USB 后启用调试模式", "Debug mode when USB is connected"),
            ),
            SwitchRow("无线调试", "Wireless debugging", "global", "adb_wifi_enabled"),
            SwitchRow("允许模拟位置", "Allow mock locations", "secure", "mock_location"),
            SwitchRow("等待调试程序", "Wait for debugger", "global", "wait_for_debugger"),
        ),
        (
            SwitchRow("显示点按操作反馈", "Show taps", "system", "show_touches"),
            SwitchRow("指针位置", "Pointer location", "system", "pointer_location"),
            ScaleRow("窗口动画缩放", "Window animation scale", "window_animation_scale"),
            ScaleRow("过渡动画缩放", "Transition animation scale", "transition_animation_scale"),
            ScaleRow("动画程序时长缩放", "Animator duration scale", "animator_duration_scale"),
            SwitchRow(
                "强制使用从右到左的布局方向", "Force RTL layout direction", "global", "debug.force_rtl"
            ),
        ),
        (
            SwitchRow(
                "不保留活动",
                "Don't keep activities",
                "global",
                "always_finish_activities",
                hint=("用户离开后即销毁每个活动", "Destroy every activity as soon as the user leaves it"),
            ),
            SwitchRow(
                "强制将活动设为可调整大小",
                "Force activities to be resizable",
                "global",
                "force_resizable_activities",
            ),
        ),
    )


class StoragePage(SwitchPage):
    """The storage page."""

    filters = (
        IntentFilter.of("android.settings.INTERNAL_STORAGE_SETTINGS"),
        IntentFilter.of("android.settings.MEMORY_CARD_SETTINGS"),
    )
    title = ("存储", "Storage")
    groups = (
        (
            LinkRow("本机", "This device", hint=("已使用 62 GB，共 112 GB", "62 GB used of 112 GB")),
            LinkRow("应用", "Apps", f"{SETTINGS}$ManageApplicationsActivity"),
            LinkRow("系统", "System", hint=("3.3 GB", "3.3 GB")),
        ),
        (SwitchRow("存储空间管理器", "Storage manager", "secure", "automatic_storage_manager_enabled"),),
    )


class Privacy(SwitchPage):
    """The privacy page."""

    filters = (IntentFilter.of("android.settings.PRIVACY_SETTINGS"),)
    title = ("隐私", "Privacy")
    groups = (
        (
            LinkRow("权限管理器", "Permission manager", f"{SETTINGS}$ManageApplicationsActivity"),
            SwitchRow("摄像头使用权限", "Camera access", "secure", "camera_access", default=True),
            SwitchRow("麦克风使用权限", "Microphone access", "secure", "mic_access", default=True),
            SwitchRow(
                "显示剪贴板访问通知",
                "Show clipboard access",
                "secure",
                "clipboard_show_access_notifications",
                default=True,
            ),
        ),
    )


class DoNotDisturb(SwitchPage):
    """The page of Do Not Disturb."""

    filters = (IntentFilter.of("android.settings.ZEN_MODE_SETTINGS"),)
    title = ("勿扰模式", "Do Not Disturb")
    main = SwitchRow("使用勿扰模式", "Use Do Not Disturb", "global", "zen_mode")
    groups = (
        (
            LinkRow("人物", "People", hint=("收藏的联系人可以打扰", "Starred contacts can interrupt")),
            LinkRow("闹钟和其他例外情况", "Alarms & other interruptions", hint=("闹钟", "Alarms")),
        ),
    )


class NotificationsPage(SwitchPage):
    """The page of notifications of all apps."""

    filters = (IntentFilter.of("android.settings.NOTIFICATION_SETTINGS"),)
    title = ("通知", "Notifications")
    groups = (
        (
            LinkRow("应用设置", "App settings", f"{SETTINGS}$ManageApplicationsActivity"),
            LinkRow("勿扰模式", "Do Not Disturb", f"{SETTINGS}$ZenModeSettingsActivity"),
        ),
        (
            SwitchRow("浮动通知", "Pop on screen", "global", "heads_up_notifications_enabled", default=True),
            SwitchRow("闪烁指示灯", "Blink light", "system", "notification_light_pulse", default=True),
        ),
    )


class System(SwitchPage):
    """The system page: languages, keyboard, date and developer options."""

    title = ("系统", "System")
    groups = (
        (
            LinkRow("语言", "Languages", f"{SETTINGS}$LocalePickerActivity"),
            LinkRow("键盘", "Keyboard", f"{SETTINGS}$AvailableVirtualKeyboardActivity"),
            LinkRow("日期和时间", "Date & time", f"{SETTINGS}$DateTimeSettingsActivity"),
            LinkRow("存储", "Storage", f"{SETTINGS}$StorageDashboardActivity"),
            LinkRow("开发者选项", "Developer options", f"{SETTINGS}$DevelopmentSettingsDashboardActivity"),
        ),
    )
