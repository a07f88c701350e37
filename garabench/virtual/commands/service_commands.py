"""The shell commands (``cmd SERVICE``) of services with few verbs, after AOSP's ``…ShellCommand`` classes."""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.dumpsys_apps import (
    OVERLAY_TARGET,
    OVERLAYS,
    enable_exclusively,
    is_overlay_enabled,
)
from garabench.virtual.shell.call import CommandCall

_BRIGHTEST = 255
_ON = {"enable": True, "true": True, "disable": False, "false": False}
_TRUE_FALSE = {"true": True, "false": False}


async def _usage(call: CommandCall, text: str) -> int:
    await call.print(text)
    return framework_errors.FAILED


def _without_user(args: list[str]) -> list[str]:
    left = list(args)
    while "--user" in left:
        at = left.index("--user")
        del left[at : at + 2]
    return left


async def overlay(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd overlay list|enable|disable|enable-exclusive|set-priority`` (``OverlayManagerShellCommand``)."""
    match _without_user(args):
        case ["list", *names]:
            wanted = names[0] if names else ""
            found = [name for name in OVERLAYS if wanted in ("", OVERLAY_TARGET, name)]
            rows = [f"[{'x' if is_overlay_enabled(phone, name) else ' '}] {name}\n" for name in found]
            head = f"{OVERLAY_TARGET}\n" if rows and wanted in ("", OVERLAY_TARGET) else ""
            await call.print(head + "".join(rows) + ("\n" if head else ""))
        case [("enable" | "disable" | "enable-exclusive") as verb, *options] if options:
            name = [option for option in options if not option.startswith("--")][-1:]
            if verb == "enable-exclusive" and (not name or name[0] not in OVERLAYS):
                return 1
            if not name or name[0] not in OVERLAYS:
                await call.print_error(f"Error: Overlay {(*name, '')[0]} does not exist for user 0\n")
                return framework_errors.FAILED
            if verb == "enable-exclusive":
                enable_exclusively(phone, name[0], within_category="--category" in options)
            phone.services.overlays[name[0]] = verb != "disable"
            phone.changed()
        case ["set-priority", name, _]:
            return 0 if name in OVERLAYS else 1
        case [verb, *_] if verb in ("enable", "disable", "enable-exclusive", "set-priority"):
            return await framework_errors.report_illegal_argument(
                call, verb, f'Argument expected after "{args[-1]}"'
            )
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call,
                "Overlay manager (overlay) commands:\n    help\n        Print this help text.\n"
                "    list [--user USER_ID] [PACKAGE[:NAME]]\n    enable [--user USER_ID] PACKAGE[:NAME]\n"
                "    disable [--user USER_ID] PACKAGE[:NAME]\n"
                "    enable-exclusive [--user USER_ID] [--category] PACKAGE\n"
                "    set-priority [--user USER_ID] PACKAGE PARENT|lowest|highest\n",
            )
    return 0


async def display(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd display set-brightness`` and others (``DisplayManagerShellCommand``)."""
    size, density = phone.display.natural, phone.display.physical_density
    match args:
        case ["set-brightness", text]:
            try:
                value = float(text)
            except ValueError:
                value = -1.0
            if not 0 <= value <= 1:
                await call.print_error("Error: brightness should be a number between 0 and 1\n")
                return 1
            phone.settings.put("system", "screen_brightness", str(round(value * _BRIGHTEST)))
            phone.changed()
        case ["set-brightness"]:
            await call.print_error("Error: no brightness specified\n")
            return 1
        case ["get-displays", *_] if phone.profile.sdk >= 34:
            await call.print(
                f'Displays:\nDisplay id 0: DisplayInfo{{"Built-in Screen", displayId 0, real {size.width} x '
                f"{size.height}, density {density}, state {'ON' if phone.display.screen_on else 'OFF'}, "
                "type INTERNAL}\n"
            )
        case ["get-active-display-mode-at-start", _] | ["get-user-preferred-display-mode", *_]:
            await call.print(f"Active mode: {size.width}x{size.height}, 60.0\n")
        case ["reset-brightness-configuration"]:
            pass
        case ["ab-logging-enable" | "ab-logging-disable" | "dwb-logging-enable" | "dwb-logging-disable"]:
            pass
        case ["dmd-logging-enable" | "dmd-logging-disable" | "dwb-set-cct", *_]:
            pass
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call,
                "Display manager commands:\n  help\n    Print this help text.\n\n"
                "  set-brightness BRIGHTNESS\n    Sets the current brightness to BRIGHTNESS (a number "
                "between "
                "0 and 1).\n  reset-brightness-configuration\n    Reset the brightness to its default "
                "configuration.\n  ab-logging-enable\n  ab-logging-disable\n  dwb-logging-enable\n"
                "  dwb-logging-disable\n  get-displays [-c|--category CATEGORY]\n",
            )
    return 0


