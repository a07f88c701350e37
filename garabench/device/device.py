"""`Device`: one Android device as the rest of GaraBench sees it.

It knows Android through adb and uiautomator2 only; whether it is a phone, an emulator or the embedded
virtual phone makes no difference here.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Self

from garabench.core import action as act
from garabench.core.clock import Clock, SystemClock
from garabench.core.geometry import Point, Rect, Size
from garabench.core.keys import KEYS
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiTree
from garabench.device import screen_lock, screenshots
from garabench.device.adb import Adb
from garabench.device.app_control import AppControl
from garabench.device.display import screen_size
from garabench.device.focus import WindowState
from garabench.device.gestures import Gestures
from garabench.device.keyboards import BroadcastKeyboard
from garabench.device.logs import LogWatch
from garabench.device.screenshots import PendingScreenshot
from garabench.device.settle import Settled, settle
from garabench.device.text import TextTyper
from garabench.device.trees import DumpSource, TreeReader, TreeReading, U2Source
from garabench.device.u2_client import U2Client, U2UnavailableError
from garabench.device.undo.journal import Journal
from garabench.errors import (
    DeviceError,
    DeviceOfflineError,
    DeviceUnauthorizedError,
    HarnessError,
    TreeUnavailableError,
)

SETTLE_CAP = 5.0
_FIRST_SDK_WITH_U2 = 21  # the server's jar needs app_process with a class path, and ART
_FIRST_SDK_WITH_TOYBOX = 23
_SWIPE_MS = 400
_EDGE = 0.2  # share of the screen's height or width in which no scroll starts
_SPINNER_PAUSE = 0.25  # seconds; twelve readings with this pause take about as long as the cap


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """Properties of a device, recorded with each run.

    Attributes:
        serial: Serial, as ``adb devices`` lists it.
        model: ``ro.product.model``.
        sdk: API level.
        release: Android version.
        size: Natural size in pixels, or the override if one is set.
        density: Dots per inch.
        fingerprint: ``ro.build.fingerprint``.
        language: Language of the system's locale: ``zh``, ``en``, ….
    """

    serial: str
    model: str
    sdk: int
    release: str
    size: Size
    density: int
    fingerprint: str
    language: str

    @property
    def height_dp(self) -> int | None:
        """Height of the upright screen in density-independent pixels; None if its density is unknown."""
        return self.size.height * 160 // self.density if self.density else None


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of an action.

    Attributes:
        ok: False if the action is impossible on this screen, e.g. there is no text field or the app is not
            installed. That is the agent's mistake, not a device error.
        detail: Why it is impossible, or how it was performed.
    """

    ok: bool = True
    detail: str = ""


