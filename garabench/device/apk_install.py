"""Install and uninstall APKs on a device, and read the APK of an installed app."""

from __future__ import annotations

import re
from pathlib import Path

from garabench.device.adb import Adb
from garabench.errors import CommandError, DeviceTimeoutError

_INSTALL_LIMIT = 180.0
"""Seconds. Android 4.4 takes up to 20, and a user may need to confirm on the screen."""
_STAGING = "/data/local/tmp/garabench.apk"
_FAILURE = re.compile(r"Failure\s*\[(?P<code>[A-Z0-9_]+)(?::?\s*(?P<detail>[^\]\n]*))?")
_CONFIRM = (
    "the phone asks for confirmation on its screen, or blocks installation over USB: enable 'Install via "
    "USB' in the developer options, run the command again and watch the phone's screen"
)
_ADVICE = {
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": "the installed app has a different signature: uninstall it first",
    "INSTALL_PARSE_FAILED_INCONSISTENT_CERTIFICATES": (
        "the installed app has a different signature: uninstall it first"
    ),
    "INSTALL_FAILED_VERSION_DOWNGRADE": "a newer version is installed: uninstall it first",
    "INSTALL_FAILED_USER_RESTRICTED": _CONFIRM,
    "INSTALL_FAILED_ABORTED": _CONFIRM,
    "INSTALL_FAILED_VERIFICATION_FAILURE": _CONFIRM,
    "INSTALL_FAILED_VERIFICATION_TIMEOUT": _CONFIRM,
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": "the phone's storage is full: free some space",
}
"""Advice by Android's error code (PackageManager's INSTALL_* constants)."""


class InstallError(CommandError):
    """Android refused to install an APK.

    Attributes:
        code: Android's error code, such as ``INSTALL_FAILED_VERSION_DOWNGRADE``.
    """

    def __init__(self, message: str, *, code: str, output: str) -> None:
        super().__init__(message, argv=("pm", "install"), output=output)
        self.code = code

    @property
    def wants_uninstall(self) -> bool:
        """Whether uninstalling the installed app would help."""
        return "uninstall" in _ADVICE.get(self.code, "")


class Packages:
    """The installed APKs of one device."""

    def __init__(self, adb: Adb) -> None:
        self._adb = adb

    def path(self, package: str) -> str:
        """Return the path of an installed app's APK; empty when it is not installed."""
        lines = self._adb.shell(["pm", "path", package]).check_reading(f"look for {package}").stdout.split()
        return next((line.removeprefix("package:") for line in lines if line.startswith("package:")), "")

    def file(self, package: str) -> bytes | None:
        """Return the bytes of an installed app's APK; None when it is not installed or not readable."""
        path = self.path(package)
        if not path:
            return None
        try:
            return self._adb.pull(path)
        except CommandError:
            return None

    def install(self, apk: Path) -> None:
        """Install an APK, replacing an older version.

        The file is copied and installed by ``pm``, with only the flags that Android 4.4 knows.

        Raises:
            InstallError: Android refused; the error has its code and advice.
            DeviceTimeoutError: The installation did not end in time.
        """
        self._adb.push(apk, _STAGING)
        try:
            result = self._adb.shell(["pm", "install", "-r", _STAGING], timeout=_INSTALL_LIMIT)
        except DeviceTimeoutError as error:
            raise DeviceTimeoutError(
                f"{apk.name} was not installed within {_INSTALL_LIMIT:g} s; {_CONFIRM}"
            ) from error
        finally:
            self._adb.shell(["rm", "-f", _STAGING])
        # Android 4.4 always exits with 0 and prints more lines before the result.
        if re.search(r"^Success", result.output, re.MULTILINE):
            return
        found = _FAILURE.search(result.output)
        code = found["code"] if found else ""
        reason = found[0].removeprefix("Failure").strip(" []") if found else result.output.strip()
        advice = _ADVICE.get(code, "")
        message = f"{self._adb.serial} refused to install {apk.name}: {reason or 'Android gave no reason'}"
        raise InstallError(f"{message} ({advice})" if advice else message, code=code, output=result.output)

    def uninstall(self, package: str) -> bool:
        """Uninstall an app with its data; return False when it was not installed.

        Raises:
            CommandError: It is still installed.
        """
        if not self.path(package):
            return False
        result = self._adb.shell(["pm", "uninstall", package], timeout=_INSTALL_LIMIT)
        if self.path(package):
            raise CommandError(
                f"could not uninstall {package}: {result.output.strip()}", output=result.output
            )
        return True
