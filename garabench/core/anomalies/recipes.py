"""The parts of each anomaly in the catalog: the commands and changes that bring it about.

Sources: AOSP's shell commands (``ActivityManagerShellCommand``, ``UiModeManagerService``,
``ConnectivityService``, ``NotificationShellCmd``, ``LocaleManagerShellCommand``, ``AlarmManagerService``,
``DeviceStorageMonitorService``, ``BatteryService``), the permissions of ``com.android.shell``'s manifest, and
the emulator's console.
"""

from __future__ import annotations

import base64
import json
from types import MappingProxyType

from garabench.core import device_switches
from garabench.core.anomalies.anomaly import (
    Aftermath,
    AnomalyRequest,
    AppLaunch,
    ClockShift,
    HangPart,
    Part,
    Precondition,
    Requirement,
    SplitScreenPart,
    TextFieldTap,
    TransientCommand,
)
from garabench.core.companion_app import CLOSE, COMMANDS, HEADS_UP, PACKAGE, PERMISSION, PERMISSION_SDK
from garabench.core.device_changes import Choice, Setting, StateQuery, Switch, SwitchState

_BATTERY = StateQuery(("dumpsys", "battery"), "(UPDATES ")
_UNITS = {"m": 60, "h": 3600, "d": 86_400}
KEYBOARD = Switch(
    "the keyboard",
    StateQuery(("dumpsys", "input_method"), "mInputShown="),
    MappingProxyType(
        {"shown": SwitchState(("true",)), "away": SwitchState(("false",), ("input", "keyevent", "4"))}
    ),
    "shown",
)
SETTINGS = "android.settings.SETTINGS"
STATE_SDK = 26
"""Since Android 8 toybox's ``ps`` prints the state of a process by its id."""
_CLOSE_DIALOGS = ("am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS")


def _held_battery(request: AnomalyRequest, *words: str) -> Switch:
    states = {
        "held": SwitchState(("STOPPED",), ("dumpsys", "battery", *words)),
        "its own": SwitchState(("",), ("dumpsys", "battery", "reset")),
    }
    return Switch("the battery's reading", _BATTERY, MappingProxyType(states), "held")


def battery_low(request: AnomalyRequest) -> tuple[Part, ...]:
    """Report a low battery without power; the readings stay as set."""
    level = TransientCommand(
        ("dumpsys", "battery", "set", "level", request.value),
        StateQuery(("dumpsys", "battery"), " level:"),
        (request.value,),
    )
    power = (TransientCommand(("dumpsys", "battery", "set", kind, "0")) for kind in ("ac", "usb"))
    return (_held_battery(request, "set", "level", request.value), *power, level)


