"""The help of services' shell commands (``cmd SERVICE help``), after the ``onHelp`` of AOSP's classes.

It lists the verbs that this phone has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def _help(title: str, *verbs: tuple[str, str]) -> str:
    """Return a title, and each verb with its explanation."""
    rows: Sequence[tuple[str, str]] = (("help", "Print this help text."), *verbs)
    return f"{title}\n" + "".join(f"  {verb}\n    {text}\n" for verb, text in rows)


HELP: Mapping[str, str] = {
    "activity": _help(
        "Activity manager (activity) commands:",
        ("start-activity [-W] [-S] <INTENT>", "Start an Activity."),
        ("start-service <INTENT>", "Start a Service."),
        ("start-foreground-service <INTENT>", "Start a foreground Service."),
        ("stop-service <INTENT>", "Stop a Service."),
        ("broadcast <INTENT>", "Send a broadcast Intent."),
        ("instrument [-w] <COMPONENT>", "Start an Instrumentation."),
        ("force-stop <PACKAGE>", "Completely stop the given application package."),
        ("stop-app <PACKAGE>", "Stop an app and all of its services."),
        ("crash <PACKAGE|PID>", "Induce a VM crash in the specified package or process"),
        ("kill <PACKAGE>", "Kill all background processes associated with the given application."),
        ("kill-all", "Kill all processes that are safe to kill (cached, etc)."),
        ("profile start|stop <PROCESS> <FILE>", "Start and stop profiler on a process."),
        ("dumpheap <PROCESS> [<FILE>]", "Dump the heap of a process."),
        ("get-current-user", "Returns id of the current foreground user."),
        ("get-config", "Retrieve the configuration of the device."),
        ("stack list", "List all of the activity stacks and their sizes."),
        ("to-uri <INTENT>", "Print the given Intent specification as a URI."),
        ("to-intent-uri <INTENT>", "Print the given Intent specification as an intent: URI."),
        ("to-app-uri <INTENT>", "Print the given Intent specification as an android-app: URI."),
    ),
    "alarm": _help(
        "Alarm manager service (alarm) commands:",
        (
            "set-time TIME",
            "Set the system clock time to TIME where TIME is milliseconds\n    since the Epoch.",
        ),
        ("set-timezone TZ", "Set the system timezone to TZ where TZ is an Olson id."),
    ),
    "appops": _help(
        "AppOps service (appops) commands:",
        ("set <PACKAGE> <OP> <MODE>", "Set the mode for a particular application and operation."),
        ("get <PACKAGE> [<OP>]", "Return the mode for a particular application and optional operation."),
        ("reset [<PACKAGE>]", "Reset the given application or all applications to default modes."),
    ),
    "bluetooth_manager": _help(
        "Bluetooth Manager Commands:",
        ("enable", "Enable Bluetooth on this device."),
        ("disable", "Disable Bluetooth on this device."),
    ),
    "connectivity": _help(
        "Connectivity service commands:",
        ("airplane-mode [enable|disable]", "Turn airplane mode on or off."),
        ("airplane-mode", "Get airplane mode."),
    ),
    "devicestoragemonitor": _help(
        "Device storage monitor service (devicestoragemonitor) commands:",
        ("force-low [-f]", "Force storage to be low, freezing storage state."),
        ("force-not-low [-f]", "Force storage to not be low, freezing storage state."),
        ("reset [-f]", "Unfreeze storage state, returning to current real values."),
    ),
    "input_method": _help(
        "InputMethodManagerService commands:",
        ("list [-a] [-s]", "Prints all enabled input methods."),
        ("enable <ID>", "Allows the given input method ID to be used."),
        ("disable <ID>", "Disallows the given input method ID to be used."),
        ("set <ID>", "Switches to the given input method ID."),
        ("reset", "Reset currently selected/enabled IMEs to the default ones."),
    ),
    "lock_settings": _help(
        "lockSettings service commands:",
        ("get-disabled", "Checks whether lock screen is disabled."),
        ("set-disabled <true|false>", "When true, disables lock screen."),
        ("verify", "Verifies the lock credentials."),
        ("clear", "Clears the lock credentials."),
    ),
    "locale": _help(
        "Locale manager (locale) shell commands:",
        (
            "set-app-locales <PACKAGE_NAME> [--user <USER_ID>] [--locales <LOCALE_INFO>]",
            "Set the locales for the specified app.",
        ),
        ("get-app-locales <PACKAGE_NAME> [--user <USER_ID>]", "Get the locales for the specified app."),
    ),
    "notification": (
        "usage: cmd notification SUBCMD [args]\n\nSUBCMDs:\n  list\n  post [-t <title>] TAG TEXT\n"
    ),
    "package": _help(
        "Package manager (package) commands:",
        ("path PACKAGE", "Print the path to the .apk of the given PACKAGE."),
        ("dump PACKAGE", "Print various system state associated with the given PACKAGE."),
        ("has-feature FEATURE_NAME", "Prints true and returns exit status 0 when system has a FEATURE_NAME."),
        (
            "list features|instrumentation|libraries|packages|permission-groups|permissions|users",
            "Prints what the device has.",
        ),
        ("resolve-activity [--brief] [--components] INTENT", "Prints the activity that resolves to INTENT."),
        ("query-activities [--brief] [--components] INTENT", "Prints all activities that can handle INTENT."),
        ("query-services [--brief] [--components] INTENT", "Prints all services that can handle INTENT."),
        ("query-receivers [--brief] [--components] INTENT", "Prints all receivers that can handle INTENT."),
        ("install [-rtdg] [PATH|-]", "Install an application."),
        ("install-create, install-write, install-commit, install-abandon", "Install in a session."),
        ("uninstall [--user USER_ID] PACKAGE", "Remove the given package name from the system."),
        ("clear PACKAGE", "Deletes all data associated with a package."),
        ("enable, disable, disable-user, default-state PACKAGE", "Change the enabled state of a package."),
        ("hide, unhide, suspend, unsuspend PACKAGE", "Hide or suspend a package."),
        ("grant, revoke PACKAGE PERMISSION", "Either grant or revoke permissions to apps."),
        ("trim-caches DESIRED_FREE_SPACE", "Trim cache files to reach the given free space."),
    ),
    "power": _help(
        "Power manager (power) commands:",
        (
            "set-mode MODE",
            "sets the power mode of the device to MODE.\n"
            "    1 turns low power mode on and 0 turns low power mode off.",
        ),
    ),
    "statusbar": _help(
        "Status bar commands:",
        ("expand-notifications", "Open the notifications panel."),
        (
            "expand-settings",
            "Open the notifications panel and expand quick settings if present.",
        ),
        ("collapse", "Collapse the notifications and settings panel."),
        ("add-tile COMPONENT", "Add a TileService of the specified component"),
        ("remove-tile COMPONENT", "Remove a TileService of the specified component"),
        ("click-tile COMPONENT", "Click on a TileService of the specified component"),
        ("check-support", "Check if this device supports QS + APIs"),
        ("get-status-icons", "Print the list of status bar icons and the order they appear in"),
    ),
    "uimode": _help(
        "UiModeManager service (uimode) commands:",
        ("night [yes|no|auto]", "Set or read night mode."),
        ("car [yes|no]", "Set or read car mode."),
    ),
    "wifi": _help(
        "Wi-Fi (wifi) commands:",
        ("set-wifi-enabled enabled|disabled", "Enables/disables Wifi on this device."),
        ("status", "Current wifi status"),
    ),
}
