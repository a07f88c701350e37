"""Parse the window in focus from ``dumpsys``, whose format depends on the Android version.

``mCurrentFocus`` is in ``dumpsys window``, up to Android 9 in its section ``windows``. It is ``null`` during
transitions and names no activity while the notification shade is open. The activity manager's resumed
activity is the fallback. For why a window is *not* in focus see `foreground`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.core.observation import Focus
from garabench.device.display import DisplayState

_LAST_ANR = re.compile(r"^WINDOW MANAGER LAST ANR .*?(?=^WINDOW MANAGER )", re.MULTILINE | re.DOTALL)
_TOKEN = re.compile(r"mCurrentFocus=Window\{(?P<token>[^}]+)\}")
_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+ (?:u\d+ )?(?P<title>[^}\s]+)[^}]*\}")
_FOCUSED_APP = re.compile(r"mFocusedApp=.*?ActivityRecord\{\S+ (?:u\d+ )?(?P<component>[\w.]+/[\w.$]+)")
_RESUMED = re.compile(
    r"(?:topResumedActivity|mResumedActivity|ResumedActivity)[:=]\s*ActivityRecord\{\S+ (?:u\d+ )?"
    r"(?P<component>[\w.]+/[\w.$]+)"
)

_PACKAGE_OF_TITLE = {"Application": "android"}
"""Package by first word of a title: ``Application Error: …``, ``Application Not Responding: …``."""


@dataclass(frozen=True, slots=True)
class WindowState:
    """The window in focus, and the display.

    Attributes:
        focus: Its package and activity; empty during a transition.
        token: Identifies the window, also among windows of one activity; empty during a transition.
        display: The display; None if its size is not printed.
    """

    focus: Focus
    token: str = ""
    display: DisplayState | None = None


def current_state(text: str) -> str:
    """Return the output of ``dumpsys window`` without the state of the moment at which an app last hung."""
    return _LAST_ANR.sub("", text)


def window_token(text: str) -> str:
    """Parse the token of the window in focus from ``dumpsys window``; empty if there is none."""
    match = _TOKEN.search(text)
    return match["token"] if match else ""


def parse_window_component(text: str) -> Focus | None:
    """Parse ``package/activity``, where a leading dot of the activity abbreviates the package."""
    package, slash, activity = text.partition("/")
    if not slash or not package:
        return None
    return Focus(package=package, activity=package + activity if activity.startswith(".") else activity)


def parse_window(text: str) -> Focus | None:
    """Parse the focus from the output of ``dumpsys window``.

    Returns:
        The activity in focus; a focus with an empty activity for a system window such as the shade
        (``Window{f96644 u0 NotificationShade}``) or a system dialog; the app's activity for an app's popup
        (``PopupWindow:1a2b3c``); None while no window has the focus.
    """
    if match := _FOCUS.search(text):
        title = match["title"]
        popup = _FOCUSED_APP.search(text) if title.startswith("PopupWindow:") else None
        if popup is not None:
            return parse_window_component(popup["component"])
        package = _PACKAGE_OF_TITLE.get(title, "com.android.systemui")
        return parse_window_component(title) or Focus(package=package, activity="")
    if match := _FOCUSED_APP.search(text):
        return parse_window_component(match["component"])
    return None


def parse_activities(text: str) -> Focus | None:
    """Parse the resumed activity, if any, from the output of ``dumpsys activity activities``."""
    match = _RESUMED.search(text)
    return parse_window_component(match["component"]) if match else None
