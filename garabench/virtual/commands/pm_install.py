"""Installing and removing apps: ``pm install`` of every version, and the sessions of newer ones."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace

from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.installer import InstallOptions, InstallResult, install_apk
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall

_INSTALL_MS = 900
_INSTALL_OLD_MS = 9_000
"""Android 4.4 takes 9 to 19 s."""
_OLD_SDK = 21
_STAGING_DIRECTORY = "/data/local/tmp/"


class Installer:
    """Installs APK files from the phone or from standard input.

    Attributes:
        sessions: Options, and the data of each split by name, by session.
        children: The sessions that a multi-package session installs together.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.sessions: dict[int, tuple[InstallOptions, dict[str, bytes]]] = {}
        self.children: dict[int, list[int]] = {}
        self._last_session = 1_000

    async def install(self, data: bytes, options: InstallOptions) -> InstallResult:
        """Install an APK.

        Faults: ``install-slow``, ``no-space``, ``install-refused``.
        """
        phone = self._phone
        slow = phone.faults.active("install-slow")
        await phone.spend(_INSTALL_OLD_MS if phone.profile.sdk < _OLD_SDK else _INSTALL_MS)
        if slow is not None:
            await phone.spend(int(slow.get("ms", 20_000)))
        if phone.faults.active("no-space") is not None:
            return InstallResult(code="INSTALL_FAILED_INSUFFICIENT_STORAGE")
        if phone.faults.active("install-refused") is not None:
            return InstallResult(code="INSTALL_FAILED_USER_RESTRICTED", detail="Install canceled by user")
        known = {each.app.package for each in phone.packages.all()}
        result = install_apk(phone.packages, data, options)
        if result.ok:
            phone.activities.force_stop(result.package)
            self._put_file(result.package, data)
            self._note_time(result.package, is_new=result.package not in known)
            phone.changed()
        return result

    def _note_time(self, package: str, *, is_new: bool) -> None:
        installed = self._phone.packages.get(package)
        if installed is not None:
            installed.last_update = self._phone.clock.wall()
            if is_new:
                installed.first_install = installed.last_update

    def _put_file(self, package: str, data: bytes) -> None:
        """Put the APK at its ``pm path``, and remove the previous one."""
        packages = self._phone.packages
        installed = packages.get(package)
        if installed is not None:
            if installed.updates:
                self._drop_file(packages.path_of(replace(installed, updates=installed.updates - 1)))
            with as_root():
                self._phone.files.write(packages.path_of(installed), data)

    def _drop_file(self, path: str) -> None:
        """Remove the APK of an app; that of a built-in one is generated, and cannot be removed."""
        if self._phone.files.stat(path) is not None:
            with as_root(), contextlib.suppress(PermissionError):
                self._phone.files.remove(path)

    def uninstall(self, package: str) -> bool:
        """Remove an app; False if it is not installed or a system app."""
        found = self._phone.packages.get(package)
        if found is None:
            return False
        self._phone.activities.force_stop(package)
        path = self._phone.packages.path_of(found)
        done = self._phone.packages.uninstall(package)
        if done:
            self._drop_file(path)
        self._phone.changed()
        return done

    # Sessions, since Android 5

    async def command(
        self, call: CommandCall, flags: frozenset[str], plain: list[str], values: Mapping[str, str]
    ) -> int:
        """``pm install``, from a file or with ``-S`` from standard input."""
        if plain and plain[0] != "-":
            try:
                data = self._phone.files.read(call.path(plain[0]))
            except OSError:
                message = f"Error: Can't open file: {plain[0]}"
                await call.print_error(
                    f"{_unreadable(plain[0])}{message}\n\n"
                    "Exception occurred while executing 'install':\n"
                    f"java.lang.IllegalArgumentException: {message}\n"
                )
                return 255
        else:
            data = await read_exactly(call, values.get("-S", ""))
            if not data:
                await call.print_error("Error: must either specify a package size or an APK file\n")
                return 1
        return await self._report(call, await self.install(data, options(flags)))

    async def _report(self, call: CommandCall, result: InstallResult) -> int:
        await call.print(f"{result}\n")
        return 0 if result.ok else 1

    async def create(self, call: CommandCall, flags: frozenset[str]) -> int:
        """``pm install-create``."""
        self._last_session += 1
        self.sessions[self._last_session] = (options(flags), {})
        if "--multi-package" in flags:
            self.children[self._last_session] = []
        await call.print(f"Success: created install session [{self._last_session}]\n")
        return 0

    async def write(self, call: CommandCall, plain: list[str], values: Mapping[str, str]) -> int:
        """``pm install-write SESSION NAME [PATH|-]``."""
        session = self.sessions.get(int(plain[0]))
        if session is None:
            return await _report_no_access(call, "install-write", int(plain[0]))
        name = plain[1] if len(plain) > 1 else "base.apk"
        source = plain[2] if len(plain) > 2 else "-"
        if source == "-":
            if not (values.get("-S", "").isdecimal() and int(values["-S"])):
                await call.print_error("Error: must specify an APK size\n")
                return 1
            data = await read_exactly(call, values["-S"])
        else:
            try:
                data = self._phone.files.read(call.path(source))
            except OSError:
                await call.print_error(_unreadable(source))
                return framework_errors.FAILED
        session[1][name] = data
        await call.print(f"Success: streamed {len(data)} bytes\n")
        return 0

    async def commit(self, call: CommandCall, number: int) -> int:
        """``pm install-commit SESSION``."""
        if children := self.children.pop(number, []):
            self.sessions.pop(number, None)
            results = [await self._install_session(child) for child in children]
            return await self._report(call, next((each for each in results if not each.ok), results[-1]))
        session = self.sessions.pop(number, None)
        if session is None:
            return await _report_no_access(call, "install-commit", number)
        if not session[1]:
            detail = f"No packages staged in /data/app/vmdl{number}.tmp"
            return await self._report(call, InstallResult(code="INSTALL_FAILED_INVALID_APK", detail=detail))
        wanted, parts = session
        return await self._report(call, await self.install(next(iter(parts.values())), wanted))

    async def _install_session(self, number: int) -> InstallResult:
        wanted, parts = self.sessions.pop(number, (InstallOptions(), {}))
        if not parts:
            return InstallResult(code="INSTALL_FAILED_INVALID_APK", detail="Missing existing base package")
        return await self.install(next(iter(parts.values())), wanted)

    async def add_sessions(self, call: CommandCall, parent: int, others: list[str]) -> int:
        """``pm install-add-session PARENT CHILD…``: the parent installs its children together."""
        if not others:
            await call.print("Error: At least two sessions are required.\n")
            return 1
        if parent not in self.sessions:
            return await _report_no_access(call, "install-add-session", parent)
        if parent not in self.children:
            await call.print_error("Error: parent session ID is not a multi-package session\n")
            return 1
        for other in others:
            if not other.isdecimal() or int(other) not in self.sessions:
                return await framework_errors.report_exception(
                    call,
                    "install-add-session",
                    f"java.lang.IllegalStateException: Unable to add child session {other} "
                    "as it does not exist.",
                )
        self.children[parent] += [int(other) for other in others]
        await call.print("Success\n")
        return 0

    async def abandon(self, call: CommandCall, number: int) -> int:
        """``pm install-abandon SESSION``."""
        if self.sessions.pop(number, None) is None:
            return await _report_no_access(call, "install-abandon", number)
        self.children.pop(number, None)
        await call.print("Success\n")
        return 0


