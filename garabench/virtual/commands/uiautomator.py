"""``uiautomator dump``: the UI tree of the screen, as a file (AOSP ``DumpCommand``)."""

from __future__ import annotations

from collections.abc import Mapping

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import usage_kitkat
from garabench.virtual.commands.durations import KITKAT, durations
from garabench.virtual.shell.call import Command, CommandCall
from garabench.virtual.ui.dump import u2_xml, uiautomator_xml, windows_xml

IDLE_MS = 1000
"""A dump waits until there has been no accessibility event for this time,"""
IDLE_LIMIT_MS = 10_000
"""and gives up after this time (AOSP ``DumpCommand``)."""
_POLL_MS = 100
_WINDOWS_SDK = 30
"""First API level (Android 11) with the option ``--windows``."""
_DEFAULT_DUMP, _OLD_DEFAULT_DUMP = "/sdcard/window_dump.xml", "/storage/emulated/legacy/window_dump.xml"
"""``$EXTERNAL_STORAGE`` of newer Androids, and of Android 4.4."""
_NOT_IDLE = "ERROR: could not get idle state.\n"
_NO_ROOT = "ERROR: null root node returned by UiTestAutomationBridge.\n"
_USAGE = (
    "Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message\n"
)
_KILLED = 137
_OLD_MODE, _MODE = 0o600, 0o644
"""Mode of the file in Android 4.4 and later."""
_SHELL_PID = 4_000


async def _wait_for_idle(phone: Phone) -> bool:
    """Wait until nothing has changed for a second; False if that takes over ten."""
    began = idle_since = phone.clock.now_ms()
    scene = phone.scene()
    seen = u2_xml(scene)
    while phone.clock.now_ms() - idle_since < IDLE_MS:
        if phone.clock.now_ms() - began >= IDLE_LIMIT_MS:
            return False
        await phone.spend(_POLL_MS)
        now = phone.scene()
        if now is scene:
            continue
        scene, xml = now, u2_xml(now)
        if xml != seen:
            seen, idle_since = xml, phone.clock.now_ms()
    return True


class UiautomatorCommand:
    """``uiautomator``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._dumped = False

    async def run(self, call: CommandCall) -> int:
        """``uiautomator dump [--compressed] [--windows] [PATH]``.

        After a failure it also exits with 0, and leaves the old file. Faults: ``slow-dump``,
        ``idle-never``, ``null-root``, ``stale-dump``, ``dump-conflict``.
        """
        args = [arg for arg in call.argv[1:] if not arg.startswith("--")]
        if args[:1] != ["dump"]:
            old = self._phone.profile.sdk <= KITKAT
            await call.print_error(usage_kitkat.UIAUTOMATOR if old else _USAGE)
            return 0 if args[:1] == ["help"] else 1
        phone, cost = self._phone, durations(self._phone)
        if phone.automation and phone.faults.active("dump-conflict") is not None:
            return await self._conflict(call)
        slow = phone.faults.active("slow-dump")
        late = int(slow.get("ms", 5000)) if slow is not None else 0
        await phone.spend(cost.dump + late + (0 if self._dumped else cost.first_dump))
        self._dumped = True
        if phone.faults.active("idle-never") is not None:
            await phone.spend(IDLE_LIMIT_MS)
            return await _fail(call, _NOT_IDLE)
        if not await _wait_for_idle(phone) or phone.faults.active("stale-dump") is not None:
            return await _fail(call, _NOT_IDLE)
        if phone.faults.active("null-root") is not None or phone.scene().focus is None:
            return await _fail(call, _NO_ROOT)
        usual = _OLD_DEFAULT_DUMP if phone.profile.sdk <= KITKAT else _DEFAULT_DUMP
        return await self._write(call, args[1] if len(args) > 1 else usual)

    async def _write(self, call: CommandCall, path: str) -> int:
        scene, sdk, compressed = self._phone.scene(), self._phone.profile.sdk, "--compressed" in call.argv
        if "--windows" in call.argv and sdk >= _WINDOWS_SDK:
            data = windows_xml(scene, compressed).encode()
        else:
            data = uiautomator_xml(scene, compressed, decor=sdk <= KITKAT).encode()
        if path == "/dev/tty":
            await call.write(data)
        else:
            try:
                mode = _OLD_MODE if self._phone.profile.sdk <= KITKAT else _MODE
                self._phone.files.write(call.path(path), data, mode=mode)
            except OSError as error:
                message = f"java.io.FileNotFoundException: {path}: open failed: {error.strerror}\n"
                return await _fail(call, message)
        await call.print(f"UI hierchary dumped to: {path}\n")
        return 0

    async def _conflict(self, call: CommandCall) -> int:
        """Crash, as only one UiAutomation may be registered."""
        self._phone.logcat.write(
            "E",
            "AndroidRuntime",
            "FATAL EXCEPTION: main\njava.lang.IllegalStateException: UiAutomationService "
            "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@66b6be0already registered!",
            pid=_SHELL_PID,
        )
        await call.print_error("Killed \n")
        return _KILLED


async def _fail(call: CommandCall, message: str) -> int:
    await call.print_error(message)
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the command by name."""
    return {"uiautomator": UiautomatorCommand(phone).run}
