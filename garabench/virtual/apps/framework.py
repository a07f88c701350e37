"""What an app of the virtual phone is made of: `App`, `Activity`, `Intent`, `Context`.

An app is a small program in the manner of Android's own: a package with activities; the system starts
an activity with an intent, asks it for its view, delivers taps to the view's handlers, and keeps a back
stack. An app's lasting data (`Context.data`) survives leaving the app and a force-stop, and is wiped by
``pm clear``; an activity's attributes die with it.

Apps know the phone through `Context` alone.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from garabench.virtual.ui.widgets import View

Texts = Mapping[str, str]
"""A text for people, by language: ``{"zh": "设置", "en": "Settings"}``."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What is asked of an activity, as in `android.content.Intent`.

    Attributes:
        action: Such as ``android.intent.action.VIEW``.
        package, activity: The component; the activity's class name is fully qualified.
        data: A URI.
        extras: Typed extras (str, int, bool, float).
        flags: Names such as ``NEW_TASK``, ``CLEAR_TOP``, ``SINGLE_TOP``, ``CLEAR_TASK``.
        categories: Such as ``android.intent.category.LAUNCHER``.
    """

    action: str = ""
    package: str = ""
    activity: str = ""
    data: str = ""
    extras: Mapping[str, Any] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class IntentFilter:
    """Which implicit intents an activity answers: by action, and scheme and host of the data."""

    action: str
    scheme: str = ""
    host: str = ""
    category: str = "android.intent.category.DEFAULT"


class Timer(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """Forget it; harmless when it has already run."""
        ...


class Context(Protocol):
    """The phone as an app's activity sees it."""

    package: str

    @property
    def data(self) -> dict[str, Any]:
        """The app's lasting data: JSON-like values only."""
        ...

    @property
    def lang(self) -> str:
        """``"zh"`` or ``"en"``: the phone's language."""
        ...

    @property
    def sdk(self) -> int:
        """The API level of the phone."""
        ...

    @property
    def online(self) -> bool:
        """Whether the phone has a working network."""
        ...

    @property
    def dark(self) -> bool:
        """Whether dark mode is on."""
        ...

    @property
    def width_dp(self) -> float:
        """Width of the app's area in dp, at the present rotation."""
        ...

    @property
    def height_dp(self) -> float:
        """Height of the app's area in dp, without the system bars."""
        ...

    def t(self, zh: str, en: str) -> str:
        """The text in the phone's language."""
        ...

    def now(self) -> dt.datetime:
        """The phone's wall clock."""
        ...

    def random(self, *names: str | int) -> random.Random:
        """A generator that depends on the phone's seed, the package and the names alone."""
        ...

    def start(self, intent: Intent) -> None:
        """Start an activity; an intent that nothing answers shows a toast, as on Android."""
        ...

    def open(self, activity: str, **extras: Any) -> None:
        """Start another activity of this app by the name it has in `App.activities`."""
        ...

    def finish(self) -> None:
        """End this activity and go back to the one before."""
        ...

    def relaunch(self) -> None:
        """End this app's task and start its first screen."""
        ...

    def invalidate(self) -> None:
        """Ask for the view to be built again. Handlers and timers do it by themselves."""
        ...

    def toast(self, text: str) -> None:
        """Show a toast for two seconds."""
        ...

    def after(self, milliseconds: int, call: Callable[[], None]) -> Timer:
        """Call later, in the phone's time, unless the activity has been destroyed by then."""
        ...

    def log(self, tag: str, message: str, level: str = "I") -> None:
        """Write a line to logcat under this app's process."""
        ...

    def hide_keyboard(self) -> None:
        """Close the soft keyboard and drop the focus."""
        ...

    def focus(self, key: str) -> None:
        """Give the text field with this key (or id) the focus and show the keyboard."""
        ...

    def scroll_to(self, key: str, offset_dp: float = 0) -> None:
        """Set the scroll position of the scrollable with this key (or id)."""
        ...

    def notify(self, channel: str, title: str, text: str, intent: Intent | None = None) -> None:
        """Post a notification."""
        ...

    def permission(self, name: str) -> bool:
        """Whether this app holds the permission, by its full Android name."""
        ...

    def request_permission(self, name: str, done: Callable[[bool], None]) -> None:
        """Show the system's permission dialog (or answer at once where it is already decided)."""
        ...

    @property
    def system(self) -> Any:
        """The `Phone` itself, for system apps (Settings, launcher, SystemUI) only; others raise."""
        ...


