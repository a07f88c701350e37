"""The phone as its services see it, and the services as they see each other.

The services need the phone and each other, and the phone creates the services. They import these protocols
instead of `garabench.virtual.android.phone`, which imports them. A protocol lists only what a service uses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from garabench.core.geometry import Rect
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.faults import Faults
from garabench.virtual.android.hardware import Battery, Clipboard, Connectivity, Display, ProcessTable
from garabench.virtual.android.log_buffer import LogBuffer
from garabench.virtual.android.notifications import Notifications
from garabench.virtual.android.package_manager import PackageManager
from garabench.virtual.android.phone_clock import PhoneClock
from garabench.virtual.android.settings import Settings
from garabench.virtual.android.task_records import ActivityRecord, SplitHalf, StartResult, TaskRecord
from garabench.virtual.defects.switchboard import Defects
from garabench.virtual.kit.framework import App, Context, Intent
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene, ViewState
from garabench.virtual.ui.widgets import Widget


class SplitScreenInterface(Protocol):
    """The split screen."""

    def half_of(self, record: ActivityRecord) -> SplitHalf | None:
        """Return the half that an activity is in, or None."""
        ...

    def drag(self, x: int, y: int) -> None:
        """Release the divider at a point."""
        ...


class ActivityInterface(Protocol):
    """The activity manager.

    Attributes:
        tasks: The frontmost task first.
    """

    tasks: list[TaskRecord]

    @property
    def split(self) -> SplitScreenInterface:
        """The split screen."""
        ...

    @property
    def resumed(self) -> ActivityRecord | None:
        """The foreground activity, or None."""
        ...

    def visible(self) -> tuple[ActivityRecord, ...]:
        """Return the visible activities, the lowest first."""
        ...

    def resumed_activities(self) -> tuple[ActivityRecord, ...]:
        """Return the resumed activities, the focused one last."""
        ...

    def start(self, intent: Intent, *, caller: str = "shell") -> StartResult:
        """Start an activity."""
        ...

    def finish(self, record: ActivityRecord) -> None:
        """End an activity."""
        ...

    def update(self) -> None:
        """Update the activities' life cycle."""
        ...

    def focus(self, record: ActivityRecord) -> None:
        """Focus the half of the screen that an activity is in."""
        ...

    def move_to_front(self, task: TaskRecord) -> None:
        """Bring a task to the front and update the activities."""
        ...

    def move_task_to_front(self, task_id: int) -> bool:
        """Bring a task to the front; False if it no longer exists."""
        ...

    def remove_task(self, task_id: int) -> bool:
        """End a task; return whether it existed."""
        ...

    def home(self) -> None:
        """Start the home screen."""
        ...

    def relaunch(self, package: str) -> None:
        """End an app's task and start its launcher activity."""
        ...

    def force_stop(self, package: str) -> None:
        """Kill an app and remove its tasks without any callback."""
        ...

    def crash(self, package: str, reason: str) -> None:
        """Crash an app."""
        ...


class DialogInterface(Protocol):
    """The system's own dialogs."""

    @property
    def shown(self) -> object | None:
        """The visible dialog, or None."""
        ...

    def forget(self, package: str) -> None:
        """Close the dialogs about an app whose process has ended."""
        ...


class WindowInterface(Protocol):
    """The window manager.

    Attributes:
        overlay: ``shade`` or ``recents`` while one of them is open, else empty.
    """

    overlay: str

    @property
    def dialogs(self) -> DialogInterface:
        """The system's own dialogs."""
        ...

    def app_area(self) -> Rect:
        """Return the screen without the system's bars."""
        ...

    def area_of(self, record: ActivityRecord | None) -> Rect:
        """Return the area of an activity."""
        ...

    def state_of(self, window: PlacedWindow) -> ViewState:
        """Return the view state of a window in the current scene."""
        ...

    def toast(self, text: str, package: str) -> None:
        """Show a toast."""
        ...

    def open_shade(self) -> None:
        """Pull the notification shade down."""
        ...

    def open_recents(self) -> None:
        """Toggle the recent apps."""
        ...

    def close_overlay(self) -> bool:
        """Close the shade or the recents; return whether one was open."""
        ...

    def close_heads_up(self) -> None:
        """Close the heads-up notification."""
        ...

    def swipe_heads_up(self, *, away: bool) -> None:
        """Swipe the heads-up notification."""
        ...

    def dismiss_outside(self, window: PlacedWindow) -> None:
        """Handle a tap outside a modal window."""
        ...

    def focus_on(self, window: PlacedWindow) -> None:
        """Focus the split-screen half of a touched window."""
        ...

    def focus_by_key(self, key: str) -> None:
        """Focus the text field with that key or id."""
        ...

    def scroll_by_key(self, key: str, offset_dp: float) -> None:
        """Set the position of the scrollable with that key or id."""
        ...

    def ask_permission(self, package: str, permission: str, done: Callable[[bool], None]) -> None:
        """Show the system's permission dialog."""
        ...

    def report_crash(self, package: str, *, again: bool) -> None:
        """Show the crash dialog of an app."""
        ...

    def report_anr(self, package: str) -> None:
        """Show the ANR dialog of an app."""
        ...


