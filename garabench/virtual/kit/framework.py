"""The app framework of the virtual phone: `App`, `Activity`, `Intent`, `Context`.

An app is a small program in the style of Android: a package with activities. The system starts an activity
with an intent, asks it for its view, delivers taps to the view's handlers, and keeps a back stack. An app's
persistent data (`Context.data`) survives leaving the app and a force-stop, and ``pm clear`` wipes it; the
attributes of an activity die with it.

Apps access the phone only through `Context`.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

from garabench.core.app_state import StateRecord
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import Widget

Texts = Mapping[str, str]
"""A text for people by language: ``{"zh": "设置", "en": "Settings"}``."""


@dataclass(frozen=True, slots=True)
class Intent:
    """A request to an activity, like `android.content.Intent`.

    Attributes:
        action: Such as ``android.intent.action.VIEW``.
        package, activity: The component; the activity's class name is fully qualified.
        data: A URI.
        mime_type: MIME type of the data.
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
    mime_type: str = ""


_PRESENT_NAMES_SDK = 28
"""First API level (Android 9) on which activities have their present class names."""


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call; does nothing if it has already run."""
        ...


class Context(Protocol):
    """The phone as an app's activity sees it."""

    package: str

    @property
    def data(self) -> dict[str, Any]:
        """The app's persistent data: JSON-compatible values only."""
        ...

    @property
    def lang(self) -> str:
        """The phone's language: ``"zh"`` or ``"en"``."""
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
        """Width of the app's area in dp, in the current rotation."""
        ...

    @property
    def height_dp(self) -> float:
        """Height of the app's area in dp, without the system bars."""
        ...

    def t(self, zh: str, en: str) -> str:
        """Return the text in the phone's language."""
        ...

    def now(self) -> dt.datetime:
        """Return the phone's wall-clock time."""
        ...

    def random(self, *names: str | int) -> random.Random:
        """Return a generator seeded by the phone's seed, the package and these names only."""
        ...

    def start(self, intent: Intent) -> None:
        """Start an activity; an intent without a handler shows a toast, as on Android."""
        ...

    def open(self, activity: str, **extras: Any) -> None:
        """Start another activity of this app by its name in `App.activities`."""
        ...

    def finish(self) -> None:
        """Finish this activity and return to the previous one."""
        ...

    def relaunch(self) -> None:
        """Finish this app's task and start its first screen."""
        ...

    def invalidate(self) -> None:
        """Request a rebuild of the view. Handlers and timers do so automatically."""
        ...

    def toast(self, text: str) -> None:
        """Show a toast for two seconds."""
        ...

    def after(self, milliseconds: int, call: Callable[[], None]) -> Timer:
        """Schedule a call in the phone's time; it is dropped if the activity is destroyed before."""
        ...

    def log(self, tag: str, message: str, level: str = "I") -> None:
        """Write a line to logcat under this app's process."""
        ...

    def hide_keyboard(self) -> None:
        """Close the soft keyboard and clear the focus."""
        ...

    def focus(self, key: str) -> None:
        """Focus the text field with this key (or id) and show the keyboard."""
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
        """Show the system's permission dialog, or answer immediately if the permission is already decided."""
        ...

    @property
    def system(self) -> Any:
        """The `Phone` itself, only for system apps (Settings, launcher, SystemUI); raises for others."""
        ...