class Activity:
    """One screen of an app.

    Subclasses set attributes in `on_create`, build the view in `build`, and change attributes in
    handlers. Class attributes say what the manifest says.
    """

    translucent: ClassVar[bool] = False
    """Whether what is below stays visible (a dialog-themed activity)."""
    exported: ClassVar[bool] = True
    launch_mode: ClassVar[str] = "standard"
    """``standard``, ``singleTop`` or ``singleTask``."""
    orientation: ClassVar[str] = ""
    """``""`` follows the phone; ``portrait`` or ``landscape`` are forced."""
    filters: ClassVar[tuple[IntentFilter, ...]] = ()
    status_bar: str = "#FFFFFF"
    """Colour behind the status bar; its icons are dark or light by contrast. It may change with the view."""
    full_screen: ClassVar[bool] = False
    """No status bar, and the content reaches below the navigation bar."""
    secure: ClassVar[bool] = False
    """FLAG_SECURE: black in screenshots."""
    excluded_from_recents: ClassVar[bool] = False

    restored: bool = False
    """Whether it is made anew in `on_create` because its process had ended: it has a saved state."""

    def __init__(self, ctx: Context, intent: Intent) -> None:
        self.ctx = ctx
        self.intent = intent

    def build(self) -> View:
        """The whole view of the screen for the present state; called again after every change."""
        raise NotImplementedError

    def dialog(self) -> View | None:
        """A dialog over the screen, or None.

        It is a window of its own, centred (or at the bottom with ``align_vertical=END``), with a dim
        behind it.
        """
        return None

    def on_dismiss_dialog(self) -> None:
        """Back was pressed (or a tap fell outside, see `on_touch_outside`) while `dialog` gave one.

        Change the state so that it gives None, or do nothing to hold it open.
        """

    def on_touch_outside(self) -> None:
        """A tap fell beside the dialog that `dialog` gave."""
        self.on_dismiss_dialog()

    def on_create(self) -> None:
        """Called once, before the first `build`."""

    def on_configuration_changed(self) -> None:
        """The screen was turned; told when it is seen, or seen again."""

    def on_new_intent(self, intent: Intent) -> None:
        """Another intent for a singleTop or singleTask activity that is already there."""

    def on_resume(self) -> None:
        """It has come (back) to the front."""

    def on_pause(self) -> None:
        """It is leaving the front."""

    def on_stop(self) -> None:
        """It is no longer visible (another app, home, screen off)."""

    def on_destroy(self) -> None:
        """It is gone for good."""

    def on_back(self) -> bool:
        """Back was pressed; True when handled here, False to finish the activity."""
        return False


@dataclass(frozen=True, slots=True)
class Rows:
    """What a content provider answers to a query.

    Attributes:
        columns: Their names.
        values: The rows, each with a value for every column.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Provider:
    """A content provider that can be read, as the manifest and its class have it.

    Attributes:
        name: Its class, fully qualified.
        permission: What a reader or writer has to hold.
        query: Called with (context, the last segment of the URI's path or None).
        read_only: What ``insert``, ``update`` and ``delete`` raise: an ``UnsupportedOperationException``
            with these words.
    """

    name: str
    permission: str
    query: Callable[[Context, str | None], Rows]
    read_only: str


@dataclass(frozen=True, slots=True)
class App:
    """An installed app: what its manifest says, and the classes of its activities.

    Attributes:
        package: Such as ``tv.danmaku.bili``.
        label: Name under the icon.
        icon_seed: Seed of the launcher icon's picture; `icon_color` its ground; `icon_glyph` its letters.
        version_name, version_code: As the package manager tells them.
        activities: By class name as in the manifest (fully qualified).
        launcher: Class name of the first screen; empty for an app without an icon.
        permissions: Requested permissions, full names; dangerous ones start as not granted unless in
            `granted`.
        system: A system app; cannot be uninstalled.
        initial_data: Makes the app's data as after installation (and after ``pm clear``).
        receivers: Ordered or plain broadcasts by action: called with (context, extras), may return
            (result code, result data).
        providers: Content providers by authority.
        target_sdk: targetSdkVersion.
        since: API level of the first Android that brings the app; phones of older ones come without it.
    """

    package: str
    label: Texts
    activities: Mapping[str, type[Activity]]
    launcher: str = ""
    version_name: str = "1.0.0"
    version_code: int = 1
    icon_seed: str = ""
    icon_color: str = "#1A73E8"
    icon_glyph: str = ""
    permissions: tuple[str, ...] = ()
    granted: frozenset[str] = frozenset()
    system: bool = False
    target_sdk: int = 34
    since: int = 0
    initial_data: Callable[[], dict[str, Any]] = dict
    receivers: Mapping[str, Callable[[Context, Mapping[str, Any]], tuple[int, str] | None]] = field(
        default_factory=dict
    )
    providers: Mapping[str, Provider] = field(default_factory=dict)
