"""Start, stop, clear and look up apps, through ``am``, ``pm`` and ``dumpsys``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from garabench.core.observation import Focus
from garabench.device import display, focus, launcher
from garabench.device.adb import Adb, ShellResult
from garabench.device.focus import WindowState
from garabench.errors import CommandError

_FIRST_SDK_THAT_RESOLVES = 24
_START_LIMIT = 30.0
_VERSION = re.compile(r"^ +versionName=(?P<version>\S+)", re.MULTILINE)
_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


class AppControl:
    """The apps of one device."""

    def __init__(self, adb: Adb, sdk: int) -> None:
        """Set up for one device.

        Args:
            adb: The device.
            sdk: Its API level.
        """
        self._adb = adb
        self._sdk = sdk
        self._launchers: dict[str, str] = {}
        self._installed: set[str] = set()

    def focus(self) -> Focus:
        """Return the window in focus; its names are empty during a transition.

        Raises:
            DeviceError: The device is gone.
        """
        return self.window().focus

    def window(self) -> WindowState:
        """Read the window in focus and the display with one command.

        Raises:
            DeviceError: The device is gone.
        """
        text = focus.current_state(self._adb.shell(["dumpsys", "window"]).stdout)
        found = focus.parse_window(text)
        if found is None:
            found = focus.parse_activities(self._adb.shell(["dumpsys", "activity", "activities"]).stdout)
        return WindowState(
            found or Focus(package="", activity=""), focus.window_token(text), display.parse_display(text)
        )

    def start(
        self,
        *,
        action: str = "",
        component: str = "",
        data: str = "",
        extras: Mapping[str, str | int | bool] | None = None,
        flags: tuple[str, ...] = (),
        wait: bool = True,
    ) -> ShellResult:
        """Start an activity.

        Args:
            action: Intent action.
            component: ``package/activity``.
            data: A URI.
            extras: Typed extras.
            flags: Additional arguments of ``am start``, such as ``--activity-clear-task``.
            wait: Wait until the activity has been launched.

        Raises:
            CommandError: Android refused; the error has Android's own message.
        """
        argv = ["am", "start", *(["-W"] if wait else []), *flags]
        if action:
            argv += ["-a", action]
        if component:
            argv += ["-n", component]
        if data:
            argv += ["-d", data]
        for key, value in (extras or {}).items():
            kind = "--ez" if isinstance(value, bool) else "--ei" if isinstance(value, int) else "--es"
            argv += [kind, key, str(value).lower() if isinstance(value, bool) else str(value)]
        result = self._adb.shell(argv, timeout=_START_LIMIT)
        if result.failed:
            reason = result.reason if result.output.strip() else "Android gave no reason"
            raise CommandError(
                f"could not start {component or action}: {reason}",
                argv=tuple(argv),
                exit_code=result.exit_code,
                output=result.output,
            )
        return result

    def resolve(self, *, action: str, data: str = "", category: str = "") -> Focus | None:
        """Return the activity that Android resolves an intent to; None before Android 7 and without a match.

        Its package is ``android`` where several apps match and Android asks the user to choose.
        """
        if self._sdk < _FIRST_SDK_THAT_RESOLVES:
            return None
        argv = ["cmd", "package", "resolve-activity", "--brief", "-a", action]
        argv += ["-c", category] if category else []
        argv += ["-d", data] if data else []
        lines = self._adb.shell(argv).stdout.strip().splitlines()
        return focus.parse_window_component(lines[-1].strip()) if lines else None

    def launcher_activity(self, package: str) -> str | None:
        """Return the component of the app's launcher activity; None when it has none or is not installed."""
        if self._sdk >= _FIRST_SDK_THAT_RESOLVES:
            argv = ["cmd", "package", "resolve-activity", "--brief", "-a", _MAIN, "-c", _LAUNCHER, package]
            lines = self._adb.shell(argv).stdout.strip().splitlines()
            found = lines[-1].strip() if lines else ""
            if not re.fullmatch(r"[\w.]+/[\w.$]+", found):
                return None
            if found.startswith(f"{package}/"):
                return found
        # Before Android 7, or where several of the app's activities match and Android would ask the user.
        return launcher.parse_component(self._adb.shell(["dumpsys", "package", package]).stdout, package)

    def open(self, package: str) -> bool:
        """Launch an app as its icon does; return False when it is not installed or has no icon.

        ``monkey`` would find the activity itself, but resets the user's rotation when it exits. The activity
        is looked up once, and again after an update in which it has another name.

        Raises:
            CommandError: Android refused to start it.
        """
        if known := self._launchers.get(package):
            try:
                self._launch(known)
            except CommandError:
                del self._launchers[package]
            else:
                return True
        component = self.launcher_activity(package)
        if component is None:
            return False
        self._launch(component)
        self._launchers[package] = component
        return True

    def _launch(self, component: str) -> None:
        self.start(action=_MAIN, component=component, flags=("-c", _LAUNCHER))

    def installed(self, package: str) -> bool:
        """Return whether the package is installed.

        Raises:
            DeviceError: The package manager does not answer, or the device is gone.
        """
        found = self._adb.shell(["pm", "path", package]).check_reading(f"look for {package}")
        return found.stdout.startswith("package:")

    def enabled(self, package: str) -> bool:
        """Return whether the package is installed and not disabled; ``pm path`` prints disabled ones, too."""
        listed = self._adb.shell(["pm", "list", "packages", "-e", package]).check_reading("list the apps")
        found = f"package:{package}" in listed.stdout.split()
        if found:
            self._installed.add(package)
        return found

    def disabled(self) -> frozenset[str]:
        """Return the packages that are installed, but disabled, as by ``pm disable-user``."""
        listed = self._adb.shell(["pm", "list", "packages", "-d"]).check_reading("list the disabled apps")
        return frozenset(line.removeprefix("package:") for line in listed.stdout.split())

    def version(self, package: str) -> str:
        """Return the version name of an installed app; empty if Android has none."""
        found = _VERSION.search(self._adb.shell(["dumpsys", "package", package]).stdout)
        return found["version"] if found else ""

    def once_installed(self, package: str) -> bool:
        """Return whether the package is installed, without asking the device again if it was."""
        if package not in self._installed and self.installed(package):
            self._installed.add(package)
        return package in self._installed

    def force_stop(self, package: str) -> None:
        """Stop an app, its processes and its services."""
        self._adb.shell(["am", "force-stop", package]).check(f"stop {package}")

    def clear(self, package: str) -> None:
        """Clear an app's data.

        Raises:
            CommandError: Android refused, as it does for some system apps.
        """
        result = self._adb.shell(["pm", "clear", package], timeout=_START_LIMIT)
        if "Success" not in result.stdout:
            raise CommandError(f"could not clear the data of {package}: {result.output.strip()}")

    def set_permission(self, package: str, permission: str, *, granted: bool) -> None:
        """Grant or revoke a runtime permission (Android 6 and newer)."""
        verb = "grant" if granted else "revoke"
        self._adb.shell(["pm", verb, package, permission]).check(f"{verb} {permission} for {package}")

    def pids(self, package: str) -> frozenset[str]:
        """Return the ids of the processes named like the package."""
        if self._sdk >= 24:
            return frozenset(self._adb.shell(["pidof", package]).stdout.split())
        rows = (row.split() for row in self._adb.shell(["ps"]).stdout.splitlines())
        return frozenset(row[1] for row in rows if len(row) > 1 and row[-1] == package)

    def running(self, package: str) -> bool:
        """Return whether a process of the package is running."""
        return bool(self.pids(package))