class KeyboardInterface(Protocol):
    """The input methods.

    Attributes:
        shown: Whether the soft keyboard is visible.
        action: Label of the focused field's action key.
        wants_digits: Whether the focused field accepts digits.
    """

    shown: bool
    action: str
    wants_digits: bool

    @property
    def enabled(self) -> tuple[str, ...]:
        """Ids of the enabled input methods."""
        ...

    @property
    def default(self) -> str:
        """Id of the current one; empty if all are disabled."""
        ...

    def show(self, node: PlacedNode) -> None:
        """Show the keyboard for a field that got the focus."""
        ...

    def serves(self, node: PlacedNode) -> bool:
        """Return whether the keyboard is shown for a text field that is in full view and has the focus."""
        ...

    def show_for_focus(self) -> bool:
        """Show the keyboard for the focused field; False without one."""
        ...

    def hide(self, *, drop_focus: bool = False) -> bool:
        """Hide the keyboard; return whether it was shown."""
        ...

    def commit_text(self, text: str) -> bool:
        """Append text to the focused field; False without one."""
        ...

    def clear(self) -> bool:
        """Clear the focused field; False without one."""
        ...

    def backspace(self) -> None:
        """Delete the last character."""
        ...

    def perform_editor_action(self) -> bool:
        """Perform the focused field's editor action; False without a focused field."""
        ...

    def type_key(self, char: str) -> None:
        """Press a key of the soft keyboard."""
        ...

    def press_action(self) -> None:
        """Press the action key of the soft keyboard."""
        ...


class KeyguardInterface(Protocol):
    """The lock screen.

    Attributes:
        enabled: Whether the phone has a lock screen.
        showing: Whether it covers everything but the navigation bar.
    """

    enabled: bool
    showing: bool

    @property
    def package(self) -> str:
        """Package of its window."""
        ...

    @property
    def title(self) -> str:
        """Title of its window."""
        ...

    def dismiss(self) -> None:
        """Unlock."""
        ...

    def view(self) -> Widget:
        """Build its view."""
        ...


class InputInterface(Protocol):
    """The input dispatcher."""

    def key(self, code: int) -> None:
        """Press a key by its Android key code."""
        ...

    def motion(self, action: int, x: int, y: int) -> None:
        """Inject a raw event: 0 down, 1 up, 2 move."""
        ...


class ContextInterface(Context, Protocol):
    """An app's context before its activity exists."""

    def attach(self, record: ActivityRecord) -> None:
        """Bind to the activity that this context belongs to."""
        ...


class PhoneInterface(Protocol):
    """The phone.

    Attributes:
        profile: Its device profile.
        seed: Random seed.
        lang: ``zh`` or ``en``.
    """

    profile: Profile
    seed: int
    lang: str
    clock: PhoneClock
    faults: Faults
    defects: Defects
    logcat: LogBuffer
    settings: Settings
    display: Display
    battery: Battery
    network: Connectivity
    clipboard: Clipboard
    processes: ProcessTable
    packages: PackageManager
    notifications: Notifications

    @property
    def activities(self) -> ActivityInterface:
        """The activity manager."""
        ...

    @property
    def windows(self) -> WindowInterface:
        """The window manager."""
        ...

    @property
    def ime(self) -> KeyboardInterface:
        """The input methods."""
        ...

    @property
    def input(self) -> InputInterface:
        """The input dispatcher."""
        ...

    @property
    def keyguard(self) -> KeyguardInterface:
        """The lock screen."""
        ...

    @property
    def in_use(self) -> bool:
        """Whether the screen is on and unlocked."""
        ...

    @property
    def tick(self) -> int | None:
        """A counter that advances while the fault ``animation`` is on, else None."""
        ...

    def changed(self) -> None:
        """Note that the screen may have changed."""
        ...

    def scene(self) -> Scene:
        """Return the current scene."""
        ...

    def label(self, package: str) -> str:
        """Return an app's label in the phone's language."""
        ...

    def make_context(self, app: App) -> ContextInterface:
        """Create a context for an activity of an app."""
        ...

    def build(self, record: ActivityRecord) -> Widget:
        """Build an activity's view."""
        ...

    def build_dialog(self, record: ActivityRecord) -> Widget | None:
        """Build an activity's dialog, or None."""
        ...

    def run_app(self, package: str, call: Callable[[], object]) -> bool:
        """Call into an app; return whether the call returned a true value."""
        ...

    def broadcast(self, action: str, extras: dict[str, object], package: str = "") -> tuple[int, str]:
        """Send a broadcast; return result code and data of the last receiver."""
        ...

    def press_back(self) -> None:
        """The Back key."""
        ...

    def press_home(self) -> None:
        """The Home key."""
        ...

    def set_screen(self, on: bool) -> None:
        """Switch the screen on or off."""
        ...