class Device:
    """A connected Android device.

    Attributes:
        adb: The connection.
        info: Its properties.
        clock: The clock for waits and limits.
        apps: Control of its apps.
        journal: The changes to undo. It is in memory; for a device that outlives this process, the caller
            replaces it with a journal on disk.
    """

    def __init__(self, adb: Adb, info: DeviceInfo, clock: Clock, server: U2Client) -> None:
        """Create a device from its parts; use `connect` instead."""
        self.adb = adb
        self.info = info
        self.clock = clock
        self.apps = AppControl(adb, info.sdk)
        self.journal = Journal.in_memory(adb.serial)
        self._server = server
        self._screen = info.size
        self._last_tree: UiTree | None = None
        self._picture: PendingScreenshot | None = None
        self._typed: TreeReading | None = None
        self._observed: tuple[UiTree, WindowState] | None = None
        self._pictured: TreeReading | None = None
        self._touch = Gestures(adb, server)
        self._trees = TreeReader((U2Source(server), DumpSource(adb)))
        self._keyboard = BroadcastKeyboard(adb, clock)
        self._typist = TextTyper(adb, server, self._touch, self._trees, self._keyboard)

    @classmethod
    def connect(
        cls,
        serial: str,
        clock: Clock | None = None,
        *,
        use_u2: bool = True,
        info: DeviceInfo | None = None,
    ) -> Self:
        """Connect to a device that the adb server lists.

        Args:
            serial: Serial, as ``adb devices`` lists it.
            clock: The clock for all waits and limits; default: the system's.
            use_u2: Whether to use uiautomator2; False uses plain adb only.
            info: The device's properties, if they were read by an earlier connection; None reads them.

        Raises:
            DeviceUnreachableError, DeviceUnauthorizedError, DeviceOfflineError: The device is unusable.
        """
        clock = clock or SystemClock()
        adb = Adb(serial, clock)
        state = adb.state()
        if state == "unauthorized":
            raise DeviceUnauthorizedError(
                f"{serial} has not authorized this computer: unlock it and confirm 'Allow USB debugging'"
            )
        if state != "device":
            raise DeviceOfflineError(f"{serial} cannot be used: adb reports its state as {state}")
        info = info or read_info(adb)
        return cls(adb, info, clock, U2Client(adb, enabled=use_u2 and info.sdk >= _FIRST_SDK_WITH_U2))

    def revive(self) -> None:
        """Prepare for an episode: retry a server that did not respond, and remove a leftover keyboard.

        Where no server can run, the keyboard that types any text is installed if it is missing.

        Raises:
            DeviceError: The device is gone.
        """
        self._server.revive()
        self._keyboard.restore(install=self.info.sdk < _FIRST_SDK_WITH_U2)

    def restart_u2(self) -> None:
        """Stop uiautomator2's server on the device; the next call starts it again.

        Raises:
            DeviceError: The device is gone.
        """
        self._discard_picture()
        self._server.restart()

    @property
    def read_failures(self) -> int:
        """Number of failed readings of the screen; a later attempt or another source may have succeeded."""
        return self._server.failures + self._trees.failures

    @property
    def has_fast_trees(self) -> bool:
        """Whether uiautomator2's server reads the trees; ``uiautomator dump`` takes seconds."""
        return not self._server.failed

    def unlock(self) -> None:
        """Wake the device and dismiss its lock screen; does nothing if the screen is on and unlocked.

        Raises:
            ScreenLockedError: The lock screen asks for a PIN, a pattern or a password.
            DeviceError: The screen stays off, or the device is gone.
        """
        screen_lock.wake(self.adb, self.info.sdk)
        if screen_lock.dismiss(self.adb, self.info.sdk):
            return
        secret = ""
        with contextlib.suppress(TreeUnavailableError):  # some lock screens are not dumped
            secret = screen_lock.secret_of(self._trees.read().tree)
        raise screen_lock.locked_error(self.info.serial, secret)

    @property
    def screen(self) -> Size:
        """Screen size in the rotation of the last tree."""
        return self._screen

    def read_tree(self) -> TreeReading:
        """Read the tree once, without waiting for the screen to be still.

        Raises:
            TreeUnavailableError: Every source failed.
            DeviceError: The device is gone.
        """
        return self._seen(self._trees.read())

    def _seen(self, reading: TreeReading) -> TreeReading:
        """Remember a tree; its rotation turns the screen's size."""
        self._last_tree = reading.tree
        self._screen = screen_size(None, self.info.size, reading.tree.rotation)
        return reading

    def settle(
        self,
        cap: float = SETTLE_CAP,
        *,
        first: TreeReading | None = None,
        photograph: bool = False,
        before: WindowState | None = None,
    ) -> Settled:
        """Wait until the screen is still; see `garabench.device.settle`.

        Args:
            cap: Seconds after which the wait ends.
            first: A tree that was just read.
            photograph: Whether `observe` will follow: the device then takes its screenshot while the second
                tree is read. If that tree is equal to the first one, the screenshot shows the same screen.
            before: The window in focus, if it was read after the last action; None reads it.
        """
        self._discard_picture()
        self._observed = None
        typed, self._typed = self._typed, None
        first = first or typed
        pause = partial(self.wait, _SPINNER_PAUSE)
        # Only ``uiautomator dump`` waits for an idle screen by itself.
        window = self.apps.window if self._server.failed else None
        early = photograph and window is None
        settled = settle(
            self._trees.read,
            self.clock,
            cap=cap,
            pause=pause,
            first=first,
            window=window,
            before=before,
            meanwhile=self._start_picture if early else lambda: None,
        )
        if settled.still and settled.readings == 2:
            self._pictured = settled.reading
        else:
            self._discard_picture()
        self._seen(settled.reading)
        return settled

    def _start_picture(self) -> None:
        with contextlib.suppress(DeviceError):  # `observe` takes another one, or reports the error
            self._picture = screenshots.PendingScreenshot(self.adb)

    def _discard_picture(self) -> None:
        picture, self._picture, self._pictured = self._picture, None, None
        if picture is not None:
            picture.close()

    def _take_picture(self, reading: TreeReading) -> Screenshot:
        """Return the screenshot that was started when this tree was read, or take one now."""
        if self._picture is None or self._pictured is not reading:
            return screenshots.take_screenshot(self.adb, self.info.sdk)
        try:
            return self._picture.result()
        finally:
            self._discard_picture()

    def focus(self) -> Focus:
        """Return the window in focus."""
        return self.apps.focus()

    def observe(self, step: int, *, settled: Settled | None = None, started: float = 0.0) -> Observation:
        """Observe the screen: one tree, one screenshot and the focus.

        Args:
            step: Number of the step, from 0.
            settled: Result of waiting until the screen is still; its tree and window are reused. None
                reads both anew.
            started: The episode's start on the clock, from which `Observation.elapsed` counts.

        Raises:
            TreeUnavailableError: Every source failed.
            DeviceError: The device is gone.
        """
        reading = self._seen(settled.reading if settled else self._trees.read())
        picture = self._take_picture(reading)
        window = settled.window if settled and settled.window else self.apps.window()
        self._observed = (reading.tree, window) if settled and settled.window else None
        if window.display is not None and window.display.rotation not in (None, reading.tree.rotation):
            self._observed = None  # the screen turned in between
            reading = self._seen(self._trees.read())
            picture, window = screenshots.take_screenshot(self.adb, self.info.sdk), self.apps.window()
        rotation = reading.tree.rotation
        self._screen = screen = screen_size(window.display, self.info.size, rotation)
        return Observation(
            step=step,
            tree=reading.tree,
            screenshot=screenshots.upright(picture, rotation=rotation, screen=screen, sdk=self.info.sdk),
            focus=window.focus,
            source=reading.source,
            source_reason=reading.reason,
            elapsed=self.clock.monotonic() - started,
            screen=screen,
            rotation=rotation,
        )

    def perform(self, action: act.Action, screen: Size) -> ActionResult:
        """Perform an action.

        Args:
            action: The action, with coordinates in device pixels.
            screen: Screen size in the current rotation.

        Returns:
            Whether the action was possible. `act.Done` and `act.GiveUp` do nothing here.

        Raises:
            DeviceError: The device is gone or failed.
            HarnessError: A touch is outside `screen`, but the device shows that its size is another one.
        """
        self._typed = None
        observed, self._observed = self._observed, None
        match action:
            case act.Tap():
                return self._at(action.x, action.y, screen, self._touch.tap)
            case act.DoubleTap():
                return self._at(action.x, action.y, screen, self._touch.double_tap)
            case act.LongPress():
                return self._at(action.x, action.y, screen, lambda at: self._touch.long_press(at, action.ms))
            case act.Swipe():
                end = Point(action.x2, action.y2)  # a swipe may end outside the screen, but not start there
                return self._at(
                    action.x1, action.y1, screen, lambda at: self._touch.swipe(at, end, action.ms)
                )
            case act.Drag():
                end = Point(action.x2, action.y2)
                return self._at(action.x1, action.y1, screen, lambda at: self._touch.drag(at, end, action.ms))
            case act.Scroll():
                start, end = scroll_line(action, screen)
                return self._at(start.x, start.y, screen, lambda at: self._touch.swipe(at, end, _SWIPE_MS))
            case act.Type():
                return self._type(action, screen, observed)
            case act.Clear():
                cleared = self._typist.clear(self._unchanged(observed))
                return ActionResult(cleared.ok, cleared.detail)
            case act.Key():
                if action.name not in KEYS:
                    return ActionResult(False, f"unknown key {action.name!r}")
                self._touch.key(KEYS[action.name])
            case act.Back():
                self._touch.key(KEYS["back"])
            case act.Home():
                self._touch.key(KEYS["home"])
            case act.Recents():
                self._touch.key(KEYS["recents"])
            case act.OpenApp():
                if not self.apps.open(action.package):
                    return ActionResult(False, f"the app {action.package} is not installed")
            case act.Wait():
                self.wait(action.seconds)
            case act.Done() | act.GiveUp():
                pass
        return ActionResult()

    def wait(self, seconds: float) -> None:
        """Wait by running ``sleep`` on the device, so that its own clock counts."""
        if self.info.sdk < _FIRST_SDK_WITH_TOYBOX:
            seconds = math.ceil(seconds)  # toolbox's sleep accepts integers only and reads 0.5 as 0
        self.adb.shell(["sleep", f"{seconds:g}"], timeout=seconds + 20)

    def take_toast(self) -> str:
        """Return the last toast since the previous call; empty if there is none, or no server to read it.

        Android leaves toasts out of the UI tree. The server of uiautomator2 learns of them from accessibility
        events (``getLastToast``).

        Raises:
            DeviceError: The device is gone.
        """
        try:
            text = self._server.call("getLastToast")
            if text:
                self._server.call("clearLastToast")
        except U2UnavailableError:
            return ""
        return str(text or "").strip()

    def log_watch(self, tag: str) -> LogWatch:
        """Start watching one tag of logcat."""
        return LogWatch(self.adb, tag)

    def close(self) -> None:
        """Stop what was started on the device."""
        self._discard_picture()
        self._server.stop()

    def __enter__(self) -> Device:
        """Return itself; the end of the block closes it."""
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _at(self, x: int, y: int, screen: Size, touch: Callable[[Point], None]) -> ActionResult:
        if not Rect(0, 0, screen.width, screen.height).contains(Point(x, y)):
            self._check_screen(Point(x, y), screen)
            return ActionResult(False, f"({x}, {y}) is outside the {screen} screen")
        touch(Point(x, y))
        return ActionResult()

    def _check_screen(self, at: Point, screen: Size) -> None:
        """Check that a refused touch is the agent's mistake, and not one about the screen's size.

        Raises:
            HarnessError: The display has another size, or the tree has a window at this point.
        """
        display = self.apps.window().display
        if display is not None and display.size != screen:
            raise HarnessError(
                f"({at.x}, {at.y}) is outside the {screen} screen, but the display is {display.size} now"
            )
        for root in self._last_tree.roots if self._last_tree else ():
            if root.bounds.contains(at):
                raise HarnessError(
                    f"({at.x}, {at.y}) is outside the {screen} screen, but the tree has a window there: "
                    f"{root.bounds}"
                )

    def _unchanged(self, observed: tuple[UiTree, WindowState] | None) -> UiTree | None:
        """Return the tree of the last observation if its window still has the focus and a dump takes seconds.

        Args:
            observed: The tree and the window, if nothing was done on the device since.
        """
        if observed is None:
            return None
        tree, window = observed
        return tree if window.token and self.apps.window().token == window.token else None

    def _type(
        self, action: act.Type, screen: Size, observed: tuple[UiTree, WindowState] | None
    ) -> ActionResult:
        tree = None
        if action.at is None:
            tree = self._unchanged(observed)
        else:
            tapped = self._at(action.at[0], action.at[1], screen, self._touch.tap)
            if not tapped.ok:
                return tapped
        typed = self._typist.type(action.text, replace=action.clear, tree=tree)
        if typed.ok and action.submit:
            self._touch.key(KEYS["enter"])
        elif typed.reading is not None and typed.reading.source is TreeSource.UIAUTOMATOR_DUMP:
            self._typed = typed.reading  # a dump has waited for an idle screen: none is needed to settle
        return ActionResult(typed.ok, typed.detail)


