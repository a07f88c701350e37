"""What is done on a device for each anomaly of the catalogue, as values.

Sources: AOSP's shell commands (``ActivityManagerShellCommand``, ``UiModeManagerService``,
``ConnectivityService``, ``NotificationShellCmd``, ``LocaleManagerShellCommand``, ``AlarmManagerService``,
``DeviceStorageMonitorService``, ``BatteryService``), the permissions of ``com.android.shell``'s manifest, and
the emulator's console.
"""

from __future__ import annotations

import base64
import json
from types import MappingProxyType

from garabench.core import switches
from garabench.core.changes import Choice, Probe, Setting, State, Switch
from garabench.interruptions.plan import CLOSE, COMMANDS, HEADS_UP, PACKAGE, PERMISSION, PERMISSION_SDK
from garabench.interruptions.system.anomaly import (
    Aftermath,
    Beside,
    ClockMove,
    Event,
    FieldTap,
    Given,
    Hang,
    Part,
    Precondition,
    Requirement,
)

_BATTERY = Probe(("dumpsys", "battery"), "(UPDATES ")
_UNITS = {"m": 60, "h": 3600, "d": 86_400}
KEYBOARD = Switch(
    "the keyboard",
    Probe(("dumpsys", "input_method"), "mInputShown="),
    MappingProxyType({"shown": State(("true",)), "away": State(("false",), ("input", "keyevent", "4"))}),
    "shown",
)
SETTINGS = "android.settings.SETTINGS"
STATE_SDK = 26
"""Since Android 8 toybox's ``ps`` tells the state of a process by its id."""
_CLOSE_DIALOGS = ("am", "broadcast", "-a", "android.intent.action.CLOSE_SYSTEM_DIALOGS")
_LAUNCH = ("-c", "android.intent.category.LAUNCHER", "1")


def _open(given: Given) -> Event:
    return Event(("monkey", "-p", given.app, *_LAUNCH))


def _held_battery(given: Given, *words: str) -> Switch:
    states = {
        "held": State(("STOPPED",), ("dumpsys", "battery", *words)),
        "its own": State(("",), ("dumpsys", "battery", "reset")),
    }
    return Switch("the battery's reading", _BATTERY, MappingProxyType(states), "held")


def battery_low(given: Given) -> tuple[Part, ...]:
    """The level, and no power; the readings stay as they are set."""
    level = Event(
        ("dumpsys", "battery", "set", "level", given.value),
        Probe(("dumpsys", "battery"), " level:"),
        (given.value,),
    )
    power = (Event(("dumpsys", "battery", "set", kind, "0")) for kind in ("ac", "usb"))
    return (_held_battery(given, "set", "level", given.value), *power, level)


def battery_saver(given: Given) -> tuple[Part, ...]:
    """The saver; Android switches it off again on a device that charges."""
    return (
        Precondition(_held_battery(given, "set", "ac", "0")),
        Event(("dumpsys", "battery", "set", "usb", "0")),
        Setting("global", "low_power", "1"),
    )


def permission(given: Given) -> tuple[Part, ...]:
    """The permission taken, and the app in front anew, for Android ends it."""
    return switches.permission(given.app, given.value, granted=False), _open(given)


def crash(given: Given) -> tuple[Part, ...]:
    """A crash; Android tells it in a dialog, or not: of a first one only where the settings say so.

    The dialog closes itself at the broadcast (``BaseErrorDialog``), and goes with its app.
    """
    states = {
        "shown": State((given.app,)),
        "away": State(("",), _CLOSE_DIALOGS, (("am", "force-stop", given.app),)),
    }
    dialog = Switch(
        "the dialog that the app has crashed",
        Probe(("dumpsys", "window"), " Application Error: "),
        MappingProxyType(states),
        "shown",
        "another app's is on the screen already",
    )
    return Aftermath(dialog), Event(("am", "crash", given.app))


def state_of(pid: str) -> Probe:
    """How the state of a process is read; ``T`` while it is stopped."""
    return Probe(("ps", "-o", "S=", "-p", pid))


def not_responding(given: Given) -> tuple[Part, ...]:
    """The app's process stopped."""
    return (Hang(),)


def process_kill(given: Given) -> tuple[Part, ...]:
    """The app in the background, its process ended, and the app opened again."""
    # am kill ends a process that nobody sees, as Android does when memory is short.
    gone = Event(("am", "kill", given.app), Probe(("pidof", given.app)), ("",))
    return Event(("input", "keyevent", "3")), gone, _open(given)


