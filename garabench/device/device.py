"""`Device`: one Android device as the rest of GaraBench sees it.

It knows Android through adb and uiautomator2 only; whether it is a phone, an emulator or the embedded
virtual phone makes no difference here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from garabench.core import action as act
from garabench.core.clock import Clock
from garabench.core.geometry import Point, Rect, Size
from garabench.core.keys import KEYS
from garabench.core.observation import Focus, Observation
from garabench.device import screens
from garabench.device.adb import Adb
from garabench.device.apps import Apps
from garabench.device.keyboards import BroadcastKeyboard
from garabench.device.logs import LogWatch
from garabench.device.settle import Settled, settle
from garabench.device.text import Typist
from garabench.device.touch import Touch
from garabench.device.trees import DumpSource, TreeReader, TreeReading, U2Source
from garabench.device.u2 import U2Server
from garabench.device.undo.journal import Journal
from garabench.errors import DeviceOffline, DeviceUnauthorized

SETTLE_CAP = 5.0
_FIRST_SDK_WITH_U2 = 21  # the server's jar needs app_process with a class path, and ART
_FIRST_SDK_WITH_TOYBOX = 23
_SWIPE_MS = 400
_EDGE = 0.2  # share of the screen's height or width in which no scroll starts
_SPINNER_PAUSE = 0.25  # seconds; twelve readings with it come to about the cap


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """What a device is: the fingerprint that a run records.

    Attributes:
        serial: As ``adb devices`` lists it.
        model: ``ro.product.model``.
        sdk: API level.
        release: Android's version.
        size: Natural size in pixels, with an override where one is set.
        density: dots per inch.
        fingerprint: ``ro.build.fingerprint``.
        language: ``zh``, ``en``, … of the system's locale.
    """

    serial: str
    model: str
    sdk: int
    release: str
    size: Size
    density: int
    fingerprint: str
    language: str


@dataclass(frozen=True, slots=True)
class Performed:
    """How an action ended.

    Attributes:
        ok: False when the action made no sense on this screen (no field to type into, an app that is
            not installed): the agent's mistake, not an error.
        detail: Why not, or how.
    """

    ok: bool = True
    detail: str = ""


class Device:
    """A connected Android device.

    Attributes:
        adb: The connection.
        info: What it is.
        clock: For every wait and limit.
        apps: Its apps.
        journal: What was changed on it and has to be put back; in memory, unless whoever keeps the device
            for longer than this process has put one on disk in its place.
    """

    def __init__(self, adb: Adb, info: DeviceInfo, clock: Clock, server: U2Server) -> None:
        """Use `connect` to make one."""
        self.adb = adb
        self.info = info
        self.clock = clock
        self.apps = Apps(adb, info.sdk)
        self.journal = Journal.in_memory(adb.serial)
        self._server = server
        self._screen = info.size
        self._touch = Touch(adb, server)
        self._trees = TreeReader((U2Source(server), DumpSource(adb)))
        self._keyboard = BroadcastKeyboard(adb, clock)
        self._typist = Typist(adb, server, self._touch, self._trees, self._keyboard)

    @classmethod
    def connect(cls, serial: str, clock: Clock, *, use_u2: bool = True) -> Device:
        """Connect to a device that the adb server lists.

        Args:
            serial: As ``adb devices`` lists it.
            clock: For every wait and limit.
            use_u2: False keeps to plain adb.

        Raises:
            DeviceUnreachable, DeviceUnauthorized, DeviceOffline: It cannot be used, and why.
        """
        adb = Adb(serial, clock)
        state = adb.state()
        if state == "unauthorized":
            raise DeviceUnauthorized(
                f"{serial} has not accepted this computer's key: unlock it and confirm 'Allow USB debugging'"
            )
        if state != "device":
            raise DeviceOffline(f"{serial} cannot be used: adb says it is {state}")
        info = read_info(adb)
        return cls(adb, info, clock, U2Server(adb, enabled=use_u2 and info.sdk >= _FIRST_SDK_WITH_U2))

    def revive(self) -> None:
        """Try again what was given up, and undo what a run that was killed may have left.

        For the start of an episode.

        Raises:
            DeviceError: The device is gone.
        """
        self._server.revive()
        self._keyboard.leave()

    @property
    def screen(self) -> Size:
        """Size of the screen at its present rotation, as the last observation saw it."""
        return self._screen

    def look(self) -> TreeReading:
        """Read the tree once, whether the screen is still or not.

        Raises:
            TreeUnavailable: No source gave a tree.
            DeviceError: The device is gone.
        """
        return self._trees.read()

    def settle(self, cap: float = SETTLE_CAP, *, first: TreeReading | None = None) -> Settled:
        """Wait until the screen is still; see `garabench.device.settle`."""
        pause = partial(self.wait, _SPINNER_PAUSE)
        return settle(self._trees.read, self.clock, cap=cap, pause=pause, first=first)

    def focus(self) -> Focus:
        """The window in focus."""
        return self.apps.focus()

    def observe(self, step: int, *, settled: Settled | None = None, started: float = 0.0) -> Observation:
        """Take one tree, one screenshot and one focus.

        Args:
            step: Number of the step, from 0.
            settled: A wait for stillness that has just ended: its tree is taken over, not read again.
            started: The episode's start on the clock, from which `Observation.elapsed` counts.

        Raises:
            TreeUnavailable: No source gave a tree.
            DeviceError: The device is gone.
        """
        reading = settled.reading if settled else self._trees.read()
        screenshot = screens.take(self.adb, self.info.sdk)
        self._screen = screenshot.size
        return Observation(
            step=step,
            tree=reading.tree,
            screenshot=screenshot,
            focus=self.focus(),
            source=reading.source,
            source_reason=reading.reason,
            elapsed=self.clock.monotonic() - started,
            screen=screenshot.size,
            rotation=reading.tree.rotation,
        )

    def perform(self, action: act.Action, screen: Size) -> Performed:
        """Do what an agent decided.

        Args:
            action: The action; coordinates in device pixels.
            screen: Size of the screen at its present rotation, for scrolls without a place.

        Returns:
            Whether it made sense; `act.Done` and `act.GiveUp` do nothing here.

        Raises:
            DeviceError: The device is gone or failed.
        """
        match action:
            case act.Tap():
                return self._at(action.x, action.y, screen, self._touch.tap)
            case act.DoubleTap():
                return self._at(action.x, action.y, screen, self._touch.double_tap)
            case act.LongPress():
                return self._at(action.x, action.y, screen, lambda at: self._touch.long_press(at, action.ms))
            case act.Swipe():
                end = Point(action.x2, action.y2)  # a finger may leave the screen, but not come from outside
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
                return self._type(action, screen)
            case act.Clear():
                cleared = self._typist.clear()
                return Performed(cleared.ok, cleared.detail)
            case act.Key():
                if action.name not in KEYS:
                    return Performed(False, f"no key is called {action.name!r}")
                self._touch.key(KEYS[action.name])
            case act.Back():
                self._touch.key(KEYS["back"])
            case act.Home():
                self._touch.key(KEYS["home"])
            case act.Recents():
                self._touch.key(KEYS["recents"])
            case act.OpenApp():
                if not self.apps.open(action.package):
                    return Performed(False, f"no app {action.package} is installed")
            case act.Wait():
                self.wait(action.seconds)
            case act.Done() | act.GiveUp():
                pass
        return Performed()

    def wait(self, seconds: float) -> None:
        """Let time pass on the device, by its own clock (a plain sleep on it)."""
        if self.info.sdk < _FIRST_SDK_WITH_TOYBOX:
            seconds = math.ceil(seconds)  # toolbox's sleep reads a whole number and takes 0.5 for 0
        self.adb.shell(["sleep", f"{seconds:g}"], timeout=seconds + 20)

    def log_watch(self, tag: str) -> LogWatch:
        """Begin to watch one tag of logcat, from now on."""
        return LogWatch(self.adb, tag)

    def close(self) -> None:
        """Stop what was started on the device."""
        self._server.stop()

    def _at(self, x: int, y: int, screen: Size, touch: Callable[[Point], None]) -> Performed:
        if not Rect(0, 0, screen.width, screen.height).contains(Point(x, y)):
            return Performed(False, f"({x}, {y}) is outside of the {screen} screen")
        touch(Point(x, y))
        return Performed()

    def _type(self, action: act.Type, screen: Size) -> Performed:
        if action.at is not None:
            tapped = self._at(action.at[0], action.at[1], screen, self._touch.tap)
            if not tapped.ok:
                return tapped
        typed = self._typist.type(action.text, replace=action.clear)
        if typed.ok and action.submit:
            self._touch.key(KEYS["enter"])
        return Performed(typed.ok, typed.detail)


def scroll_line(scroll: act.Scroll, screen: Size) -> tuple[Point, Point]:
    """The finger's line for a scroll: scrolling *down* shows what is further down, so the finger goes up.

    Args:
        scroll: Direction of the content to show, place and amount (share of the screen).
        screen: Size of the screen.

    Returns:
        Where the finger starts and ends, within the screen's inner 60 %: clear of the system's edges, and of
        an app's bars at its top and bottom, which do not scroll.
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


