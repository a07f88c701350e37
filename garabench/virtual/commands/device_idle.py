"""``dumpsys deviceidle`` and ``cmd deviceidle``: Doze (AOSP ``DeviceIdleController``, since Android 6)."""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall

_DEEP = ("ACTIVE", "INACTIVE", "IDLE_PENDING", "SENSING", "LOCATING", "IDLE", "IDLE_MAINTENANCE")
_LIGHT = ("ACTIVE", "INACTIVE", "IDLE", "WAITING_FOR_NETWORK", "IDLE_MAINTENANCE")
_STATES = {"deep": _DEEP, "light": _LIGHT}
_HELP = (
    "Device idle controller (deviceidle) commands:\n  help\n    Print this help text.\n"
    "  step [light|deep]\n    Immediately step to next state, without waiting for alarm.\n"
    "  force-idle [light|deep]\n    Force directly into idle mode, regardless of other device state.\n"
    "  force-inactive\n    Force to be inactive, ready to freely step idle states.\n"
    "  unforce\n    Resume normal functioning after force-idle or force-inactive.\n"
    "  get [light|deep|force|screen|charging|network|offbody|forcebodystate]\n    Retrieve the current given "
    "state.\n  disable [light|deep|all]\n  enable [light|deep|all]\n  enabled [light|deep|all]\n"
    "  whitelist\n    Print currently whitelisted apps.\n  whitelist [package ...]\n"
)


def _yes(value: bool) -> str:
    return str(value).lower()


class UnknownDeviceIdleVerbError(ValueError):
    """The verb is unknown; the text is the verb."""


def run(phone: Phone, args: list[str]) -> str:
    """Return the output of a verb, after its effect.

    Raises:
        UnknownDeviceIdleVerbError: The verb is unknown.
    """
    state = phone.services
    match args:
        case ["force-idle"] | ["force-idle", "deep" | "light"]:
            kind = (*args, "deep")[1]
            state.forced_idle = True
            state.idle[kind == "light"] = "IDLE"
            return f"Now forced in to {kind} idle mode\n"
        case ["force-inactive"]:
            state.forced_idle, state.idle[:] = True, ["INACTIVE", "INACTIVE"]
            return "Light state: INACTIVE, deep state: INACTIVE\n"
        case ["unforce"]:
            state.forced_idle, state.idle[:] = False, ["ACTIVE", "ACTIVE"]
            return "Light state: ACTIVE, deep state: ACTIVE\n"
        case ["step"] | ["step", "deep" | "light"]:
            kind = (*args, "deep")[1]
            names, at = _STATES[kind], int(kind == "light")
            following = names.index(state.idle[at]) + 1
            # an idle device returns to IDLE after each maintenance window
            state.idle[at] = names[following] if following < len(names) else "IDLE"
            return f"Stepped to {kind}: {state.idle[at]}\n"
        case ["get", what]:
            found = {
                "deep": state.idle[0],
                "light": state.idle[1],
                "force": _yes(state.forced_idle),
                "screen": _yes(phone.display.screen_on),
                "charging": _yes(phone.battery.plugged),
                "network": _yes(phone.network.online),
            }
            return f"{found.get(what, f'Unknown get option: {what}')}\n"
        case ["enabled", *_]:
            return "1\n"
        case ["enable" | "disable", *kinds]:
            on, what = args[0] == "enable", (*kinds, "all")[0]
            kinds = {"deep": ["Deep"], "light": ["Light"]}.get(what, ["Deep", "Light"])
            return "".join(f"{name} idle mode {'enabled' if on else 'disabled'}\n" for name in kinds)
        case ["whitelist"] | ["except-idle-whitelist"]:
            rows = "".join(f"user,{name},{_uid(phone, name)}\n" for name in sorted(state.idle_exempt))
            return f"system-excidle,com.android.shell,2000\nsystem,com.android.shell,2000\n{rows}"
        case ["whitelist", *changes]:
            return "".join(_exempt(phone, change) for change in changes)
        case ["tempwhitelist", *_]:
            return ""
        case [verb, *_] if verb not in ("help", "-h"):
            raise UnknownDeviceIdleVerbError(verb)
    return _HELP


def _uid(phone: Phone, package: str) -> int:
    found = phone.packages.get(package)
    return found.uid if found else 0


def _exempt(phone: Phone, change: str) -> str:
    sign, name = change[:1], change[1:]
    if sign not in ("+", "-", "="):
        return f"Package must be prefixed with +, -, or =: {change}\n"
    if phone.packages.get(name) is None:
        return f"Unknown package: {name}\n"
    names = phone.services.idle_exempt
    if sign == "=":
        return f"{_yes(name in names)}\n"
    (names.add if sign == "+" else names.discard)(name)
    return f"{'Added' if sign == '+' else 'Removed'}: {name}\n"


def dump(phone: Phone, args: list[str]) -> str:
    """``dumpsys deviceidle [VERB …]``; a verb does the same as in ``cmd``."""
    if args and args[0] != "-a":
        try:
            return run(phone, args)
        except UnknownDeviceIdleVerbError as error:
            return f"Unknown option: {error}\n"
    deep, light = phone.services.idle
    exempt = "".join(f"    {name}\n" for name in sorted(phone.services.idle_exempt))
    return (
        "  Settings:\n    flex_time_short=+1m0s0ms\n    light_after_inactive_to=+4m0s0ms\n"
        "    inactive_to=+30m0s0ms\n    idle_to=+1h0m0s0ms\n  Whitelist (except idle) system apps:\n"
        "    com.android.shell\n  Whitelist system apps:\n    com.android.shell\n  Whitelist user apps:\n"
        f"{exempt}  mLightEnabled=true  mDeepEnabled=true\n  mForceIdle={_yes(phone.services.forced_idle)}\n"
        f"  mScreenOn={_yes(phone.display.screen_on)}\n  mScreenLocked={_yes(phone.keyguard.showing)}\n"
        f"  mNetworkConnected={_yes(phone.network.online)}\n  mCharging={_yes(phone.battery.plugged)}\n"
        f"  mMotionActive=false\n  mState={deep} mLightState={light}\n  mInactiveTimeout=+30m0s0ms\n"
    )


async def command(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd deviceidle``."""
    try:
        await call.print(run(phone, args))
    except UnknownDeviceIdleVerbError as error:
        return await framework_errors.report_unknown_verb(phone, call, str(error))
    return 0 if args else framework_errors.FAILED
