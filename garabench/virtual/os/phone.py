"""The phone as a whole: its parts, and the screen that they make up."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PIL import Image

from garabench.virtual.apps.framework import App, Context
from garabench.virtual.apps.servers import Unreachable
from garabench.virtual.os import adb_keyboards
from garabench.virtual.os import snapshot as snapshots
from garabench.virtual.os.activities import ActivityManager
from garabench.virtual.os.clock import Latency, PhoneClock
from garabench.virtual.os.context import PhoneContext
from garabench.virtual.os.faults import Faults
from garabench.virtual.os.files import FileSystem
from garabench.virtual.os.hardware import Battery, Clipboard, Connectivity, Display, ProcessTable
from garabench.virtual.os.ime import InputMethods
from garabench.virtual.os.input import InputDispatcher
from garabench.virtual.os.keyguard import Keyguard
from garabench.virtual.os.logcat import LogBuffer
from garabench.virtual.os.notifications import Notification, Notifications
from garabench.virtual.os.packages import PackageManager
from garabench.virtual.os.profile import Profile
from garabench.virtual.os.programs import Programs
from garabench.virtual.os.settings import Settings
from garabench.virtual.os.snapshot import Snapshot
from garabench.virtual.os.storage import Storage
from garabench.virtual.os.tasks import ActivityRecord
from garabench.virtual.os.windows import WindowManager
from garabench.virtual.ui.frame import Frame
from garabench.virtual.ui.render import draw
from garabench.virtual.ui.scene import Scene
from garabench.virtual.ui.widgets import Box, View

Receiver = Callable[[Context, Mapping[str, Any]], tuple[int, str] | None]
_CLOSE_SYSTEM_DIALOGS = "android.intent.action.CLOSE_SYSTEM_DIALOGS"
_HEADS_UP_SDK = 21
_MARKS = "debug.garabench."
"""Begins the properties by which programs that share a phone tell who uses it."""
_EXPLICIT_BROADCASTS_SDK = 26
_TURNING = ("accelerometer_rotation", "user_rotation")
_OBSERVED = (
    ("system", "font_scale"),
    ("secure", "default_input_method"),
    ("secure", "ui_night_mode"),
    ("global", "wifi_on"),
    ("global", "mobile_data"),
    ("global", "airplane_mode_on"),
    ("global", "low_power"),
)


class Phone:
    """A virtual phone; every method has had its whole effect when it returns.

    Attributes:
        profile: Which phone it is.
        seed: Of everything random on it.
        programs: Programs of the shell that run for a while.
        properties: System properties that were set while it runs.
        version: Counts the changes of what is on the screen.
        automation: Who is registered as Android's one UiAutomation, or empty.
        strict: Raise what an app raises, for tests; else it is that app's crash.
        serialno: Its hardware's serial number; what adb calls it is its address.
        rooted: Whether adb's shell may become root by ``su``, as on emulators' userdebug builds.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        apps: Sequence[App],
        seed: int = 0,
        latency: Latency = Latency.INSTANT,
        lang: str = "zh",
        strict: bool = False,
        serialno: str = "",
        rooted: bool = False,
    ) -> None:
        """Switch a phone on.

        Args:
            profile: Which phone.
            apps: What is installed.
            seed: Of everything random on it.
            latency: How time passes.
            lang: ``zh`` or ``en``.
            strict: As the attribute.
            serialno: Its hardware's serial number; made of the version and the seed unless given.
            rooted: As the attribute.
        """
        self.profile = profile
        self.seed = seed
        self.strict = strict
        self.rooted = rooted
        self.serialno = serialno or f"GARA{profile.sdk}S{seed}"
        self.version = 0
        self.automation = ""
        self._apps = tuple(apps)
        self._lang = lang
        self.faults = Faults()
        self.programs = Programs()
        self.faults.watch(self._fault_switched)
        self.clock = PhoneClock(latency)
        self.logcat = LogBuffer(self.clock)
        self.files = FileSystem(lambda: int(self.clock.wall().timestamp()))
        self.files.provide("/proc/uptime", self._uptime)
        self.files.provide("/proc/sys/kernel/random/boot_id", self._boot_id)
        self._starts = 0
        self._boot()

    def _boot(self) -> None:
        self.properties: dict[str, str] = {}
        self.settings = Settings()
        self.display = Display(self.profile.size, self.profile.density, self.settings, self._orientation)
        self.battery = Battery(self.settings)
        self.network = Connectivity(self.settings)
        self.clipboard = Clipboard()
        self.processes = ProcessTable()
        self.packages = PackageManager(self.profile.sdk, self._stopped)
        self.ime = InputMethods(self)
        self.windows = WindowManager(self)
        self.notifications = Notifications(self.changed, self._announce, self._swiped)
        self.activities = ActivityManager(self)
        self.input = InputDispatcher(self)
        self.keyguard = Keyguard(self)
        self.storage = Storage(self)
        self._scene: tuple[tuple[int, str, int | None], Scene] | None = None
        self._frame: tuple[Scene, Frame] | None = None
        for app in self._apps:
            if self.profile.sdk >= app.since:
                self.packages.preinstall(app)
        for namespace, key in _OBSERVED:
            self.settings.observe(namespace, key, lambda value: self.changed())
        for key in _TURNING:
            self.settings.observe("system", key, lambda value: self.activities.turned())
        self.activities.update()

    def _fault_switched(self, name: str, on: bool) -> None:
        if name == "keyboard-up":
            self.windows.greet_again()
        elif name == "not-responding" and not on:
            self.windows.dialogs.forget_hangs()
        self.changed()

    def _orientation(self) -> str:
        return self.activities.orientation

    def _stopped(self, package: str) -> None:
        self.activities.force_stop(package)

    def reset(self, *, seed: int | None = None) -> None:
        """Back to the state after switching on, with the same apps and in the same language.

        Readers of the log stay, and so do the files: what adb has pushed is in use by who pushed it. So does
        the mark of who uses the phone.

        Args:
            seed: From now on the seed of everything random on it; unchanged unless given.
        """
        self.seed = self.seed if seed is None else seed
        self.clock.restart()
        self._starts = 0
        self.logcat.clear()
        marks = {name: value for name, value in self.properties.items() if name.startswith(_MARKS)}
        self._boot()
        self.properties |= marks
        self.changed()

    def reboot(self) -> None:
        """Restart: apps end, what lasts stays, connections break off; unlike a real one it takes no time."""
        self.restore(replace(self.snapshot(), notifications=(), clipboard=None))
        self.properties.clear()
        self.properties["sys.boot.reason"] = "reboot"  # Android tells it from a crash since version 9
        self.clock.start_anew()
        self._starts += 1
        self.logcat.clear()
        self.set_screen(True)
        self.faults.enable("disconnect")

    def snapshot(self) -> Snapshot:
        """The lasting state: settings, apps and their data, notifications."""
        return snapshots.take(self)

    def restore(self, snapshot: Snapshot) -> None:
        """End all apps and put a lasting state back."""
        snapshots.put_back(self, snapshot)

    @property
    def lang(self) -> str:
        """``zh`` or ``en``."""
        return self._lang

    @lang.setter
    def lang(self, value: str) -> None:
        if value not in ("zh", "en"):
            raise ValueError(f"the phone speaks zh and en, not {value!r}")
        self._lang = value
        self.changed()

    def label(self, package: str) -> str:
        """An app's name in the phone's language; the package's own when it is not installed."""
        found = self.packages.get(package)
        if found is None:
            return package
        return found.app.label.get(self._lang) or next(iter(found.app.label.values()))

    def changed(self) -> None:
        """Something on the screen may have changed."""
        self.version += 1

    async def spend(self, milliseconds: int) -> None:
        """Let a command take its time."""
        await self.clock.spend(milliseconds)

    def scene(self) -> Scene:
        """What is on the screen; the same object as long as nothing has changed."""
        self.clock.catch_up()
        shown = (self.clock.wall().strftime("%H:%M"), self.tick)
        if self._scene is None or self._scene[0] != (self.version, *shown):
            scene = self.windows.compose()
            self._scene = ((self.version, *shown), scene)
        return self._scene[1]

    @property
    def tick(self) -> int | None:
        """Counts on while the fault ``animation`` is on, else None."""
        moving = self.faults.active("animation")
        return None if moving is None else self.clock.now_ms() // max(1, int(moving.get("ms", 100)))

    def frame(self) -> Frame:
        """A picture of the screen; an unchanged screen is neither drawn nor encoded twice."""
        scene = self.scene()
        if self._frame is None or self._frame[0] is not scene:
            self._frame = (scene, Frame(draw(scene)))
        if self.faults.active("screencap-black") is not None:
            return Frame(Image.new("RGB", self._frame[1].image.size))
        return self._frame[1]

    def make_context(self, app: App) -> PhoneContext:
        """A context for one of an app's activities."""
        return PhoneContext(self, app)

    def build(self, record: ActivityRecord) -> View:
        """An activity's view; an empty one when the app fails at it."""
        built: list[View] = []
        self.run_app(record.app.package, lambda: built.append(record.activity.build()))
        return built[0] if built else Box()

    def build_dialog(self, record: ActivityRecord) -> View | None:
        """The dialog that an activity shows, or None."""
        built: list[View | None] = []
        self.run_app(record.app.package, lambda: built.append(record.activity.dialog()))
        return built[0] if built else None

    def run_app(self, package: str, call: Callable[[], object]) -> bool:
        """Call into an app; what it raises is its crash, not the phone's.

        An app that cannot reach its servers says so, and is done with the call.

        Returns:
            Whether the call returned something true.
        """
        try:
            return bool(call())
        except Unreachable as error:
            self.windows.toast(error.notice, package)
            return True
        except Exception as error:  # an app may raise anything
            if self.strict:
                raise
            logging.getLogger(__name__).exception("%s crashed", package)
            reason = f"java.lang.RuntimeException: {type(error).__name__}: {error}"
            self.activities.crash(package, reason)
            return False

    def broadcast(self, action: str, extras: dict[str, object], package: str = "") -> tuple[int, str]:
        """Send a broadcast; result code and data of the last receiver (0 and empty without one).

        Since Android 8 the receivers that apps' manifests name hear only what is sent to their own package.
        """
        if not package or package == self.ime.default.partition("/")[0]:
            answered = adb_keyboards.answer(self, action, extras)
            if answered is not None:
                return answered
        if action == _CLOSE_SYSTEM_DIALOGS and not package:
            self.windows.dialogs.dismiss()
            self.changed()
        code, data = 0, ""
        if not package and self.profile.sdk >= _EXPLICIT_BROADCASTS_SDK:
            return code, data
        for installed in self.packages.all():
            app = installed.app
            receiver = app.receivers.get(action)
            if receiver is None or not installed.enabled or (package and app.package != package):
                continue
            self.processes.start(app.package)
            answer = self._receive(app, receiver, extras)
            if answer is not None:
                code, data = answer
        self.changed()
        return code, data

    def _announce(self, note: Notification) -> None:
        """Show a notification: by its full-screen intent where Android follows that, else at the top.

        Up to 4.4 it always does, and shows none at the top; newer ones do while the phone is not in use.
        """
        old = self.profile.sdk < _HEADS_UP_SDK
        if note.full_screen and note.intent and (old or not self.in_use):
            self.activities.start(note.intent, caller=note.package)
        elif not old:
            self.windows.show_heads_up(note)

    def _swiped(self, note: Notification) -> None:
        if note.deleted is not None:
            self.broadcast(note.deleted.action, dict(note.deleted.extras), note.package)

    def _receive(self, app: App, receiver: Receiver, extras: dict[str, object]) -> tuple[int, str] | None:
        answers: list[tuple[int, str] | None] = []
        context = self.make_context(app)
        self.run_app(app.package, lambda: answers.append(receiver(context, extras)))
        return answers[0] if answers else None

    @property
    def in_use(self) -> bool:
        """Whether apps are to be seen: the screen is lit, and not locked."""
        return self.display.screen_on and not self.keyguard.showing

    def _uptime(self) -> bytes:
        """Seconds since the start, and those that all cores together were idle."""
        seconds = self.clock.uptime_ms / 1000
        return f"{seconds:.2f} {seconds:.2f}\n".encode()

    def _boot_id(self) -> bytes:
        """Another UUID after each start, as the kernel makes it; the same in runs that are the same."""
        return f"{uuid.uuid5(uuid.NAMESPACE_OID, f'{self.serialno} {self._starts}')}\n".encode()

    def press_back(self) -> None:
        """The Back key: closes the keyboard, what lies above, a dialog, or the activity."""
        if self.input.stuck():
            return
        if self.ime.hide() or self.windows.back():
            return
        self.activities.back()

    def press_home(self) -> None:
        """The Home key."""
        self.ime.hide(drop_focus=True)
        self.windows.close_overlay()
        self.activities.home()

    def set_screen(self, on: bool) -> None:
        """Light the screen up, or switch it off."""
        if self.display.screen_on == on:
            return
        self.display.screen_on = on
        if not on:
            self.keyguard.lock()
        self.activities.update()