class Activity:
    """One screen of an app.

    Subclasses set attributes in `on_create`, build the view in `build`, and change attributes in handlers.
    Class attributes correspond to attributes in the manifest.
    """

    translucent: ClassVar[bool] = False
    """Whether the activity below stays visible, as with a dialog theme."""
    exported: ClassVar[bool] = True
    launch_mode: ClassVar[str] = "standard"
    """``standard``, ``singleTop`` or ``singleTask``."""
    orientation: ClassVar[str] = ""
    """``""`` follows the phone; ``portrait`` or ``landscape`` are forced."""
    filters: ClassVar[tuple[IntentFilter, ...]] = ()
    status_bar: str = "#FFFFFF"
    """Colour behind the status bar; its icons are dark or light by contrast. It may change with the view."""
    full_screen: ClassVar[bool] = False
    """Whether the status bar is hidden and the content extends below the navigation bar."""
    secure: ClassVar[bool] = False
    """FLAG_SECURE: black in screenshots."""
    excluded_from_recents: ClassVar[bool] = False

    restored: bool = False
    """Whether `on_create` restores the activity after its process had ended, with a saved state."""

    def __init__(self, ctx: Context, intent: Intent) -> None:
        self.ctx = ctx
        self.intent = intent

    def build(self) -> Widget:
        """Build the whole view for the current state; called again after every change."""
        raise NotImplementedError

    def dialog(self) -> Widget | None:
        """Return a dialog over the screen, or None.

        It is a separate window, centred (or at the bottom with ``align_vertical=END``), over a dimmed
        background.
        """
        return None

    def on_dismiss_dialog(self) -> None:
        """Handle Back (or a tap outside, see `on_touch_outside`) while `dialog` returns a dialog.

        Change the state so that `dialog` returns None, or do nothing to keep it open.
        """

    def on_touch_outside(self) -> None:
        """Handle a tap outside the dialog."""
        self.on_dismiss_dialog()

    def on_create(self) -> None:
        """Initialize the activity; called once, before the first `build`."""

    def on_configuration_changed(self) -> None:
        """Handle a rotation; called when the activity is visible, or becomes visible again."""

    def on_new_intent(self, intent: Intent) -> None:
        """Handle another intent for a running singleTop or singleTask activity."""

    def on_resume(self) -> None:
        """Handle coming to the foreground."""

    def on_pause(self) -> None:
        """Handle leaving the foreground."""

    def on_stop(self) -> None:
        """Handle becoming invisible (another app, home, screen off)."""

    def on_destroy(self) -> None:
        """Handle being destroyed."""

    def on_back(self) -> bool:
        """Handle Back. Return True if handled, False to finish the activity."""
        return False


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a query to a content provider.

    Attributes:
        columns: Column names.
        values: Rows with one value per column.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Provider:
    """A readable content provider.

    Attributes:
        name: Fully qualified class name.
        permission: The permission required to read or write.
        query: Called with (context, the last segment of the URI's path or None).
        read_only: Message of the ``UnsupportedOperationException`` that ``insert``, ``update`` and
            ``delete`` raise.
    """

    name: str
    permission: str
    query: Callable[[Context, str | None], Rows]
    read_only: str


@dataclass(frozen=True, slots=True)
class App:
    """An installed app: its manifest, and the classes of its activities.

    Attributes:
        package: Such as ``tv.danmaku.bili``.
        label: Label of the icon.
        icon_seed: Seed of the launcher icon; `icon_color` is its background, `icon_glyph` its letters.
        version_name, version_code: Version in the package manager.
        activities: Activity classes by fully qualified class name, as in the manifest.
        launcher: Class name of the first screen; empty for an app without an icon.
        permissions: Requested permissions, full names; dangerous ones are initially denied unless in
            `granted`.
        system: Whether it is a system app, which cannot be uninstalled.
        initial_data: Creates the app's data after installation and after ``pm clear``.
        receivers: Broadcast receivers by action: called with (context, extras), may return (result code,
            result data).
        providers: Content providers by authority.
        state: Returns the user's data as records, which `garabench.virtual.android.content_providers`
            offers; None if the app offers no state.
        target_sdk: targetSdkVersion.
        since: API level of the first Android that includes the app; older phones lack it.
        old_names: Class names of activities before Android 9, by their present class names.
        apk_path: Path of its APK where it differs from that of other system apps.
        has_apk: Whether it has a file there; the companion app's twin has none, which tells it from the app.
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
    has_apk: bool = True
    target_sdk: int = 34
    since: int = 0
    initial_data: Callable[[], dict[str, Any]] = dict
    receivers: Mapping[str, Callable[[Context, Mapping[str, Any]], tuple[int, str] | None]] = field(
        default_factory=dict
    )
    providers: Mapping[str, Provider] = field(default_factory=dict)
    old_names: Mapping[str, str] = field(default_factory=dict)
    apk_path: str = ""

    def on(self, sdk: int) -> App:
        """Return the app as a version of Android includes it."""
        if sdk >= _PRESENT_NAMES_SDK or not self.old_names:
            return self
        names = self.old_names
        activities = {names.get(name, name): cls for name, cls in self.activities.items()}
        return replace(self, activities=activities, launcher=names.get(self.launcher, self.launcher))

    state: Callable[[Context], Iterable[StateRecord]] | None = None
