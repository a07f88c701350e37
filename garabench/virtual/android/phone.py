"""The virtual phone: composes the system services and the screen."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PIL import Image

from garabench.core.memory_image import Outside
from garabench.virtual.android import adb_keyboards, running_snapshot
from garabench.virtual.android import snapshot as snapshots
from garabench.virtual.android.activity_manager import ActivityManager
from garabench.virtual.android.app_context import PhoneContext
from garabench.virtual.android.defect_host import PhoneDefectHost
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.faults import Faults
from garabench.virtual.android.file_system import OLD_SHARED_STORAGE, SHARED_STORAGE, FileSystem
from garabench.virtual.android.hardware import Battery, Clipboard, Connectivity, Display, ProcessTable
from garabench.virtual.android.input_devices import InputDevices
from garabench.virtual.android.input_dispatcher import InputDispatcher
from garabench.virtual.android.input_methods import InputMethods
from garabench.virtual.android.keyguard import Keyguard
from garabench.virtual.android.log_buffer import LogBuffer
from garabench.virtual.android.notifications import Notification, Notifications
from garabench.virtual.android.package_manager import PackageManager
from garabench.virtual.android.phone_clock import Latency, PhoneClock
from garabench.virtual.android.programs import ShellPrograms
from garabench.virtual.android.running_snapshot import RunningSnapshot
from garabench.virtual.android.sensors import Sensors
from garabench.virtual.android.service_state import ServiceState
from garabench.virtual.android.settings import Settings
from garabench.virtual.android.snapshot import Snapshot
from garabench.virtual.android.storage import Storage
from garabench.virtual.android.task_records import ActivityRecord
from garabench.virtual.android.window_manager import WindowManager
from garabench.virtual.defects.switchboard import Defects
from garabench.virtual.kit.framework import App, Context
from garabench.virtual.kit.server_calls import NetworkUnreachableError
from garabench.virtual.ui.frame import Frame
from garabench.virtual.ui.render import draw_screen
from garabench.virtual.ui.scene import Scene
from garabench.virtual.ui.widgets import Box, Widget

Receiver = Callable[[Context, Mapping[str, Any]], tuple[int, str] | None]
_CLOSE_SYSTEM_DIALOGS = "android.intent.action.CLOSE_SYSTEM_DIALOGS"
_HEADS_UP_SDK = 21
_MARK_PREFIX = "debug.garabench."
"""Prefix of the properties by which programs that share a phone mark its user."""
_EXPLICIT_BROADCASTS_SDK = 26
_SELF_STORAGE_SDK = 23
_ROTATION_SETTINGS = ("accelerometer_rotation", "user_rotation")
_SCREEN_SETTINGS = (
    ("system", "font_scale"),
    ("secure", "default_input_method"),
    ("secure", "ui_night_mode"),
    ("global", "wifi_on"),
    ("global", "mobile_data"),
    ("global", "airplane_mode_on"),
    ("global", "low_power"),
)


class Phone:
    """A virtual phone; all effects of a method have happened when it returns.

    Attributes:
        profile: Its device profile.
        seed: Random seed.
        programs: The running shell programs.
        properties: System properties set at run time.
        version: Counts the changes of the screen.
        automation: The registered UiAutomation client, or empty.
        state_lock: The lock of the apps' states; empty if they are open. Only a reset opens it without a key.
        strict: Propagate exceptions of apps, for tests; else they crash the app.
        serialno: Hardware serial number; the serial in adb is its address.
        rooted: Whether the shell may use ``su``, as on the userdebug builds of emulators.
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
        """Boot a phone.

        Args:
            profile: Device profile.
            apps: The preinstalled apps.
            seed: Random seed.
            latency: Latency profile.
            lang: Language, ``zh`` or ``en``.
            strict: See the attribute.
            serialno: Hardware serial number; by default derived from the version and the seed.
            rooted: See the attribute.
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
        self.state_lock = ""
        self.faults = Faults()
        self.defects = Defects(PhoneDefectHost(self))
        self.programs = ShellPrograms()
        self.faults.watch(self._on_fault)
        self.clock = PhoneClock(latency, zone=profile.zone)
        self.logcat = LogBuffer(self.clock)
        self.files = FileSystem(
            lambda: int(self.clock.wall().timestamp()),
            SHARED_STORAGE if profile.sdk >= _SELF_STORAGE_SDK else OLD_SHARED_STORAGE,
        )
        self.files.provide("/proc/uptime", self._uptime)
        self.files.provide("/proc/sys/kernel/random/boot_id", self._boot_id)
        self._boots = 0
        self.input_devices = InputDevices(self)
        self._boot()

    def _boot(self) -> None:
        self.properties: dict[str, str] = {}
        self.settings = Settings(self.profile.sdk)
        self.sensors = Sensors(self._on_turned)
        self.display = Display(
            self.profile.size, self.profile.density, self.settings, self._orientation, self._sensed_rotation
        )
        self.battery = Battery(self.settings)
        self.network = Connectivity(self.settings)
        self.clipboard = Clipboard()
        self.processes = ProcessTable()
        self.packages = PackageManager(self.profile.sdk, self._on_stopped)
        self.ime = InputMethods(self)
        self.windows = WindowManager(self)
        self.notifications = Notifications(self.changed, self._on_posted, self._on_swiped)
        self.activities = ActivityManager(self)
        self.input = InputDispatcher(self)
        self.input_devices.reset()
        self.keyguard = Keyguard(self)
        self.storage = Storage(self)
        self.services = ServiceState()
        self.files.is_remounted = False
        self._scene: tuple[tuple[int, str, int | None], Scene] | None = None
        self._frame: tuple[Scene, Frame] | None = None
        for app in self._apps:
            if self.profile.sdk >= app.since:
                self.packages.preinstall(app.on(self.profile.sdk))
        for namespace, key in _SCREEN_SETTINGS:
            self.settings.observe(namespace, key, lambda value: self.changed())
        for key in _ROTATION_SETTINGS:
            self.settings.observe(
                "system", key, lambda value: self.activities.dispatch_configuration_change()
            )
        self.activities.update()
        if self.keyguard.secret:
            self.keyguard.secret_changed()

    def _on_fault(self, name: str, on: bool) -> None:
        if name == "keyboard-up":
            self.windows.reset_autofocus()
        elif name == "not-responding" and not on:
            self.windows.dialogs.dismiss_anr_dialogs()
        elif name == "credential-lock":
            self.keyguard.secret_changed()
        self.changed()

    def _orientation(self) -> str:
        return self.activities.orientation

    def _sensed_rotation(self) -> int:
        return self.sensors.rotation

    def _on_turned(self) -> None:
        """Turn the screen as the phone has been turned, if it rotates by itself."""
        if self.settings.get("system", "accelerometer_rotation") == "1":
            self.activities.dispatch_configuration_change()
            self.changed()

    def _on_stopped(self, package: str) -> None:
        self.activities.force_stop(package)

    def reset(self, *, seed: int | None = None) -> None:
        """Return to the state after boot, with the same apps and language.

        Log readers, files (pushed files are in use by the client that pushed them) and the mark of the
        phone's user stay.

        Args:
            seed: New random seed; unchanged unless given.
        """
        self.seed = self.seed if seed is None else seed
        self.clock.restart()
        self._boots = 0
        self.state_lock = ""
        self.logcat.restart()
        marks = {name: value for name, value in self.properties.items() if name.startswith(_MARK_PREFIX)}
        self._boot()
        self.properties |= marks
        self.changed()

    def reboot(self) -> None:
        """Reboot: apps end, storage stays, connections drop; unlike a real reboot it takes no time."""
        self.restore(replace(self.snapshot(), notifications=(), clipboard=None))
        self.properties.clear()
        self.properties["sys.boot.reason"] = "reboot"  # since Android 9 it differs from a crash's
        self.clock.reboot()
        self.services.verity = self.services.verity_after_boot
        self.services.permissive = self.services.framework_stopped = self.files.is_remounted = False
        self._boots += 1
        self.logcat.restart(keep_last=True)
        self.set_screen(True)
        self.faults.enable("disconnect")

    def snapshot(self) -> Snapshot:
        """Take a snapshot: settings, apps and their data, notifications."""
        return snapshots.take_snapshot(self)

    def restore(self, snapshot: Snapshot) -> None:
        """End all apps and restore a snapshot."""
        snapshots.restore_snapshot(self, snapshot)

    def save_running(
        self, programs: Sequence[object] = (), outside: Outside | None = None
    ) -> RunningSnapshot:
        """Take a snapshot of the running phone: what is on screen, on the back stacks, due later, everything.

        Args:
            programs: The memory of programs that run next to the apps.
            outside: What is not part of that memory.

        Raises:
            UnsupportedObjectError: An app holds an object that cannot be saved.
        """
        return running_snapshot.take_running_snapshot(self, programs, outside or {})

    def load_running(self, snapshot: RunningSnapshot) -> None:
        """Continue from the moment of a snapshot of the running phone.

        Switched faults, running shell programs and readers of the log stay as they are.
        """
        running_snapshot.resume(self, snapshot)
        self._scene = self._frame = None
        self.changed()

    @property
    def lang(self) -> str:
        """``zh`` or ``en``."""
        return self._lang

    @lang.setter
    def lang(self, value: str) -> None:
        if value not in ("zh", "en"):
            raise ValueError(f"a phone's language is zh or en, not {value!r}")
        self._lang = value
        self.changed()

    def label(self, package: str) -> str:
        """Return an app's label in the phone's language; the package name if it is not installed."""
        found = self.packages.get(package)
        if found is None:
            return package
        return found.app.label.get(self._lang) or next(iter(found.app.label.values()))

    def changed(self) -> None:
        """Note that the screen may have changed."""
        self.version += 1

    async def spend(self, milliseconds: int) -> None:
        """Spend the time that a command takes."""
        await self.clock.spend(milliseconds)

    def scene(self) -> Scene:
        """Return the current scene; the same object until something changes."""
        self.clock.catch_up()
        shown = (self.clock.wall().strftime("%H:%M"), self.tick)
        if self._scene is None or self._scene[0] != (self.version, *shown):
            scene = self.windows.compose()
            self._scene = ((self.version, *shown), scene)
        return self._scene[1]

    @property
    def tick(self) -> int | None:
        """A counter that advances while the fault ``animation`` is on, else None."""
        moving = self.faults.active("animation")
        return None if moving is None else self.clock.now_ms() // max(1, int(moving.get("ms", 100)))

    def frame(self) -> Frame:
        """Return the rendered screen; an unchanged screen is neither rendered nor encoded twice."""
        scene = self.scene()
        if self._frame is None or self._frame[0] is not scene:
            self._frame = (scene, Frame(draw_screen(scene)))
        if self.faults.active("screencap-black") is not None:
            return Frame(Image.new("RGB", self._frame[1].image.size))
        return self._frame[1]

    def make_context(self, app: App) -> PhoneContext:
        """Create a context for an activity of an app."""
        return PhoneContext(self, app)

    def build(self, record: ActivityRecord) -> Widget:
        """Build an activity's view; an empty one if the app raises."""
        built: list[Widget] = []
        package = record.app.package
        self.defects.shown(package, record.name)
        self.run_app(package, lambda: built.append(record.activity.build()))
        return self.defects.rewrite(built[0], package, record.name) if built else Box()

    def build_dialog(self, record: ActivityRecord) -> Widget | None:
        """Build an activity's dialog, or None."""
        built: list[Widget | None] = []
        self.run_app(record.app.package, lambda: built.append(record.activity.dialog()))
        view = built[0] if built else None
        return None if view is None else self.defects.rewrite(view, record.app.package, record.name)

    def run_app(self, package: str, call: Callable[[], object]) -> bool:
        """Call into an app; an exception crashes the app, not the phone.

        An app that cannot reach its servers shows so, and the call ends.

        Returns:
            Whether the call returned a true value.
        """
        try:
            return bool(call())
        except NetworkUnreachableError as error:
            self.windows.toast(error.notice, package)
            return True
        except (Exception, SystemExit) as error:  # an app may raise anything, and exit
            if self.strict:
                raise
            logging.getLogger(__name__).exception("%s crashed", package)
            reason = f"java.lang.RuntimeException: {type(error).__name__}: {error}"
            self.activities.crash(package, reason)
            return False

    def broadcast(self, action: str, extras: dict[str, object], package: str = "") -> tuple[int, str]:
        """Send a broadcast; return result code and data of the last receiver (0 and empty without one).

        Since Android 8 manifest receivers get only broadcasts sent to their package.
        """
        if not package or package == self.ime.default.partition("/")[0]:
            answered = adb_keyboards.handle_broadcast(self, action, extras)
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
            if receiver is None or not installed.available or (package and app.package != package):
                continue
            self.processes.start(app.package)
            handle_broadcast = self._receive(app, receiver, extras)
            if handle_broadcast is not None:
                code, data = handle_broadcast
        self.changed()
        return code, data

    def _on_posted(self, note: Notification) -> None:
        """Present a notification: by its full-screen intent where Android follows it, else as heads-up.

        Android 4.4 always follows it and has no heads-up; newer versions do while the phone is not in use.
        """
        old = self.profile.sdk < _HEADS_UP_SDK
        if note.full_screen and note.intent and (old or not self.in_use):
            self.activities.start(note.intent, caller=note.package)
        elif not old:
            self.windows.show_heads_up(note)

    def _on_swiped(self, note: Notification) -> None:
        if note.delete_intent is not None:
            self.broadcast(note.delete_intent.action, dict(note.delete_intent.extras), note.package)

    def _receive(self, app: App, receiver: Receiver, extras: dict[str, object]) -> tuple[int, str] | None:
        answers: list[tuple[int, str] | None] = []
        context = self.make_context(app)
        self.run_app(app.package, lambda: answers.append(receiver(context, extras)))
        return answers[0] if answers else None

    @property
    def in_use(self) -> bool:
        """Whether the screen is on and unlocked."""
        return self.display.screen_on and not self.keyguard.showing

    def _uptime(self) -> bytes:
        """Return seconds since boot, and the idle seconds of all cores."""
        seconds = self.clock.uptime_ms / 1000
        return f"{seconds:.2f} {seconds:.2f}\n".encode()

    def _boot_id(self) -> bytes:
        """Return the kernel's boot id: a new UUID after each boot, deterministic across runs."""
        return f"{uuid.uuid5(uuid.NAMESPACE_OID, f'{self.serialno} {self._boots}')}\n".encode()

    def press_back(self) -> None:
        """The Back key: closes the keyboard, an overlay, a dialog, or the activity."""
        if self.input.stuck() or self._holds_keyboard():
            return
        if self.ime.hide() or self.windows.back():
            return
        self.activities.back()

    def _holds_keyboard(self) -> bool:
        """Return whether a defect of the foreground app leaves the keyboard open."""
        record = self.activities.resumed
        return (
            self.ime.shown
            and record is not None
            and self.defects.holds_keyboard(record.app.package, record.name)
        )

    def press_home(self) -> None:
        """The Home key."""
        self.ime.hide(drop_focus=True)
        self.windows.close_overlay()
        self.activities.home()

    def set_screen(self, on: bool) -> None:
        """Switch the screen on or off."""
        if self.display.screen_on == on:
            return
        self.display.screen_on = on
        if not on:
            self.keyguard.lock()
        self.activities.update()