async def _report_no_access(call: CommandCall, verb: str, number: int) -> int:
    """Report a session that does not exist (``PackageInstallerService.openSession``)."""
    exception = f"java.lang.SecurityException: Caller has no access to session {number}"
    return await framework_errors.report_exception(call, verb, exception)


def _unreadable(path: str) -> str:
    """Return the error of a file that the system server cannot open (``openFileForSystem``)."""
    hint = (
        "" if path.startswith(_STAGING_DIRECTORY) else f"Consider using a file under {_STAGING_DIRECTORY}\n"
    )
    return f"Error: Unable to open file: {path}\n{hint}"


def options(flags: frozenset[str]) -> InstallOptions:
    """Parse the flags of ``pm install``."""
    replace = True if "-r" in flags else False if "-R" in flags else None
    return InstallOptions(
        replace=replace,
        test="-t" in flags,
        downgrade="-d" in flags,
        grant="-g" in flags,
        bypass_low_target_sdk="--bypass-low-target-sdk-block" in flags,
    )


async def read_exactly(call: CommandCall, size: str) -> bytes:
    """Read this many bytes of the input, or all of it without a size."""
    if not size.isdecimal():
        return await call.read_all()
    data = bytearray()
    if int(size):
        async for piece in call.stdin:
            data += piece
            if len(data) >= int(size):
                break
    return bytes(data)
