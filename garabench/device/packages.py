"""Install and remove APK files on a device, and read the file of what is installed."""

from __future__ import annotations

import re
from pathlib import Path

from garabench.device.adb import Adb
from garabench.errors import CommandFailed, DeviceTimeout

_INSTALL_LIMIT = 180.0
"""Seconds: Android 4.4 takes up to 20, and a person may have to confirm on the screen."""
_STAGING = "/data/local/tmp/garabench.apk"
_FAILURE = re.compile(r"Failure\s*\[(?P<code>[A-Z0-9_]+)(?::?\s*(?P<detail>[^\]\n]*))?")
_CONFIRM = (
    "the phone wants this to be confirmed on its screen, or forbids it: allow the installation by USB "
    "(developer options), look at the phone while it installs, then the same command again"
)
_ADVICE = {
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": "what is installed has another signature: uninstall it first",
    "INSTALL_PARSE_FAILED_INCONSISTENT_CERTIFICATES": (
        "what is installed has another signature: uninstall it first"
    ),
    "INSTALL_FAILED_VERSION_DOWNGRADE": "a newer version is installed: uninstall it first",
    "INSTALL_FAILED_USER_RESTRICTED": _CONFIRM,
    "INSTALL_FAILED_ABORTED": _CONFIRM,
    "INSTALL_FAILED_VERIFICATION_FAILURE": _CONFIRM,
    "INSTALL_FAILED_VERIFICATION_TIMEOUT": _CONFIRM,
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": "the phone's storage is full: remove something",
}
"""What to do, by Android's codes (PackageManager's INSTALL_* constants)."""


class InstallFailed(CommandFailed):
    """Android refused to install an APK.

    Attributes:
        code: Android's, such as ``INSTALL_FAILED_VERSION_DOWNGRADE``.
    """

    def __init__(self, message: str, *, code: str, output: str) -> None:
        super().__init__(message, argv=("pm", "install"), output=output)
        self.code = code

    @property
    def wants_uninstall(self) -> bool:
        """Whether it would go after the installed one was removed."""
        return "uninstall" in _ADVICE.get(self.code, "")


class Packages:
    """The APK files of one device."""

    def __init__(self, adb: Adb) -> None:
        self._adb = adb

    def path(self, package: str) -> str:
        """Where the APK of an installed app lies; empty when it is not installed."""
        lines = self._adb.shell(["pm", "path", package]).stdout.split()
        return next((line.removeprefix("package:") for line in lines if line.startswith("package:")), "")

    def file(self, package: str) -> bytes | None:
        """The APK of an installed app; None when there is none, or it cannot be read."""
        path = self.path(package)
        if not path:
            return None
        try:
            return self._adb.pull(path)
        except CommandFailed:
            return None

    def install(self, apk: Path) -> None:
        """Install an APK file, in the place of an older version.

        It is copied and then installed by ``pm``, which every version of Android knows; no flag is used that
        Android 4.4 lacks.

        Raises:
            InstallFailed: Android refused, with its code and what to do.
            DeviceTimeout: There was no answer in time.
        """
        self._adb.push(apk, _STAGING)
        try:
            result = self._adb.shell(["pm", "install", "-r", _STAGING], timeout=_INSTALL_LIMIT)
        except DeviceTimeout as error:
            raise DeviceTimeout(
                f"{apk.name} was not installed within {_INSTALL_LIMIT:g} s; {_CONFIRM}"
            ) from error
        finally:
            self._adb.shell(["rm", "-f", _STAGING])
        # Android 4.4 exits with 0 in any case, and prints more lines before the answer.
        if re.search(r"^Success", result.output, re.MULTILINE):
            return
        found = _FAILURE.search(result.output)
        code = found["code"] if found else ""
        said = found[0].removeprefix("Failure").strip(" []") if found else result.output.strip()
        advice = _ADVICE.get(code, "")
        message = f"{self._adb.serial} refused to install {apk.name}: {said or 'no reason given'}"
        raise InstallFailed(f"{message} ({advice})" if advice else message, code=code, output=result.output)

    def uninstall(self, package: str) -> bool:
        """Remove an app with its data; False when it was not installed.

        Raises:
            CommandFailed: It is still there.
        """
        if not self.path(package):
            return False
        result = self._adb.shell(["pm", "uninstall", package], timeout=_INSTALL_LIMIT)
        if self.path(package):
            raise CommandFailed(
                f"could not uninstall {package}: {result.output.strip()}", output=result.output
            )
        return True