_PROPS = re.compile(r"^\[(?P<key>[^\]]+)\]: \[(?P<value>[^\]]*)\]\s*$", re.MULTILINE)


def read_info(adb: Adb) -> DeviceInfo:
    """Read what a device is."""
    props = dict(_PROPS.findall(adb.shell(["getprop"]).stdout))
    sizes = re.findall(r"(Physical|Override) size: (\d+)x(\d+)", adb.shell(["wm", "size"]).stdout)
    dense = re.findall(r"(Physical|Override) density: (\d+)", adb.shell(["wm", "density"]).stdout)
    size = {kind: Size(int(width), int(height)) for kind, width, height in sizes}
    density = {kind: int(value) for kind, value in dense}
    locale = props.get("persist.sys.locale") or props.get("ro.product.locale") or "en-US"
    return DeviceInfo(
        serial=adb.serial,
        model=props.get("ro.product.model", "unknown"),
        sdk=int(props.get("ro.build.version.sdk", "0") or 0),
        release=props.get("ro.build.version.release", ""),
        size=size.get("Override") or size.get("Physical") or Size(0, 0),
        density=density.get("Override") or density.get("Physical") or 0,
        fingerprint=props.get("ro.build.fingerprint", ""),
        language=locale.replace("_", "-").split("-")[0].lower(),
    )
