"""Calls on the device: tree, screenshot, keys, rotation, clipboard, shade, toasts."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from garabench.virtual.kit.framework import Intent
from garabench.virtual.u2.rpc import JavaError, invalid_params
from garabench.virtual.u2.server_session import (
    CALL_MS,
    Calls,
    ServerSession,
    boolean,
    integer,
    number,
    string,
)

DUMP_MS = 120
SCREENSHOT_MS = 180
KEY_MS = 40
WAKE_MS = 500
TRANSITION_MS = 300
START_MS = 250
FILES = "/data/local/tmp"
"""Directory of the server's files; it runs as the shell user."""

EMPTY_HIERARCHY = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"0\" />"
"""The server's answer when accessibility has no window."""

KEY_CODES: Mapping[str, int] = {
    "home": 3,
    "back": 4,
    "up": 19,
    "down": 20,
    "left": 21,
    "right": 22,
    "center": 23,
    "volume_up": 24,
    "volume_down": 25,
    "power": 26,
    "camera": 27,
    "enter": 66,
    "delete": 67,
    "del": 67,
    "menu": 82,
    "search": 84,
    "volume_mute": 164,
    "recent": 187,
}
_WAKEUP, _SLEEP = 224, 223
_ROTATIONS: Mapping[str, int] = {"natural": 0, "n": 0, "left": 1, "l": 1, "right": 3, "r": 3}


