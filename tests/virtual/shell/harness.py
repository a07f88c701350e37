"""Runs a line in the phone's shell and in the host's, each in an empty directory."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.availability import missing_command
from garabench.virtual.commands.command_table import phone_commands
from garabench.virtual.shell.interpreter import Command, Shell

HOME = "/data/local/tmp"


def on_phone(
    line: str, stdin: bytes = b"", *, profile: str = "android-34", phone: Phone | None = None
) -> tuple[str, str, int]:
    """Run a script on a phone, in /data/local/tmp; return output, errors and exit status.

    Args:
        line: The script.
        stdin: Its input.
        profile: Profile of a new phone.
        phone: The phone to run it on; default: a new one without apps.
    """
    device = phone or Phone(Profile.parse(profile), apps=())
    missing = missing_command(device.profile.sdk)
    return run(line, stdin, commands=phone_commands(device), files=device.files, cd=True, missing=missing)


def run(
    line: str,
    stdin: bytes = b"",
    *,
    commands: Mapping[str, Command],
    files: FileSystem | None = None,
    cd: bool = False,
    missing: str = "inaccessible or not found",
) -> tuple[str, str, int]:
    """Run a line in the phone's shell; return output, errors and exit status."""
    out, err = bytearray(), bytearray()

    async def to_out(data: bytes) -> None:
        out.extend(data)

    async def to_err(data: bytes) -> None:
        err.extend(data)

    async def source() -> AsyncIterator[bytes]:
        if stdin:
            yield stdin

    shell = Shell(commands, files or FileSystem(lambda: 0), missing=missing)
    text = f"cd {HOME}\n{line}" if cd else line
    status = asyncio.run(shell.run(text, source(), to_out, to_err))
    return out.decode(errors="replace"), err.decode(errors="replace"), status


def on_host(line: str, stdin: bytes = b"", *, program: str = "bash") -> tuple[str, str, int]:
    """Run a line in the host's shell; return output, errors and exit status."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [program, "-c", line],
            input=stdin,
            capture_output=True,
            check=False,
            timeout=120,
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder},
        )
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode
