"""``uiautomator`` and ``screencap``: what is on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.commands.costs import KITKAT, costs
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command
from garabench.virtual.ui.dump import u2_xml, uiautomator_xml

IDLE_MS = 1000
"""A dump waits until no accessibility event has come for so long,"""
IDLE_LIMIT_MS = 10_000
"""and gives up after this time (AOSP ``DumpCommand``)."""
_POLL_MS = 100
_DEFAULT_DUMP, _OLD_DEFAULT_DUMP = "/sdcard/window_dump.xml", "/storage/emulated/legacy/window_dump.xml"
"""``$EXTERNAL_STORAGE`` of newer Androids, and of Android 4.4."""
_NOT_IDLE = "ERROR: could not get idle state.\n"
_NO_ROOT = "ERROR: null root node returned by UiTestAutomationBridge.\n"
_USAGE = (
    "Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message\n"
)
_KILLED = 137
_SHELL_PID = 4_000


async def _rests(phone: Phone) -> bool:
    """Wait until nothing has changed for a second; False when that does not happen within ten."""
    began = rested_since = phone.clock.now_ms()
    scene = phone.scene()
    seen = u2_xml(scene)
    while phone.clock.now_ms() - rested_since < IDLE_MS:
        if phone.clock.now_ms() - began >= IDLE_LIMIT_MS:
            return False
        await phone.spend(_POLL_MS)
        now = phone.scene()
        if now is scene:
            continue
        scene, xml = now, u2_xml(now)
        if xml != seen:
            seen, rested_since = xml, phone.clock.now_ms()
    return True


class Automator:
    """``uiautomator``."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._dumped = False

    async def run(self, call: Call) -> int:
        """``uiautomator dump [--compressed] [PATH]``.

        It exits with 0 also when it fails, and leaves the old file then. Faults: ``slow-dump``,
        ``idle-never``, ``null-root``, ``stale-dump``, ``dump-conflict``.
        """
        words = [word for word in call.argv[1:] if not word.startswith("--")]
        if words[:1] != ["dump"]:
            await call.complain(_USAGE)
            return 0 if words[:1] == ["help"] else 1
        phone, cost = self._phone, costs(self._phone)
        if phone.automation and phone.faults.active("dump-conflict") is not None:
            return await self._conflict(call)
        slow = phone.faults.active("slow-dump")
        late = int(slow.get("ms", 5000)) if slow is not None else 0
        await phone.spend(cost.dump + late + (0 if self._dumped else cost.first_dump))
        self._dumped = True
        if phone.faults.active("idle-never") is not None:
            await phone.spend(IDLE_LIMIT_MS)
            return await _failed(call, _NOT_IDLE)
        if not await _rests(phone) or phone.faults.active("stale-dump") is not None:
            return await _failed(call, _NOT_IDLE)
        if phone.faults.active("null-root") is not None or phone.scene().focus is None:
            return await _failed(call, _NO_ROOT)
        usual = _OLD_DEFAULT_DUMP if phone.profile.sdk <= KITKAT else _DEFAULT_DUMP
        compressed = "--compressed" in call.argv
        return await self._write(call, words[1] if len(words) > 1 else usual, compressed=compressed)

    async def _write(self, call: Call, path: str, *, compressed: bool) -> int:
        data = uiautomator_xml(self._phone.scene(), compressed).encode()
        if path == "/dev/tty":
            await call.write(data)
        else:
            try:
                self._phone.files.write(call.path(path), data)
            except OSError as error:
                said = f"java.io.FileNotFoundException: {path}: open failed: {error.strerror}\n"
                return await _failed(call, said)
        await call.say(f"UI hierchary dumped to: {path}\n")
        return 0

    async def _conflict(self, call: Call) -> int:
        """Only one UiAutomation may be registered: the second one's process ends with the exception."""
        self._phone.logcat.write(
            "E",
            "AndroidRuntime",
            "FATAL EXCEPTION: main\njava.lang.IllegalStateException: UiAutomationService "
            "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@66b6be0already registered!",
            pid=_SHELL_PID,
        )
        await call.complain("Killed \n")
        return _KILLED


async def _failed(call: Call, said: str) -> int:
    await call.complain(said)
    return 0


async def screencap(phone: Phone, call: Call) -> int:
    """``screencap [-p] [-d ID] [PATH]``: a PNG with ``-p`` or for a name that ends so, else raw pixels."""
    words, paths, png = call.argv[1:], [], False
    while words:
        word = words.pop(0)
        if word == "-d":
            words = words[1:]
        elif word == "-p":
            png = True
        elif word.startswith("-"):
            await call.complain("usage: screencap [-hp] [-d display-id] [FILENAME]\n")
            return 0 if word == "-h" else 1
        else:
            paths.append(word)
    await phone.spend(costs(phone).shot)
    frame = phone.frame()
    if png or (paths and paths[0].endswith(".png")):
        data = frame.png()
    else:
        # AOSP screencap: width, height, format RGBA_8888, and since Android 9 the color space (sRGB).
        numbers = [frame.size.width, frame.size.height, 1, *([1] if phone.profile.sdk >= 28 else [])]
        data = b"".join(number.to_bytes(4, "little") for number in numbers) + frame.rgba()
    if not paths:
        await call.write(data)
        return 0
    try:
        phone.files.write(call.path(paths[0]), data)
    except OSError as error:
        await call.complain(f"Error opening file: {paths[0]} ({error.strerror})\n")
        return 1
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {
        "screencap": partial(screencap, phone),
        "uiautomator": Automator(phone).run,
    }
