from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from garabench.core.clock import FakeClock
from garabench.doctor.finding import Status
from garabench.doctor.host_checks import check_host
from garabench.doctor.host_reading import AdbProgram, AdbServer, HostReading, read_host, server_port

OWN = AdbProgram("/venv/adb", 41, "36.0.0")
WELL = HostReading((OWN, AdbProgram("/usr/bin/adb", 41)), (AdbServer(7, 5037),), free_bytes=1 << 40)


def test_a_host_in_order_passes_every_check() -> None:
    assert [each.status for each in check_host(WELL)] == [Status.PASS] * 4
    assert [each.status for each in check_host(replace(WELL, servers=(), has_key=False))] == [Status.PASS] * 4


@pytest.mark.parametrize(
    ("host", "check", "status", "hint"),
    [
        (
            replace(WELL, programs=(OWN, AdbProgram("/old/adb", 39))),
            "adb-version",
            "fail",
            'export PATH=/venv:"$PATH"',
        ),
        (replace(WELL, programs=(AdbProgram("/broken/adb", None),)), "adb-version", "fail", "adbutils"),
        (
            replace(WELL, servers=(AdbServer(7, 5037), AdbServer(8, 5038))),
            "adb-server",
            "warn",
            "ANDROID_ADB_SERVER_PORT=5038   # use that server here, or end it if nobody needs",
        ),
        (replace(WELL, has_key=False, command="/venv/adb"), "adb-key", "warn", "&& /venv/adb keygen"),
        (replace(WELL, free_bytes=1 << 30), "disk", "warn", "prune"),
        (replace(WELL, free_bytes=1 << 20), "disk", "fail", "prune"),
    ],
)
def test_what_is_wrong_has_a_command(host: HostReading, check: str, status: str, hint: str) -> None:
    wrong = [each for each in check_host(host) if each.status is not Status.PASS]
    assert [(each.check, each.status) for each in wrong] == [(check, status)]
    assert hint in wrong[0].hint


def test_another_server_is_named() -> None:
    servers = (AdbServer(7, 5037), AdbServer(8, 5038, "/sdk/adb", "mia"), AdbServer(9, 5039))
    found = {each.check: each for each in check_host(replace(WELL, servers=servers))}["adb-server"]
    assert "port 5038 (process 8 of mia, /sdk/adb), port 5039 (process 9);" in found.message


@pytest.mark.parametrize(
    ("line", "port"),
    [
        ("adb -L tcp:5037 fork-server server --reply-fd 4", 5037),
        ("adb -P 5040 fork-server server", 5040),
        ("adb -L tcp:localhost:5041 server nodaemon", 5041),
        ("adb fork-server server", 5037),
    ],
)
def test_ports_of_servers(line: str, port: int) -> None:
    assert server_port(line.split()) == port


def test_every_adb_on_the_path_is_read(tmp_path: Path) -> None:
    old = tmp_path / "adb"
    old.write_text("#!/bin/sh\necho 'Android Debug Bridge version 1.0.39'\necho 'Version 28.0.2'\n")
    old.chmod(0o755)
    host = read_host(FakeClock(), tmp_path / "runs" / "x", {"PATH": f"{tmp_path}{os.pathsep}/nowhere"})
    assert AdbProgram(str(old.resolve()), 39, "28.0.2") in host.programs
    assert host.programs[0].protocol is not None
    assert host.free_bytes > 0
