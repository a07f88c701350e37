"""Start, stop, clear and look up apps, through ``am``, ``pm`` and ``dumpsys``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from garabench.core.observation import Focus
from garabench.device import focus
from garabench.device.adb import Adb, ShellResult
from garabench.errors import CommandFailed

_FAILED = re.compile(r"^(Error:.*|Error type \d+.*|.*Exception:.*|.*SecurityException.*)$", re.MULTILINE)
_FIRST_SDK_WITH_FOCUS_IN_WINDOW = 29
_FIRST_SDK_THAT_RESOLVES = 24
_START_LIMIT = 30.0


class Apps:
    """The apps of one device."""

    def __init__(self, adb: Adb, sdk: int) -> None:
        """Prepare.

        Args:
            adb: The device.
            sdk: Its API level.
        """
        self._adb = adb
        self._sdk = sdk

    def focus(self) -> Focus:
        """The window in focus; empty names while a transition is under way.

        Raises:
            DeviceError: The device is gone.
        """
        words = ["dumpsys", "window"]
        if self._sdk < _FIRST_SDK_WITH_FOCUS_IN_WINDOW:
            words.append("windows")
        found = focus.parse_window(self._adb.shell(words).stdout)
        if found is None:
            found = focus.parse_activities(self._adb.shell(["dumpsys", "activity", "activities"]).stdout)
        return found or Focus(package="", activity="")

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
            flags: Further words of ``am start``, such as ``--activity-clear-task``.
            wait: Wait until it has been launched.

        Raises:
            CommandFailed: Android refused; its own message is in the error.
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
        # Android 4.4 always exits with 0, and newer ones print errors on either stream.
        if result.exit_code != 0 or _FAILED.search(result.output):
            lines = _FAILED.findall(result.output) or result.output.strip().splitlines()[-1:]
            # "Error type 3" stands before the line that says what it means.
            telling = [line for line in lines if not line.startswith("Error type")] or lines
            said = telling[0].strip() if telling else "no reason given"
            raise CommandFailed(
                f"could not start {component or action}: {said}",
                argv=tuple(argv),
                exit_code=result.exit_code,
                output=result.output,
            )
        return result

    def resolve(self, *, action: str, data: str = "", category: str = "") -> Focus | None:
        """The activity that an intent leads to, since Android 7; None when none is told.

        It is of the package ``android`` where several apps could be meant and Android asks for one.
        """
        if self._sdk < _FIRST_SDK_THAT_RESOLVES:
            return None
        argv = ["cmd", "package", "resolve-activity", "--brief", "-a", action]
        argv += ["-c", category] if category else []
        argv += ["-d", data] if data else []
        lines = self._adb.shell(argv).stdout.strip().splitlines()
        return focus.component(lines[-1].strip()) if lines else None

    def launcher_activity(self, package: str) -> str | None:
        """The component of the app's first screen, or None when it has none (or is not installed)."""
        argv = [
            "cmd",
            "package",
            "resolve-activity",
            "--brief",
            "-c",
            "android.intent.category.LAUNCHER",
            package,
        ]
        lines = self._adb.shell(argv).stdout.strip().splitlines()
        if lines and re.fullmatch(r"[\w.]+/[\w.$]+", lines[-1]):
            return lines[-1]
        return None

    def open(self, package: str) -> bool:
        """Bring an app to the front as its icon does; False when it is not installed."""
        if not self.installed(package):
            return False
        component = self.launcher_activity(package) if self._sdk >= 24 else None
        if component:
            self.start(
                action="android.intent.action.MAIN",
                component=component,
                flags=("-c", "android.intent.category.LAUNCHER"),
            )
            return True
        argv = ["monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1"]
        result = self._adb.shell(argv, timeout=_START_LIMIT)
        return "No activities found" not in result.output and "aborted" not in result.output

    def installed(self, package: str) -> bool:
        """Whether the package is installed."""
        return self._adb.shell(["pm", "path", package]).stdout.startswith("package:")

    def force_stop(self, package: str) -> None:
        """Kill an app and everything of it that runs."""
        self._adb.shell(["am", "force-stop", package]).check(f"stop {package}")

    def clear(self, package: str) -> None:
        """Wipe an app's data.

        Raises:
            CommandFailed: Android refused, as it does for some system apps.
        """
        result = self._adb.shell(["pm", "clear", package], timeout=_START_LIMIT)
        if "Success" not in result.stdout:
            raise CommandFailed(f"could not clear the data of {package}: {result.output.strip()}")

    def set_permission(self, package: str, permission: str, *, granted: bool) -> None:
        """Grant or revoke a runtime permission (Android 6 and newer)."""
        verb = "grant" if granted else "revoke"
        self._adb.shell(["pm", verb, package, permission]).check(f"{verb} {permission} for {package}")

    def pids(self, package: str) -> frozenset[str]:
        """The processes that bear the package's name."""
        if self._sdk >= 24:
            return frozenset(self._adb.shell(["pidof", package]).stdout.split())
        rows = (row.split() for row in self._adb.shell(["ps"]).stdout.splitlines())
        return frozenset(row[1] for row in rows if len(row) > 1 and row[-1] == package)

    def running(self, package: str) -> bool:
        """Whether a process of the package runs."""
        return bool(self.pids(package))
