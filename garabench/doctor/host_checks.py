"""Decide what is wrong with this computer; pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from garabench.doctor.finding import DoctorFinding, Status, passed
from garabench.doctor.host_reading import AdbServer, HostReading

HOST = "host"
FULL_BYTES = 50 * 1024**2
"""Free space below which a run ends after some episodes."""
MIN_FREE_BYTES = 2 * 1024**3
"""Free space below which a night's run may not fit: a thousand episodes take about a gigabyte."""


def check_host(host: HostReading) -> Iterator[DoctorFinding]:
    """Yield a finding per check of this computer."""
    yield _programs(host)
    yield _servers(host)
    yield _key(host)
    free = host.free_bytes / 1024**3
    if host.free_bytes < MIN_FREE_BYTES:
        full = host.free_bytes < FULL_BYTES
        shown = f"{host.free_bytes // 1024**2} MB" if full else f"{free:.1f} GB"
        yield DoctorFinding(
            "disk",
            HOST,
            Status.FAIL if full else Status.WARN,
            f"only {shown} are free in {host.folder}",
            "garabench runs du RUN && garabench runs prune RUN",
        )
    else:
        yield passed("disk", HOST, f"{free:.0f} GB are free in {host.folder}")


def _programs(host: HostReading) -> DoctorFinding:
    known = [each for each in host.programs if each.protocol is not None]
    if not known:
        return DoctorFinding(
            "adb-version",
            HOST,
            Status.FAIL,
            "no working adb was found",
            "pip install --force-reinstall adbutils",
        )
    used = known[0]
    others = [each for each in known[1:] if each.protocol != used.protocol]
    if others:
        listed = "; ".join(f"{each.path} (1.0.{each.protocol})" for each in others)
        return DoctorFinding(
            "adb-version",
            HOST,
            Status.FAIL,
            f"GaraBench uses {used.path} (1.0.{used.protocol}), and {listed} has another protocol: each ends "
            "the other's server, so that devices disappear during a run",
            f'export PATH={shlex.quote(str(Path(used.path).parent))}:"$PATH"   # in the shell of every tool',
        )
    return passed("adb-version", HOST, f"{used.path}, 1.0.{used.protocol} {used.build}".strip())


def _servers(host: HostReading) -> DoctorFinding:
    if host.remote:
        return passed("adb-server", HOST, f"the server is on another computer, port {host.port}")
    others = [each for each in host.servers if each.port != host.port]
    if others:
        listed = ", ".join(map(_describe_server, others))
        return DoctorFinding(
            "adb-server",
            HOST,
            Status.WARN,
            f"another adb server runs: {listed}; a USB device belongs to one server only, and emulators are "
            "listed by both",
            f"export ANDROID_ADB_SERVER_PORT={others[0].port}   # use that server here, or end it if nobody "
            f"needs it: {host.command} -P {others[0].port} kill-server",
        )
    if not host.servers:
        return passed("adb-server", HOST, "no server runs yet; a run starts it")
    return passed("adb-server", HOST, f"one server, port {host.port}")


def _describe_server(server: AdbServer) -> str:
    owner = f" of {server.owner}" if server.owner else ""
    program = f", {server.program}" if server.program else ""
    return f"port {server.port} (process {server.pid}{owner}{program})"


def _key(host: HostReading) -> DoctorFinding:
    if host.has_key:
        return passed("adb-key", HOST, host.key)
    if not host.servers:
        return passed("adb-key", HOST, "adb creates its key when its server first starts")
    adb = host.command
    return DoctorFinding(
        "adb-key",
        HOST,
        Status.WARN,
        f"{host.key} is missing or unreadable: phones will not authorize this computer",
        f"{adb} kill-server && {adb} keygen ~/.android/adbkey && {adb} start-server",
    )
