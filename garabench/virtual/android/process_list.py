"""All running processes: Android's own, those of apps, and programs of the shell."""

from __future__ import annotations

from dataclasses import dataclass, replace

from garabench.virtual.android.file_system import AS_ROOT, CALLED
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_processes import (
    ADBD_PID,
    SHELL_UID,
    SYSTEM_UID,
    ZYGOTE_PID,
    SystemProcess,
    system_processes,
)

_FIRST_APP_UID = 10_000
_NAMELESS_UIDS = {0: "root", 1000: "system", 1001: "radio", 1041: "audioserver", 1073: "network_stack"}
_OTHER_ADJ, _HOME_ADJ, _PREVIOUS_ADJ = 900, 600, 700
_APP_RSS, _PROGRAM_RSS = 90_000, 4_000


_APP_VSZ, _NATIVE_VSZ = 13_400_000, 10_800_000
_FIRST_TID = 16_000
SHELL_PID = 4_242


@dataclass(frozen=True, slots=True)
class RunningProcess:
    """A running process.

    Attributes:
        process: Its description.
        state: ``S`` for sleeping, ``R`` for running, ``T`` for stopped by a signal.
        threads: Number of its threads.
        package: Package of an app's process, else empty.
        first_tid: Id of its second thread; those after it follow. The first one has the process's id.
    """

    process: SystemProcess
    state: str = "S"
    threads: int = 1
    package: str = ""
    first_tid: int = 0

    @property
    def virtual_kb(self) -> int:
        """Its virtual memory in KiB."""
        if self.process.is_kernel:
            return 0
        return _APP_VSZ if self.process.rss >= _APP_VSZ // 200 else _NATIVE_VSZ


def user_name(uid: int) -> str:
    """Return the name of a user, as the shell's tools print it."""
    if uid >= _FIRST_APP_UID:
        return f"u0_a{uid % _FIRST_APP_UID}"
    return "shell" if uid == SHELL_UID else _NAMELESS_UIDS.get(uid, str(uid))


def shell_process() -> RunningProcess:
    """Return the shell that runs a command; each of them has this pid as its ``$$``."""
    uid = 0 if AS_ROOT.get() else SHELL_UID
    return RunningProcess(SystemProcess(SHELL_PID, ADBD_PID, user_name(uid), uid, "sh", "/system/bin/sh"))


def called_process() -> RunningProcess | None:
    """Return the program that reads, which ``/proc/self`` is; None outside of the shell."""
    argv = CALLED.get()
    if not argv:
        return None
    uid = 0 if AS_ROOT.get() else SHELL_UID
    name, args = argv[0].rpartition("/")[2], " ".join(argv)
    return RunningProcess(SystemProcess(SHELL_PID + 1, SHELL_PID, user_name(uid), uid, name, args), "R")


def running(phone: Phone) -> tuple[RunningProcess, ...]:
    """Return all running processes by pid."""
    apps = {name: pid for pid, name in phone.processes.list()}
    found = [
        RunningProcess(each, threads=1 if each.is_kernel else 4)
        for each in system_processes(phone.profile.sdk)
        if each.name not in apps and phone.processes.is_running(each.pid)
    ]
    visible = {record.app.package for record in phone.activities.visible()}
    home = phone.packages.home()
    for package, pid in apps.items():
        installed = phone.packages.get(package)
        uid = installed.uid if installed is not None else SYSTEM_UID
        if package in visible:
            adj = 0
        else:
            adj = _HOME_ADJ if home is not None and home.app.package == package else _PREVIOUS_ADJ
        described = SystemProcess(pid, ZYGOTE_PID, user_name(uid), uid, package, package, _APP_RSS, adj)
        state = "T" if phone.processes.frozen(package) else "S"
        found.append(RunningProcess(described, state, 21, package))
    for program in phone.programs.list():
        args = program.args or program.name
        described = SystemProcess(
            program.pid, ADBD_PID, "shell", SHELL_UID, program.name, args, _PROGRAM_RSS, -950
        )
        found.append(RunningProcess(described, threads=program.threads))
    ordered, tid = [], _FIRST_TID
    for each in sorted(found, key=lambda each: each.process.pid):
        ordered.append(replace(each, first_tid=tid))
        tid += each.threads
    return tuple(ordered)


def uid_of(phone: Phone, pid: int) -> int:
    """Return the uid of a process; that of the shell or root if it has ended."""
    return next(
        (each.process.uid for each in running(phone) if each.process.pid == pid), SHELL_UID if pid > 1 else 0
    )


def user_of(phone: Phone, pid: int) -> str:
    """Return the name of a process's user."""
    return user_name(uid_of(phone, pid))