def battery_saver(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch Battery Saver on, without power: Android switches it off on a charging device."""
    return (
        Precondition(_held_battery(request, "set", "ac", "0")),
        TransientCommand(("dumpsys", "battery", "set", "usb", "0")),
        Setting("global", "low_power", "1"),
    )


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


def rotation(request: AnomalyRequest) -> tuple[Part, ...]:
    """Set the user's rotation, with automatic rotation off."""
    turns = str(int(request.value) // 90)
    return (
        Precondition(Setting("system", "accelerometer_rotation", "0")),
        Setting("system", "user_rotation", turns),
    )


def night(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch the dark theme on."""
    states = {name: SwitchState((name,), ("cmd", "uimode", "night", name)) for name in ("yes", "no", "auto")}
    query = StateQuery(("cmd", "uimode", "night"), "Night mode:")
    return (Switch("dark mode", query, MappingProxyType(states), "yes"),)


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


def airplane(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch airplane mode on, by the method of the Android version."""
    plane = device_switches.airplane_switch_of(request.sdk, on=True)
    return () if plane is None else (plane,)


def time_zone(request: AnomalyRequest) -> tuple[Part, ...]:
    """Change the time zone."""
    query = StateQuery(("getprop", "persist.sys.timezone"))
    return (Choice("the time zone", query, ("cmd", "alarm", "set-timezone"), request.value),)


def clock(request: AnomalyRequest) -> tuple[Part, ...]:
    """Shift the clock, with automatic time off, which would correct it at once."""
    count, unit = int(request.value[:-1]), request.value[-1]
    return Precondition(Setting("global", "auto_time", "0")), ClockShift(count * _UNITS[unit])


def keyboard(request: AnomalyRequest) -> tuple[Part, ...]:
    """Open the keyboard by a tap on a text field; while it is open, Back only closes it."""
    return (TextFieldTap(KEYBOARD),)


def split_screen(request: AnomalyRequest) -> tuple[Part, ...]:
    """Open the system settings in a split screen with the app."""
    return (SplitScreenPart(SETTINGS),)


def low_storage(request: AnomalyRequest) -> tuple[Part, ...]:
    """Make the storage monitor report that storage is low."""
    states = {
        "low": SwitchState(("LOW",), ("cmd", "devicestoragemonitor", "force-low", "-f")),
        "enough": SwitchState(("NORMAL",), ("cmd", "devicestoragemonitor", "reset", "-f")),
    }
    query = StateQuery(("dumpsys", "devicestoragemonitor"), "level=")
    return (Switch("the storage's state", query, MappingProxyType(states), "low"),)


def notification(request: AnomalyRequest) -> tuple[Part, ...]:
    """Post a notification from adb's shell."""
    title, text = {"zh": ("新消息", "你有一条未读消息")}.get(
        request.language, ("New message", "One unread message")
    )
    return (device_switches.notification_switch(title, text),)


def heads_up_title(request: AnomalyRequest) -> str:
    """Return the title of the heads-up notification, by which it is found on the tree."""
    return {"zh": "李雷：在吗？"}.get(request.language, "Li Lei: are you there?")


def heads_up(request: AnomalyRequest) -> tuple[Part, ...]:
    """Post a notification from the companion app, since adb's shell cannot post a heads-up notification."""
    message, answer = {"zh": ("晚上一起吃饭吧", "回复")}.get(request.language, ("Dinner tonight?", "Reply"))
    spec = {
        "v": 1,
        "title": heads_up_title(request),
        "message": message,
        "buttons": [{"key": "accept", "label": answer}],
    }
    encoded = base64.b64encode(json.dumps(spec, ensure_ascii=False).encode()).decode()
    extras = ("--es", "token", "heads-up", "--es", "spec", encoded)
    states = {
        "posted": SwitchState(("user=UserHandle",), (*HEADS_UP, "-n", COMMANDS, *extras)),
        "none": SwitchState(("",), CLOSE),
    }
    query = StateQuery(("dumpsys", "notification"), f": pkg={PACKAGE}")
    there = Requirement(
        StateQuery(("pm", "list", "packages", PACKAGE), "package:"),
        (PACKAGE,),
        "the companion app is not installed; install it with `garabench device setup`",
    )
    may = (Precondition(device_switches.permission_switch(PACKAGE, PERMISSION, granted=True)),)
    return (
        there,
        *(may if request.sdk >= PERMISSION_SDK else ()),
        Switch("the companion app's notification", query, MappingProxyType(states), "posted"),
    )


def lock(request: AnomalyRequest) -> tuple[Part, ...]:
    """Switch the screen off and on again, on a device without a PIN or password."""
    off, on = ("input", "keyevent", "223"), ("input", "keyevent", "224")
    states = {
        "shown": SwitchState(("true",), off, (on,)),
        "away": SwitchState(("false",), on, (("wm", "dismiss-keyguard"),)),
    }
    query = StateQuery(("dumpsys", "activity", "activities"), "mKeyguardShowing=")
    verified = StateQuery(("locksettings", "verify"), "Lock credential verified")
    return (
        Requirement(
            verified,
            ("successfully",),
            "the screen lock has a PIN or password, and could not be unlocked again",
        ),
        Requirement(
            StateQuery(("locksettings", "get-disabled")), ("false",), "this phone has no screen lock"
        ),
        Switch("the lock screen", query, MappingProxyType(states), "shown"),
    )


def call(request: AnomalyRequest) -> tuple[Part, ...]:
    """Call an emulator."""
    states = {
        "a call": SwitchState((request.value,), ("emu", "gsm", "call", request.value)),
        "none": SwitchState(("",), ("emu", "gsm", "cancel", request.value)),
    }
    query = StateQuery(("emu", "gsm", "list"), "inbound from")
    return (Switch("the incoming call", query, MappingProxyType(states), "a call"),)


def sms(request: AnomalyRequest) -> tuple[Part, ...]:
    """Send a text message to an emulator."""
    return (
        TransientCommand(
            ("emu", "sms", "send", request.value, "验证码" if request.language == "zh" else "code", "4711")
        ),
    )


def delay(request: AnomalyRequest) -> tuple[Part, ...]:
    """Delay an emulator's network."""
    states = {
        "slow": SwitchState((request.value,), ("emu", "network", "delay", request.value)),
        "normal": SwitchState(("0",), ("emu", "network", "delay", "none")),
    }
    query = StateQuery(("emu", "network", "status"), "minimum latency:")
    return (Switch("the network's delay", query, MappingProxyType(states), "slow"),)


def speed(request: AnomalyRequest) -> tuple[Part, ...]:
    """Slow an emulator's network down."""
    states = {
        "slow": SwitchState(("14400",), ("emu", "network", "speed", "gsm")),
        "full": SwitchState(("0",), ("emu", "network", "speed", "full")),
    }
    query = StateQuery(("emu", "network", "status"), "download speed:")
    return (Switch("the network's speed", query, MappingProxyType(states), "slow"),)
