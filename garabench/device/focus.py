"""Read the window in focus from ``dumpsys``, whose form changes with Android's version.

Up to Android 9 ``dumpsys window windows`` holds ``mCurrentFocus``, from 10 on only ``dumpsys window``;
it is ``null`` during transitions and names no activity while the notification shade is open. The activity
manager's resumed activity is the second source.
"""

from __future__ import annotations

import re

from garabench.core.observation import Focus

_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+ (?:u\d+ )?(?P<title>[^}\s]+)[^}]*\}")
_FOCUSED_APP = re.compile(r"mFocusedApp=.*?ActivityRecord\{\S+ (?:u\d+ )?(?P<component>[\w.]+/[\w.$]+)")
_RESUMED = re.compile(
    r"(?:topResumedActivity|mResumedActivity|ResumedActivity)[:=]\s*ActivityRecord\{\S+ (?:u\d+ )?"
    r"(?P<component>[\w.]+/[\w.$]+)"
)

_OF_TITLE = {"Application": "android"}
"""By a title's first word: ``Application Error: …`` and ``Application Not Responding: …`` are Android's."""


def component(text: str) -> Focus | None:
    """Split ``package/activity``; a leading dot of the activity stands for the package."""
    package, slash, activity = text.partition("/")
    if not slash or not package:
        return None
    return Focus(package=package, activity=package + activity if activity.startswith(".") else activity)


def parse_window(text: str) -> Focus | None:
    """The focus in the output of ``dumpsys window``.

    Returns:
        The activity in focus; a focus with an empty activity for a system window such as the shade
        (``Window{f96644 u0 NotificationShade}``) or a dialog of the system's own; the app's activity for its
        popup (``PopupWindow:1a2b3c``); None while there is none.
    """
    if match := _FOCUS.search(text):
        title = match["title"]
        popup = _FOCUSED_APP.search(text) if title.startswith("PopupWindow:") else None
        if popup is not None:
            return component(popup["component"])
        return component(title) or Focus(package=_OF_TITLE.get(title, "com.android.systemui"), activity="")
    if match := _FOCUSED_APP.search(text):
        return component(match["component"])
    return None


def parse_activities(text: str) -> Focus | None:
    """The resumed activity in the output of ``dumpsys activity activities``, or None."""
    match = _RESUMED.search(text)
    return component(match["component"]) if match else None