class DeviceCalls:
    """The calls that take no object."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._phone = session.phone

    def calls(self) -> Calls:
        """Return the calls by name."""
        return {
            "ping": self.ping,
            "deviceInfo": self.info,
            "dumpWindowHierarchy": self.dump,
            "takeScreenshot": self.screenshot,
            "pressKey": self.press_key,
            "pressKeyCode": self.press_key_code,
            "wakeUp": self.wake_up,
            "sleep": self.sleep,
            "isScreenOn": self.is_screen_on,
            "setOrientation": self.set_orientation,
            "freezeRotation": self.freeze_rotation,
            "openNotification": self.open_notification,
            "openQuickSettings": self.open_quick_settings,
            "setClipboard": self.set_clipboard,
            "getClipboard": self.get_clipboard,
            "getLastToast": self.last_toast,
            "clearLastToast": self.clear_last_toast,
            "getLastTraversedText": self.last_traversed_text,
            "clearLastTraversedText": self.clear_last_traversed_text,
            "waitForIdle": self.wait_for_idle,
            "waitForWindowUpdate": self.wait_for_window_update,
            "launchApp": self.launch_app,
            "getConfigurator": self.get_configurator,
            "setConfigurator": self.set_configurator,
        }

    async def ping(self) -> str:
        """``ping``: whether the server is alive."""
        return "pong"

    async def info(self) -> dict[str, Any]:
        """``deviceInfo``; sizes follow the rotation."""
        await self._phone.spend(CALL_MS)
        scene = self._phone.scene()
        display = self._phone.display
        root = self._session.screen().active_root()
        return {
            "currentPackageName": root.package if root is not None else None,
            "displayHeight": scene.size.height,
            "displayRotation": scene.rotation,
            "displaySizeDpX": round(scene.size.width * 160 / scene.density),
            "displaySizeDpY": round(scene.size.height * 160 / scene.density),
            "displayWidth": scene.size.width,
            "naturalOrientation": scene.rotation in (0, 2),
            "productName": self._phone.profile.product,
            "screenOn": display.screen_on,
            "sdkInt": self._phone.profile.sdk,
        }

    async def dump(self, compressed: Any, max_depth: Any = 50, active_only: Any = False) -> str:
        """``dumpWindowHierarchy``: the XML of all windows, or of the active one.

        Faults: ``slow-dump`` (``ms``) takes longer, ``null-root`` finds no window.
        """
        await self._phone.spend(DUMP_MS)
        slow = self._phone.faults.active("slow-dump")
        if slow is not None:
            await self._phone.spend(integer(slow.get("ms", 5000)))
        if self._phone.faults.active("null-root") is not None:
            return EMPTY_HIERARCHY
        scene = self._phone.scene()
        if boolean(active_only):
            scene = replace(scene, windows=(scene.focus,) if scene.focus is not None else ())
        if not scene.windows:
            return EMPTY_HIERARCHY
        return self._session.dump(scene, compressed=boolean(compressed), max_depth=integer(max_depth))

    async def screenshot(self, *arguments: Any) -> str | None:
        """``takeScreenshot(scale, quality)``: base64 of a JPEG.

        With a file name before them it writes a PNG into the server's directory and returns its path.
        """
        match arguments:
            case (scale, quality):
                await self._phone.spend(SCREENSHOT_MS)
                jpeg = self._scaled(number(scale), "JPEG", min(100, max(1, integer(quality))))
                return base64.b64encode(jpeg).decode("ascii")
            case (name, scale, _):
                path = f"{FILES}/{string(name).replace('/', '_')}"
                self._phone.files.write(path, await self.png(number(scale)))
                return path
            case _:
                raise invalid_params()

    async def png(self, scale: float) -> bytes:
        """Return the PNG of ``/screenshot/0``."""
        await self._phone.spend(SCREENSHOT_MS)
        return self._scaled(scale, "PNG", 100)

    def _scaled(self, scale: float, form: str, quality: int) -> bytes:
        """Encode the screen, scaled down (never up)."""
        frame = self._phone.frame()
        if not 0 < scale < 1:
            return frame.png() if form == "PNG" else frame.jpeg(quality)
        size = (max(1, round(frame.size.width * scale)), max(1, round(frame.size.height * scale)))
        out = io.BytesIO()
        options = {"compress_level": 1} if form == "PNG" else {"quality": quality}
        frame.image.resize(size).save(out, form, **options)
        return out.getvalue()

    async def press_key(self, name: Any) -> bool:
        """``pressKey``; False for an unknown name."""
        code = KEY_CODES.get(string(name).lower())
        return False if code is None else await self.press_key_code(code)

    async def press_key_code(self, code: Any, meta: Any = 0) -> bool:
        """``pressKeyCode(code[, meta])``."""
        self._phone.input.key(integer(code), meta=integer(meta))
        await self._phone.spend(KEY_MS)
        return True

    async def wake_up(self) -> None:
        """``wakeUp``: turns the screen on and waits half a second."""
        if not self._phone.display.screen_on:
            self._phone.input.key(_WAKEUP)
            await self._phone.spend(WAKE_MS)

    async def sleep(self) -> None:
        """``sleep``: turns the screen off."""
        if self._phone.display.screen_on:
            self._phone.input.key(_SLEEP)
            await self._phone.spend(KEY_MS)

    async def is_screen_on(self) -> bool:
        """``isScreenOn``."""
        return bool(self._phone.display.screen_on)

    async def set_orientation(self, name: Any) -> None:
        """``setOrientation``: turns and freezes; an unknown name does nothing."""
        rotation = _ROTATIONS.get(string(name).lower())
        if rotation is not None:
            self._freeze(rotation)
        await self._phone.spend(CALL_MS)

    async def freeze_rotation(self, freeze: Any) -> None:
        """``freezeRotation``: freezes the current rotation, or lets the sensor decide again."""
        if boolean(freeze):
            self._freeze(self._phone.display.rotation)
        else:
            self._phone.settings.put("system", "accelerometer_rotation", "1")
        await self._phone.spend(CALL_MS)

    def _freeze(self, rotation: int) -> None:
        self._phone.settings.put("system", "accelerometer_rotation", "0")
        self._phone.settings.put("system", "user_rotation", str(rotation))

    async def open_notification(self) -> bool:
        """``openNotification``."""
        self._phone.windows.open_shade()
        await self._phone.spend(TRANSITION_MS)
        return True

    async def open_quick_settings(self) -> bool:
        """``openQuickSettings``: opens the same panel, which shows the tiles."""
        return await self.open_notification()

    async def set_clipboard(self, label: Any, text: Any) -> None:
        """``setClipboard(label, text)``."""
        if text is None:
            raise JavaError("java.lang.NullPointerException", "text is null")
        self._phone.clipboard.set(string(text), label="" if label is None else string(label))
        await self._phone.spend(CALL_MS)

    async def get_clipboard(self) -> str | None:
        """``getClipboard``; null when it is empty."""
        await self._phone.spend(CALL_MS)
        return self._phone.clipboard.get()

    async def last_toast(self) -> str | None:
        """``getLastToast``: the last toast since the server's start or the last clearing."""
        await self._phone.spend(CALL_MS)
        return self._session.toast

    async def clear_last_toast(self) -> None:
        """``clearLastToast``."""
        self._session.clear_toast()

    async def last_traversed_text(self) -> str | None:
        """``getLastTraversedText``: null, as no traversal event occurs."""
        return None

    async def clear_last_traversed_text(self) -> None:
        """``clearLastTraversedText``."""

    async def wait_for_idle(self, timeout_ms: Any) -> None:
        """``waitForIdle``: returns at once, as the server disables waiting, unless the screen never idles."""
        if self._phone.faults.active("idle-never") is not None:
            await self._phone.spend(max(0, integer(timeout_ms)))

    async def wait_for_window_update(self, package: Any, timeout_ms: Any) -> bool:
        """``waitForWindowUpdate(package or null, timeout)``: whether the screen changed in time."""
        root = self._session.screen().active_root()
        if package is not None and (root is None or root.package != string(package)):
            return False
        before = self._phone.scene()
        return await self._session.wait(lambda: self._phone.scene() is not before, integer(timeout_ms))

    async def launch_app(self, package: Any) -> bool:
        """``launchApp``: restarts an app's launcher activity."""
        resolved = self._phone.packages.get(string(package))
        if resolved is None or not resolved.app.launcher:
            return False
        self._phone.activities.start(
            Intent(
                action="android.intent.action.MAIN",
                package=string(package),
                activity=resolved.app.launcher,
                categories=frozenset({"android.intent.category.LAUNCHER"}),
                flags=frozenset({"NEW_TASK", "CLEAR_TASK"}),
            )
        )
        await self._phone.spend(START_MS)
        return True

    async def get_configurator(self) -> dict[str, int]:
        """``getConfigurator``."""
        return dict(self._session.configurator)

    async def set_configurator(self, info: Any) -> dict[str, int]:
        """``setConfigurator``: sets the known fields."""
        if not isinstance(info, dict):
            raise JavaError("java.lang.NullPointerException", "info is null")
        for name in self._session.configurator:
            if name in info:
                self._session.configurator[name] = integer(info[name])
        return dict(self._session.configurator)