def scroll_line(scroll: act.Scroll, screen: Size) -> tuple[Point, Point]:
    """Return the swipe that performs a scroll; to scroll *down*, the finger moves up.

    Args:
        scroll: Direction of the content to show, position and amount (share of the screen).
        screen: Screen size.

    Returns:
        Start and end of the swipe, within the screen's inner 60%: clear of the system's gesture edges and of
        app bars at the top and bottom, which do not scroll.
    """
    x = scroll.x if scroll.x is not None else screen.width // 2
    y = scroll.y if scroll.y is not None else screen.height // 2
    vertical = scroll.direction in ("up", "down")
    length = round((screen.height if vertical else screen.width) * scroll.amount / 2)
    sign = 1 if scroll.direction in ("down", "right") else -1

    def inside(value: int, limit: int) -> int:
        edge = round(limit * _EDGE)
        return min(max(value, edge), limit - edge)

    if vertical:
        ends = (inside(y + sign * length, screen.height), inside(y - sign * length, screen.height))
        return Point(x, ends[0]), Point(x, ends[1])
    ends = (inside(x + sign * length, screen.width), inside(x - sign * length, screen.width))
    return Point(ends[0], y), Point(ends[1], y)


_PROPS = re.compile(r"^\[(?P<key>[^\]]+)\]: \[(?P<value>.*)\]\s*$", re.MULTILINE)
_LOCALES = (
    "persist.sys.locale",  # the user's choice, since Android 5
    "persist.sys.language",  # the user's choice until Android 4.4
    "ro.product.locale",  # the build's default, since Android 5
    "ro.product.locale.language",  # the build's default until Android 4.4
)
"""The properties with the language, the first one that is set counts."""


