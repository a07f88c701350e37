"""The system's own dialogs over the apps: permission requests, crashes and ANRs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from garabench.virtual.android.input_dispatcher import ANR_TIMEOUT_MS
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui import system_widgets
from garabench.virtual.ui import widgets as w

PERMISSIONS = "com.android.permissioncontroller"
_LEGACY_PERMISSIONS = "com.android.packageinstaller"
_GRANT_ACTIVITY = "permission.ui.GrantPermissionsActivity"
_CONTROLLER_SDK = 29
_ONE_TIME_SDK = 30
_KEEPS_STOPPING_SDK = 24
_MAX_DENIALS = 2
"""Number of denials after which the system no longer asks for a permission (since Android 11)."""
_WHILE_IN_USE = frozenset({"ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "CAMERA", "RECORD_AUDIO"})
_ANR_TITLE = "Application Not Responding: "
_DETAILS = "android.settings.APPLICATION_DETAILS_SETTINGS"

_PHONE = "com.android.phone"
_BIOMETRIC_SDK = 28
_BIOMETRIC = ("com.android.systemui", "BiometricPrompt")
_CONFIRM = ("com.android.settings", "com.android.settings/com.android.settings.ConfirmLockPassword")

_NAMES = {
    "ACCESS_FINE_LOCATION": ("获取此设备的位置信息", "access this device's location"),
    "ACCESS_COARSE_LOCATION": ("获取此设备的大致位置信息", "access this device's approximate location"),
    "CAMERA": ("拍摄照片和录制视频", "take pictures and record video"),
    "POST_NOTIFICATIONS": ("向您发送通知", "send you notifications"),
    "READ_CALENDAR": ("访问您的日历", "access your calendar"),
    "READ_CONTACTS": ("访问您的通讯录", "access your contacts"),
    "READ_EXTERNAL_STORAGE": ("访问照片、媒体内容和文件", "access photos, media and files"),
    "READ_MEDIA_IMAGES": ("访问此设备上的照片和视频", "access photos and videos on this device"),
    "READ_MEDIA_VIDEO": ("访问此设备上的照片和视频", "access photos and videos on this device"),
    "READ_PHONE_STATE": ("拨打电话和管理通话", "make and manage phone calls"),
    "RECORD_AUDIO": ("录制音频", "record audio"),
    "SEND_SMS": ("发送和查看短信", "send and view SMS messages"),
    "WRITE_EXTERNAL_STORAGE": ("访问照片、媒体内容和文件", "access photos, media and files"),
}


@dataclass(frozen=True, slots=True)
class SystemDialog:
    """A dialog of the system.

    Attributes:
        package: Owner of the window.
        title: Window title in ``mCurrentFocus``.
        about: The app it is about.
        build: Builds its view.
        back: Handles the Back key.
        secure: FLAG_SECURE.
    """

    package: str
    title: str
    about: str
    build: Callable[[], w.Widget]
    back: Callable[[], None]
    secure: bool = False


class SystemDialogs:
    """The pending dialogs; the first one is shown."""

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self._queue: list[SystemDialog] = []

    @property
    def shown(self) -> SystemDialog | None:
        """The visible dialog, or None; a dialog of a fault takes precedence."""
        return self._fault_dialog() or (self._queue[0] if self._queue else None)

    def _fault_dialog(self) -> SystemDialog | None:
        faults = self._phone.faults
        if faults.active("secure-screen") is not None:
            old = self._phone.profile.sdk < _BIOMETRIC_SDK
            package, title = _CONFIRM if old else _BIOMETRIC
            return SystemDialog(package, title, package, self._identity_view, _nothing, secure=True)
        if faults.active("dialog-on-top") is not None:
            view = partial(self._crash_view, _PHONE, True, _nothing)
            return SystemDialog("android", f"Application Error: {_PHONE}", _PHONE, view, _nothing)
        return None

    def back(self) -> bool:
        """Handle Back; return whether a dialog consumed it."""
        if self.shown is None:
            return False
        self.shown.back()
        self._phone.changed()
        return True

    def forget(self, package: str) -> None:
        """Close the dialogs about an app whose process has ended."""
        self._queue = [
            dialog
            for dialog in self._queue
            if dialog.about != package
            or (dialog.package == "android" and not dialog.title.startswith(_ANR_TITLE))
        ]

    def dismiss(self) -> None:
        """Close the crash and ANR dialogs, as ``CLOSE_SYSTEM_DIALOGS`` does."""
        self._queue = [dialog for dialog in self._queue if dialog.package != "android"]

    def dismiss_anr_dialogs(self) -> None:
        """Close the ANR dialogs of apps that respond again."""
        self._queue = [dialog for dialog in self._queue if not dialog.title.startswith(_ANR_TITLE)]

    def ask_permission(self, package: str, permission: str, done: Callable[[bool], None]) -> None:
        """Ask the user for a permission, unless it was denied too often."""
        phone = self._phone
        installed = phone.packages.get(package)
        denials = installed.denials.get(permission, 0) if installed is not None else 0
        if denials >= _MAX_DENIALS and phone.profile.sdk >= _ONE_TIME_SDK:
            phone.run_app(package, lambda: done(False))
            return
        owner = PERMISSIONS if phone.profile.sdk >= _CONTROLLER_SDK else _LEGACY_PERMISSIONS
        shown: list[SystemDialog] = []

        def answer(granted: bool) -> None:
            self._close(shown[0])
            if granted:
                phone.packages.grant(package, permission)
            elif installed is not None:
                installed.denials[permission] = denials + 1
            phone.run_app(package, lambda: done(granted))
            phone.activities.update()

        def dismiss() -> None:
            # Leaving the dialog denies once; the system does not remember it.
            self._close(shown[0])
            phone.run_app(package, lambda: done(False))

        dialog = SystemDialog(
            package=owner,
            title=f"{owner}/{owner}.{_GRANT_ACTIVITY}",
            about=package,
            build=lambda: self._permission_view(package, permission, denials, answer),
            back=dismiss,
        )
        shown.append(dialog)
        self._show(dialog)

    def report_crash(self, package: str, *, again: bool) -> None:
        """Report that an app has crashed, unless a dialog already does."""
        if any(dialog.about == package and dialog.package == "android" for dialog in self._queue):
            return
        shown: list[SystemDialog] = []

        def close() -> None:
            self._close(shown[0])

        dialog = SystemDialog(
            package="android",
            title=f"Application Error: {package}",
            about=package,
            build=lambda: self._crash_view(package, again, close),
            back=close,
        )
        shown.append(dialog)
        self._show(dialog)

    def report_anr(self, package: str) -> None:
        """Report an ANR, and offer to close the app or wait."""
        title = f"{_ANR_TITLE}{package}"
        if self._phone.processes.pidof(package) is None or any(
            dialog.title == title for dialog in self._queue
        ):
            return
        shown: list[SystemDialog] = []

        def close() -> None:
            self._close(shown[0])

        def wait() -> None:
            close()
            if self._phone.processes.frozen(package):  # its input is still pending
                self._phone.clock.after(ANR_TIMEOUT_MS, lambda: self.report_anr(package))

        def end() -> None:
            close()
            self._phone.activities.force_stop(package)

        # AppNotRespondingDialog cannot be cancelled.
        dialog = SystemDialog("android", title, package, lambda: self._anr_view(package, end, wait), _nothing)
        shown.append(dialog)
        self._show(dialog)

    def _show(self, dialog: SystemDialog) -> None:
        self._phone.ime.hide()
        self._queue.append(dialog)
        self._phone.changed()

    def _close(self, dialog: SystemDialog) -> None:
        if dialog in self._queue:
            self._queue.remove(dialog)
        self._phone.changed()

    def _t(self, zh: str, en: str) -> str:
        return zh if self._phone.lang == "zh" else en

    def _permission_view(
        self, package: str, permission: str, denials: int, answer: Callable[[bool], None]
    ) -> w.Widget:
        name = permission.rpartition(".")[2]
        zh, en = _NAMES.get(name, ("使用此权限", "use this permission"))
        label = self._phone.label(package)
        message = self._t(f"要允许“{label}”{zh}吗？", f"Allow {label} to {en}?")
        modern = self._phone.profile.sdk >= _ONE_TIME_SDK
        allow, deny = partial(answer, True), partial(answer, False)
        if modern and name in _WHILE_IN_USE:
            choices = [
                (
                    "permission_allow_foreground_only_button",
                    self._t("仅在使用该应用时允许", "While using the app"),
                    allow,
                ),
                ("permission_allow_one_time_button", self._t("仅限这一次", "Only this time"), allow),
            ]
        else:
            choices = [("permission_allow_button", self._t("允许", "Allow"), allow)]
        last = "permission_deny_and_dont_ask_again_button" if modern and denials else "permission_deny_button"
        choices.append((last, self._t("不允许", "Don’t allow"), deny))
        return system_widgets.permission_dialog(message, choices)

    def _crash_view(self, package: str, again: bool, close: Callable[[], None]) -> w.Widget:
        label = self._phone.label(package)
        if self._phone.profile.sdk < _KEEPS_STOPPING_SDK:
            text = self._t(f"很抱歉，“{label}”已停止运行。", f"Unfortunately, {label} has stopped.")
            return _error(text, [("android:id/button1", self._t("确定", "OK"), close)], legacy=True)

        def reopen() -> None:
            close()
            self._phone.activities.relaunch(package)

        def details() -> None:
            close()
            self._phone.activities.start(Intent(action=_DETAILS, data=f"package:{package}"))

        info = ("android:id/aerr_app_info", self._t("应用信息", "App info"), details)
        end = ("android:id/aerr_close", self._t("关闭应用", "Close app"), close)
        restart = ("android:id/aerr_restart", self._t("重新打开应用", "Open app again"), reopen)
        if again:
            return _error(self._t(f"“{label}”屡次停止运行", f"{label} keeps stopping"), [info, end])
        return _error(self._t(f"“{label}”已停止运行", f"{label} has stopped"), [restart, end])

    def _identity_view(self) -> w.Widget:
        about = self._t("请验证您的身份", "Verify it’s you")
        hint = self._t("使用指纹、面孔或 PIN 码继续操作", "Use your fingerprint, face, or PIN to continue")
        return _error(about, [("com.android.systemui:id/use_credential", hint, _nothing)])

    def _anr_view(self, package: str, end: Callable[[], None], wait: Callable[[], None]) -> w.Widget:
        label, legacy = self._phone.label(package), self._phone.profile.sdk < _KEEPS_STOPPING_SDK
        if legacy:
            text = self._t(
                f"“{label}”无响应。要将其关闭吗？", f"{label} isn't responding. Do you want to close it?"
            )
            choices = [
                ("android:id/button1", self._t("确定", "OK"), end),
                ("android:id/button2", self._t("等待", "Wait"), wait),
            ]
            return _error(text, choices, legacy=True)
        choices = [
            ("android:id/aerr_close", self._t("关闭应用", "Close app"), end),
            ("android:id/aerr_wait", self._t("等待", "Wait"), wait),
        ]
        return _error(self._t(f"“{label}”没有响应", f"{label} isn't responding"), choices)


def _nothing() -> None:
    """Ignore a touch outside the window."""


def _error(
    text: str, buttons: list[tuple[str, str, Callable[[], None]]], *, legacy: bool = False
) -> w.Widget:
    title = w.Text(
        id="android:id/message" if legacy else "android:id/alertTitle",
        text=text,
        size=16 if legacy else 19,
        bold=not legacy,
        width=w.MATCH,
        padding=w.insets(24, 20, 24, 12),
    )
    rows = [
        w.Button(
            id=name,
            text=label,
            width=w.MATCH,
            align=w.Align.CENTER if legacy else w.Align.START,
            size=15,
            padding=w.insets(24, 14),
            on_click=act,
        )
        for name, label, act in buttons
    ]
    return w.Column(
        width=320,
        background="#FFFFFF",
        radius=4 if legacy else 24,
        padding=w.insets(0, 0, 0, 8),
        children=[title, *rows],
    )