def rotation(given: Given) -> tuple[Part, ...]:
    """The user's rotation, with the sensor's off."""
    turns = str(int(given.value) // 90)
    return (
        Precondition(Setting("system", "accelerometer_rotation", "0")),
        Setting("system", "user_rotation", turns),
    )


def night(given: Given) -> tuple[Part, ...]:
    """The dark theme."""
    states = {name: State((name,), ("cmd", "uimode", "night", name)) for name in ("yes", "no", "auto")}
    probe = Probe(("cmd", "uimode", "night"), "Night mode:")
    return (Switch("dark mode", probe, MappingProxyType(states), "yes"),)


def language(given: Given) -> tuple[Part, ...]:
    """The language of one app."""
    write = ("cmd", "locale", "set-app-locales", given.app, "--locales")
    states = {
        "another": State((given.value,), (*write, given.value)),
        "the system's": State(("",), (*write, "")),
    }
    probe = Probe(("cmd", "locale", "get-app-locales", given.app), "are [")
    what, unknown = f"the language of {given.app}", "it has one of its own already"
    return (Switch(what, probe, MappingProxyType(states), "another", unknown),)


def airplane(given: Given) -> tuple[Part, ...]:
    """Airplane mode, as the version has it."""
    plane = switches.airplane_of(given.sdk, on=True)
    return () if plane is None else (plane,)


def time_zone(given: Given) -> tuple[Part, ...]:
    """The time zone."""
    probe = Probe(("getprop", "persist.sys.timezone"))
    return (Choice("the time zone", probe, ("cmd", "alarm", "set-timezone"), given.value),)


def clock(given: Given) -> tuple[Part, ...]:
    """The date and time; the network's would be set again at once."""
    count, unit = int(given.value[:-1]), given.value[-1]
    return Precondition(Setting("global", "auto_time", "0")), ClockMove(count * _UNITS[unit])


def keyboard(given: Given) -> tuple[Part, ...]:
    """The keyboard, by a tap into a text field; Back takes it away, and nothing else while it is there."""
    return (FieldTap(KEYBOARD),)


def split_screen(given: Given) -> tuple[Part, ...]:
    """The system's settings beside the app."""
    return (Beside(SETTINGS),)


def low_storage(given: Given) -> tuple[Part, ...]:
    """What the storage monitor tells."""
    states = {
        "low": State(("LOW",), ("cmd", "devicestoragemonitor", "force-low", "-f")),
        "enough": State(("NORMAL",), ("cmd", "devicestoragemonitor", "reset", "-f")),
    }
    probe = Probe(("dumpsys", "devicestoragemonitor"), "level=")
    return (Switch("the storage's state", probe, MappingProxyType(states), "low"),)


def notification(given: Given) -> tuple[Part, ...]:
    """A notification of adb's shell."""
    title, text = {"zh": ("新消息", "你有一条未读消息")}.get(
        given.language, ("New message", "One unread message")
    )
    return (switches.notification(title, text),)


def heads_up_title(given: Given) -> str:
    """What the heads-up notification is called, by which it is found on the tree."""
    return {"zh": "李雷：在吗？"}.get(given.language, "Li Lei: are you there?")


def heads_up(given: Given) -> tuple[Part, ...]:
    """A notification of the companion app, since adb's shell can post none that comes over the app."""
    message, answer = {"zh": ("晚上一起吃饭吧", "回复")}.get(given.language, ("Dinner tonight?", "Reply"))
    spec = {
        "v": 1,
        "title": heads_up_title(given),
        "message": message,
        "buttons": [{"key": "accept", "label": answer}],
    }
    encoded = base64.b64encode(json.dumps(spec, ensure_ascii=False).encode()).decode()
    extras = ("--es", "token", "heads-up", "--es", "spec", encoded)
    states = {
        "posted": State(("user=UserHandle",), (*HEADS_UP, "-n", COMMANDS, *extras)),
        "none": State(("",), CLOSE),
    }
    probe = Probe(("dumpsys", "notification"), f": pkg={PACKAGE}")
    there = Requirement(
        Probe(("pm", "list", "packages", PACKAGE), "package:"),
        (PACKAGE,),
        "the companion app is not installed: garabench device setup installs it",
    )
    may = (Precondition(switches.permission(PACKAGE, PERMISSION, granted=True)),)
    return (
        there,
        *(may if given.sdk >= PERMISSION_SDK else ()),
        Switch("the companion app's notification", probe, MappingProxyType(states), "posted"),
    )


def lock(given: Given) -> tuple[Part, ...]:
    """The screen off and on again, where the lock screen has no secret."""
    off, on = ("input", "keyevent", "223"), ("input", "keyevent", "224")
    states = {
        "shown": State(("true",), off, (on,)),
        "away": State(("false",), on, (("wm", "dismiss-keyguard"),)),
    }
    probe = Probe(("dumpsys", "activity", "activities"), "mKeyguardShowing=")
    verified = Probe(("locksettings", "verify"), "Lock credential verified")
    return (
        Requirement(
            verified, ("successfully",), "the screen lock has a secret, and nobody could open it again"
        ),
        Requirement(Probe(("locksettings", "get-disabled")), ("false",), "this phone has no screen lock"),
        Switch("the lock screen", probe, MappingProxyType(states), "shown"),
    )


def call(given: Given) -> tuple[Part, ...]:
    """A call to an emulator."""
    states = {
        "a call": State((given.value,), ("emu", "gsm", "call", given.value)),
        "none": State(("",), ("emu", "gsm", "cancel", given.value)),
    }
    probe = Probe(("emu", "gsm", "list"), "inbound from")
    return (Switch("the incoming call", probe, MappingProxyType(states), "a call"),)


def sms(given: Given) -> tuple[Part, ...]:
    """A message to an emulator."""
    return (
        Event(("emu", "sms", "send", given.value, "验证码" if given.language == "zh" else "code", "4711")),
    )


def delay(given: Given) -> tuple[Part, ...]:
    """The delay of an emulator's network."""
    states = {
        "slow": State((given.value,), ("emu", "network", "delay", given.value)),
        "normal": State(("0",), ("emu", "network", "delay", "none")),
    }
    probe = Probe(("emu", "network", "status"), "minimum latency:")
    return (Switch("the network's delay", probe, MappingProxyType(states), "slow"),)


def speed(given: Given) -> tuple[Part, ...]:
    """The speed of an emulator's network."""
    states = {
        "slow": State(("14400",), ("emu", "network", "speed", "gsm")),
        "full": State(("0",), ("emu", "network", "speed", "full")),
    }
    probe = Probe(("emu", "network", "status"), "download speed:")
    return (Switch("the network's speed", probe, MappingProxyType(states), "slow"),)
