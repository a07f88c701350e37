"""Anomalies of the app itself: a permission taken, a crash, a hang, a killed process, another language.

Sources: ``ActivityManagerShellCommand`` and ``LocaleManagerShellCommand`` of AOSP, and the permissions of
``com.android.shell``'s manifest.
"""

from __future__ import annotations

from types import MappingProxyType

from garabench.core import device_switches
from garabench.core.anomalies.anomaly import (
    Aftermath,
    AnomalyRequest,
    AppLaunch,
    HangPart,
    Part,
    TransientCommand,
)
from garabench.core.device_changes import StateQuery, Switch, SwitchState

STATE_SDK = 26
"""Since Android 8 toybox's ``ps`` prints the state of a process by its id."""
_CLOSE_DIALOGS = ("am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS")


def permission(request: AnomalyRequest) -> tuple[Part, ...]:
    """Revoke the permission and reopen the app, which Android kills."""
    return device_switches.permission_switch(request.app, request.value, granted=False), AppLaunch()


def crash(request: AnomalyRequest) -> tuple[Part, ...]:
    """Crash the app; Android may show a dialog, for a first crash depending on the settings.

    The dialog closes on the broadcast (``BaseErrorDialog``), and together with its app.
    """
    states = {
        "shown": SwitchState((request.app,)),
        "away": SwitchState(("",), _CLOSE_DIALOGS, (("am", "force-stop", request.app),)),
    }
    dialog = Switch(
        "the crash dialog",
        StateQuery(("dumpsys", "window"), " Application Error: "),
        MappingProxyType(states),
        "shown",
        "one of another app is already on the screen",
    )
    return Aftermath(dialog), TransientCommand(("am", "crash", request.app))


def process_state(pid: str) -> StateQuery:
    """Return the query for the state of a process; ``T`` means stopped."""
    return StateQuery(("ps", "-o", "S=", "-p", pid))


def not_responding(request: AnomalyRequest) -> tuple[Part, ...]:
    """Stop the app's process."""
    return (HangPart(),)


def process_kill(request: AnomalyRequest) -> tuple[Part, ...]:
    """Send the app to the background, kill its process, and reopen it."""
    # am kill ends a background process, as Android does when memory is low.
    gone = TransientCommand(("am", "kill", request.app), StateQuery(("pidof", request.app)), ("",))
    return TransientCommand(("input", "keyevent", "3")), gone, AppLaunch()


def language(request: AnomalyRequest) -> tuple[Part, ...]:
    """Change the language of the app."""
    write = ("cmd", "locale", "set-app-locales", request.app, "--locales")
    states = {
        "another": SwitchState((request.value,), (*write, request.value)),
        "the system's": SwitchState(("",), (*write, "")),
    }
    query = StateQuery(("cmd", "locale", "get-app-locales", request.app), "are [")
    what, unknown = f"the language of {request.app}", "the app already has its own language"
    return (Switch(what, query, MappingProxyType(states), "another", unknown),)