def language_of(props: Mapping[str, str]) -> str:
    """Return the language of the system's locale from the system properties; English if none is set."""
    locale = next(filter(None, (props.get(name, "").strip() for name in _LOCALES)), "en-US")
    return locale.replace("_", "-").split("-")[0].lower()


def parse_props(text: str) -> dict[str, str]:
    """Parse the output of ``getprop``; values may have brackets."""
    return dict(_PROPS.findall(text))


def read_info(adb: Adb) -> DeviceInfo:
    """Read a device's properties."""
    props = parse_props(adb.shell(["getprop"]).stdout)
    sizes = re.findall(r"(Physical|Override) size: (\d+)x(\d+)", adb.shell(["wm", "size"]).stdout)
    dense = re.findall(r"(Physical|Override) density: (\d+)", adb.shell(["wm", "density"]).stdout)
    size = {kind: Size(int(width), int(height)) for kind, width, height in sizes}
    density = {kind: int(value) for kind, value in dense}
    return DeviceInfo(
        serial=adb.serial,
        model=props.get("ro.product.model", "unknown"),
        sdk=int(props.get("ro.build.version.sdk", "0") or 0),
        release=props.get("ro.build.version.release", ""),
        size=size.get("Override") or size.get("Physical") or Size(0, 0),
        density=density.get("Override") or density.get("Physical") or 0,
        fingerprint=props.get("ro.build.fingerprint", ""),
        language=language_of(props),
    )