async def phone_service(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd phone data enable|disable`` and others (``TelephonyShellCommand``)."""
    match args:
        case ["data", verb] if verb in ("enable", "disable"):
            phone.network.mobile_data = _ON[verb]
        case ["data", *_]:
            return await _usage(
                call, "Mobile Data Test Commands:\n  data enable: enable mobile data connectivity\n"
                "  data disable: disable mobile data connectivity\n"
            )  # fmt: skip
        case ["ims", "enable" | "disable" | "set-ims-service" | "clear-ims-service-override", *_]:
            pass
        case ["ims", "get-ims-service", *_]:
            await call.print("null\n")
        case ["restart-modem"] | ["radio", *_] | ["emergency-number-test-mode", *_]:
            pass
        case ["cc", "get-value", *rest]:
            name = rest[-1] if rest else ""
            await call.print(f"{name} = (null)\n")
        case ["numverify", *_] | ["src", *_] | ["cc", *_] | ["gba", *_]:
            pass
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call,
                "Telephony Commands:\n  help\n    Print this help text.\n  ims\n    IMS Commands.\n"
                "  uce\n    RCS User Capability Exchange Commands.\n  emergency-number-test-mode\n"
                "  end-block-suppression\n  data\n    Data Test Commands.\n  cc\n"
                "    Carrier Config Commands.\n"
                "  restart-modem\n    Restart modem command.\n",
            )
    return 0


async def shortcut(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd shortcut reset-throttling`` and others; each ends with ``Success`` (``ShortcutService``)."""
    left = _without_user(args)
    match left:
        case ["get-default-launcher"]:
            home = phone.packages.home()
            if home is not None:
                await call.print(f"Launcher: ComponentInfo{{{home.app.package}/{home.activity}}}\n")
        case ["clear-shortcuts" | "get-shortcuts" | "has-shortcut-access", *rest] if rest:
            if phone.packages.get(rest[-1]) is None and left[0] != "has-shortcut-access":
                await call.print_error(f"Error: Package {rest[-1]} is not installed\n")
                return 1
            if left[0] == "has-shortcut-access":
                await call.print("false\n")
        case ["reset-throttling" | "reset-all-throttling" | "reset-config" | "verify-states"]:
            pass
        case ["override-config", _] | ["unload-user"]:
            pass
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call,
                "Usage: cmd shortcut COMMAND [options ...]\n\n"
                "cmd shortcut reset-throttling [--user USER_ID]\n"
                "    Reset throttling for all packages for a user\n\ncmd shortcut reset-all-throttling\n"
                "cmd shortcut override-config CONFIG\ncmd shortcut reset-config\n"
                "[Deprecated] cmd shortcut get-default-launcher [--user USER_ID]\n"
                "cmd shortcut unload-user [--user USER_ID]\n"
                "cmd shortcut clear-shortcuts [--user USER_ID] PACKAGE\n"
                "cmd shortcut get-shortcuts [--user USER_ID] [--flags FLAGS] PACKAGE\n",
            )
    await call.print("Success\n")
    return 0


async def user(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd user list`` and others (``UserManagerServiceShellCommand``)."""
    match args:
        case ["list", *options]:
            if {"-v", "--verbose"} & set(options):
                await call.print(
                    "1 users:\n\n0: id=0, name=Owner, type=full.SYSTEM, "
                    "flags=ADMIN|FULL|INITIALIZED|MAIN|PRIMARY|"
                    "SYSTEM (running) (current) (visible)\n"
                )
            else:
                await call.print("Users:\n\tUserInfo{0:Owner:4c13} running\n")
        case ["get-main-user"]:
            await call.print("0\n")
        case [
            "is-headless-system-user-mode" | "is-user-visible" | "is-visible-background-users-supported",
            *rest,
        ]:
            await call.print(f"{str(args[0] == 'is-user-visible' and rest[:1] in ([], ['0'])).lower()}\n")
        case ["report-system-user-package-whitelist-problems", *_]:
            pass
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call,
                "User manager (user) commands:\n  help\n    Prints this help text.\n\n"
                "  list [-v | --verbose]\n",
            )
    return 0


async def thermal(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd thermalservice override-status STATUS`` and ``reset`` (``ThermalManagerService``)."""
    match args:
        case ["override-status", number]:
            if number not in "0123456" or len(number) != 1:
                await call.print_error(f"Invalid thermal status: {number}\n")
                return framework_errors.FAILED
            phone.services.thermal = int(number)
        case ["reset"]:
            phone.services.thermal = 0
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call, "Thermal service (thermalservice) commands:\n  help\n    Print this help text.\n\n"
                "  override-status STATUS\n    sets and locks the thermal status of the device to STATUS.\n"
                "    status code is defined in android.os.Temperature.\n  reset\n"
                "    unlocks the thermal status of the device.\n"
            )  # fmt: skip
    return 0


