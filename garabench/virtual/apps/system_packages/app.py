"""Packages that are part of every phone and have no screens.

They answer ``pm path``, ``pm list packages`` and ``dumpsys package``; what they do is part of the phone:
the bars and dialogs, the keyboard, the web view of apps, and the providers.
"""

from __future__ import annotations

from garabench.virtual.kit.framework import App, Texts
from garabench.virtual.kit.state import no_state


def _package(package: str, zh: str, en: str, path: str, version: str = "14") -> App:
    label: Texts = {"zh": zh, "en": en}
    return App(
        package=package,
        label=label,
        activities={},
        version_name=version,
        version_code=34,
        icon_seed=package,
        system=True,
        state=no_state,
        apk_path=path,
    )


PACKAGES = (
    _package("com.android.systemui", "系统界面", "System UI", "/system_ext/priv-app/SystemUI/SystemUI.apk"),
    _package(
        "com.google.android.inputmethod.latin",
        "Android 键盘 (AOSP)",
        "Android Keyboard (AOSP)",
        "/product/app/LatinIME/LatinIME.apk",
    ),
    _package(
        "com.android.webview",
        "Android System WebView",
        "Android System WebView",
        "/product/app/webview/webview.apk",
        "113.0.5672.136",
    ),
    _package("com.android.shell", "Shell", "Shell", "/system/priv-app/Shell/Shell.apk"),
    _package(
        "com.android.providers.media",
        "媒体存储",
        "Media Storage",
        "/system/priv-app/MediaProviderLegacy/MediaProviderLegacy.apk",
    ),
    _package(
        "com.android.providers.contacts",
        "通讯录存储",
        "Contacts Storage",
        "/system/priv-app/ContactsProvider/ContactsProvider.apk",
    ),
    _package(
        "com.android.phone", "电话服务", "Phone Services", "/system/priv-app/TeleService/TeleService.apk"
    ),
)
"""The packages, with the paths of AOSP's images for emulators."""
