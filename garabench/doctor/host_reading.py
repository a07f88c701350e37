"""Read this computer: its adb programs and servers, adb's key, and the space for records."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from garabench.core.clock import Clock
from garabench.device.adb import Adb
from garabench.device.adb_command import ADB, adb_command
from garabench.device.reconnect import is_listening

_LIMIT_S = 10.0
_VERSION = re.compile(r"version 1\.0\.(\d+)")
_BUILD = re.compile(r"^Version (\S+)", re.MULTILINE)
_PORT = re.compile(r"(?:tcp:)?(?:\S*:)?(\d+)$")
_DEFAULT_PORT = 5037


@dataclass(frozen=True, slots=True)
class AdbProgram:
    """An ``adb`` on this computer.

    Attributes:
        path: The file.
        protocol: The last number of ``1.0.41``: a client ends a server with another one.
        build: Version of the platform tools, such as ``36.0.0-13206524``.
    """

    path: str
    protocol: int | None
    build: str = ""


@dataclass(frozen=True, slots=True)
class AdbServer:
    """A running adb server.

    Attributes:
        pid: Its process.
        port: Its port.
        program: The file that it was started from.
        owner: The user whose process it is; empty if unknown.
    """

    pid: int
    port: int
    program: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class HostReading:
    """What was read from this computer.

    Attributes:
        programs: The adb programs that some tool may start, the one that GaraBench uses first.
        servers: The running adb servers, also those of other users if the system lists them.
        port: The port of the server that GaraBench uses.
        remote: Whether that server is on another computer.
        key: The file of adb's key.
        has_key: Whether it exists and can be read.
        free_bytes: Free space for records.
        folder: The folder of the records.
        command: How the user's shell starts adb, for the commands in findings.
    """

    programs: tuple[AdbProgram, ...]
    servers: tuple[AdbServer, ...]
    port: int = _DEFAULT_PORT
    remote: bool = False
    key: str = ""
    has_key: bool = True
    free_bytes: int = 0
    folder: str = "."
    command: str = ADB


def read_host(clock: Clock, folder: Path, environ: Mapping[str, str] = os.environ) -> HostReading:
    """Read this computer; an adb server is not started.

    Args:
        clock: The clock for all time limits.
        folder: The folder in which runs are recorded; it need not exist.
        environ: The environment variables.
    """
    adb = Adb("none", clock)  # no call is made
    host, port = adb.server
    used = adb.program
    paths = [used, *_on_path(environ)]
    if sdk := environ.get("ANDROID_HOME") or environ.get("ANDROID_SDK_ROOT"):
        paths.append(str(Path(sdk) / "platform-tools" / "adb"))
    resolved = dict.fromkeys(str(Path(path).resolve()) for path in paths if Path(path).is_file())
    existing = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    key = Path.home() / ".android" / "adbkey"
    return HostReading(
        programs=tuple(map(read_program, resolved)),
        servers=_servers(),
        port=port,
        remote=host not in ("127.0.0.1", "localhost", "::1"),
        key=str(key),
        has_key=os.access(key, os.R_OK),
        free_bytes=shutil.disk_usage(existing).free,
        folder=str(existing),
        command=adb_command(),
    )


def _on_path(environ: Mapping[str, str]) -> list[str]:
    folders = environ.get("PATH", "").split(os.pathsep)
    return [str(Path(folder) / "adb") for folder in folders if folder]


def read_program(path: str) -> AdbProgram:
    """Read the version of an adb program."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [path, "version"], capture_output=True, text=True, errors="replace", timeout=_LIMIT_S, check=False
        )
        protocol, build = _VERSION.search(done.stdout), _BUILD.search(done.stdout)
        return AdbProgram(path, int(protocol[1]) if protocol else None, build[1] if build else "")
    return AdbProgram(path, None)


def _servers() -> tuple[AdbServer, ...]:
    found = []
    for process in psutil.process_iter(["pid", "name", "cmdline", "username"]):
        words = process.info["cmdline"] or []
        if process.info["name"] in ("adb", "adb.exe") and "server" in words:
            found.append(_server(process.info, words))
    return tuple(sorted(found, key=lambda each: (each.port, each.pid)))


def _server(info: Mapping[str, Any], words: list[str]) -> AdbServer:
    return AdbServer(info["pid"], server_port(words), words[0], info["username"] or "")


def server_port(words: list[str]) -> int:
    """Return the port of a server from its command line: ``-L tcp:5037`` or ``-P 5037``."""
    for option, value in itertools.pairwise(words):
        if option in ("-L", "-P") and (match := _PORT.search(value)):
            return int(match[1])
    return _DEFAULT_PORT


def server_responds(port: int) -> bool:
    """Return whether an adb server listens on a port of this computer."""
    return is_listening(f"127.0.0.1:{port}")