async def location(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd location is-location-enabled`` and ``set-location-enabled`` (``LocationShellCommand``)."""
    match _without_user(args):
        case ["is-location-enabled"]:
            on = (phone.settings.get("secure", "location_mode") or "0") != "0"
            await call.print(f"{str(on).lower()}\n")
        case ["set-location-enabled", value] if value in _TRUE_FALSE:
            phone.settings.put("secure", "location_mode", "3" if _TRUE_FALSE[value] else "0")
            phone.changed()
        case ["providers" | "set-adas-gnss-location-enabled", *_]:
            pass
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call, "Location service commands:\n  help or -h\n    Print this help text.\n"
                "  is-location-enabled [--user <USER_ID>]\n"
                "  set-location-enabled true|false [--user <USER_ID>]\n"
            )  # fmt: skip
    return 0


async def netpolicy(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd netpolicy get|set restrict-background`` (``NetworkPolicyManagerShellCommand``)."""
    match args:
        case ["get", "restrict-background"]:
            on = phone.settings.get("global", "restrict_background_data") == "1"
            await call.print(f"Restrict background status: {'enabled' if on else 'disabled'}\n")
        case ["set", "restrict-background", value] if value in _TRUE_FALSE:
            phone.settings.put("global", "restrict_background_data", str(int(_TRUE_FALSE[value])))
        case ["list", *_] | ["add", _, _] | ["remove", _, _]:
            pass
        case ["get" | "set", *rest]:
            await call.print(
                f"Error: unknown {args[0]} type '{rest[0]}'\n"
                if rest
                else "Error: didn't specify type of data\n"
            )
            return framework_errors.FAILED
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call, "Network policy manager (netpolicy) commands:\n  help\n    Print this help text.\n"
            )
    return 0


async def device_config(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd device_config get|put|delete|list``, whose flags have no effect (``DeviceConfigService``)."""
    flags = phone.services.flags
    match args:
        case ["get", space, key]:
            await call.print(flags.get(f"{space}/{key}", "null") + "\n")
        case ["put", space, key, value, *_]:
            flags[f"{space}/{key}"] = value
        case ["delete", space, key]:
            found = flags.pop(f"{space}/{key}", None) is not None
            await call.print(
                f"Successfully deleted {key} from {space}\n"
                if found
                else f"Failed to delete {key} from {space}\n"
            )
        case ["list", *space]:
            rows = (
                f"{key.partition('/')[2] if space else key}={value}\n"
                for key, value in sorted(flags.items())
                if not space or key.startswith(f"{space[0]}/")
            )
            await call.print("".join(rows))
        case ["reset", *_] | ["set_sync_disabled_for_tests", *_]:
            pass
        case ["get_sync_disabled_for_tests" | "is_sync_disabled_for_tests"]:
            await call.print("none\n")
        case ["get" | "put" | "delete", *_]:
            await call.print_error("Bad arguments\n")
            return framework_errors.FAILED
        case [verb, *_] if verb not in ("help", "-h"):
            await call.print_error(f"Invalid command: {verb}\n")
            return framework_errors.FAILED
        case _:
            return await _usage(
                call, "Device Config (device_config) commands:\n  help\n      Print this help text.\n"
                "  get NAMESPACE KEY\n  put NAMESPACE KEY VALUE [default]\n  delete NAMESPACE KEY\n"
                "  list [NAMESPACE]\n"
            )  # fmt: skip
    return 0


async def vibrator(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd vibrator_manager list|synced|cancel`` (``VibratorManagerShellCommand``)."""
    match args:
        case ["list"]:
            await call.print("0\n")
        case ["synced" | "combined" | "sequential" | "cancel" | "xml" | "feedback", *_] | ["vibrate", *_]:
            pass
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call, "Vibrator Manager commands:\n  help\n    Prints this help text.\n\n  list\n"
                "    Prints the id of "
                "device vibrators. This does not include any connected input device.\n"
                "  synced [options] <effect>...\n  cancel\n    Cancels any active vibration\n"
            )  # fmt: skip
    return 0


async def job_scheduler(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd jobscheduler run …``: no app has jobs (``JobSchedulerShellCommand``)."""
    left = _without_user(args)
    plain = [arg for arg in left[1:] if not arg.startswith("-")]
    match left:
        case ["run" | "timeout" | "cancel" | "get-job-state", *_]:
            if plain and phone.packages.get(plain[0]) is None:
                await call.print(f"unable to find package '{plain[0]}'\n")
            else:
                number, package = (*plain[1:], "0")[0], (*plain, "")[0]
                await call.print(f"Could not find job {number} in package {package} / user 0\n")
            return framework_errors.FAILED
        case ["monitor-battery" | "get-battery-charging" | "get-battery-not-low", *_]:
            await call.print(f"{str(phone.battery.plugged or phone.battery.level > 15).lower()}\n")
        case ["get-storage-not-low"]:
            await call.print(f"{str(not phone.storage.low).lower()}\n")
        case ["reset-execution-quota" | "reset-schedule-quota" | "trigger-dock-state", *_]:
            pass
        case [verb, *_] if verb not in ("help", "-h"):
            return await framework_errors.report_unknown_verb(phone, call, verb)
        case _:
            return await _usage(
                call, "Job scheduler (jobscheduler) commands:\n  help\n    Print this help text.\n"
                "  run [-f | --force] [-s | --satisfied] [-u | --user USER_ID] PACKAGE JOB_ID\n"
            )  # fmt: skip
    return 0
