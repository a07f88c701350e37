"""The phone's process: ``python -m garabench.virtual``.

It prints its addresses, or why it cannot start, as one line of JSON. It ends when its standard input does, so
that no phone outlives the process that started it; with ``--standalone`` it runs until its panel or a signal
ends it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import gc
import json
import os
import secrets
import signal
import sys
from pathlib import Path
from typing import TextIO

from garabench.errors import InputError
from garabench.virtual.adb.server import AdbListener, listen
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.log_chatter import SystemChatter
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency
from garabench.virtual.app_files.app_loader import phone_apps
from garabench.virtual.console.server import serve_console
from garabench.virtual.control import PhoneControl
from garabench.virtual.emulator_snapshots import EmulatorSnapshots
from garabench.virtual.malloc import return_freed_images, trim
from garabench.virtual.panel.routes import Panel
from garabench.virtual.panel.server import serve_panel
from garabench.virtual.phone_backend import PhoneBackend

_LINGER_S = 0.1
"""Seconds left to answer the request that ends the phone."""
_TRIM_S = 5.0
"""Seconds between two returns of freed memory to the system."""
_GARBAGE_OBJECTS = 10_000
"""New objects before a search for unreachable cycles: with the default, 700, it takes 5% of the time."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m garabench.virtual", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--profile", default="android-34")
    parser.add_argument("--lang", choices=("zh", "en"), default="zh")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--emulator", action="store_true", help="the port is an emulator's")
    parser.add_argument("--serialno", default="", help="the hardware serial number; default: a unique one")
    parser.add_argument(
        "--snapshots",
        type=Path,
        help="with --emulator: a folder with an entry for each snapshot of the console",
    )
    parser.add_argument("--standalone", action="store_true", help="run until stopped, with a panel")
    parser.add_argument(
        "--foreground", action="store_true", help="with --standalone: end with standard input"
    )
    parser.add_argument("--name", default="phone")
    parser.add_argument("--app", type=Path, action="append", default=[], help="an app file or its folder")
    parser.add_argument(
        "--latency", choices=[latency.value for latency in Latency], default=Latency.INSTANT.value
    )
    return parser.parse_args()


async def serve_phone(options: argparse.Namespace, output: TextIO) -> None:
    """Serve a phone until standard input ends.

    Args:
        options: The arguments.
        output: Where its addresses and answers are written.

    Raises:
        InputError: An app or the profile is wrong.
    """
    profile = Profile.parse(options.profile)
    phone = Phone(
        profile,
        apps=phone_apps(options.app),
        seed=options.seed,
        latency=Latency(options.latency),
        lang=options.lang,
        rooted=options.emulator,
        serialno=options.serialno or f"GARA{profile.sdk}{secrets.token_hex(4).upper()}",  # unique
    )
    phone.logcat.attach(SystemChatter(phone.seed, phone.profile.sdk, phone.packages))
    backend = PhoneBackend(phone)
    control = PhoneControl(phone, backend.keys)
    # What was loaded stays for the phone's life, and a screen is full of small objects without cycles.
    gc.freeze()
    gc.set_threshold(_GARBAGE_OBJECTS)
    ended = asyncio.Event()
    with contextlib.ExitStack() as stack:
        if options.emulator:
            server, console = await _listen_as_emulator(backend, options, ended)
            stack.callback(console.close)
            serial = f"emulator-{server.port - 1}"
        else:
            server = await listen(backend, options.port)
            serial = f"127.0.0.1:{server.port}"
        stack.callback(server.close)
        stack.callback(asyncio.create_task(_trim_while_in_use(phone)).cancel)
        if options.standalone:
            facts = {"name": options.name, "serial": serial}
            panel = Panel(phone, control, secrets.token_hex(16), facts, ended)
            await _serve_standalone(panel, output, foreground=options.foreground)
        else:
            await _serve_commands(control, output, server.port, serial, ended)


async def _trim_while_in_use(phone: Phone) -> None:
    """Return freed memory to the system at intervals in which the screen has changed."""
    version = phone.version
    while True:
        await asyncio.sleep(_TRIM_S)
        if phone.version != version:
            version = phone.version
            trim()


async def _listen_as_emulator(
    backend: PhoneBackend, options: argparse.Namespace, ended: asyncio.Event
) -> tuple[AdbListener, asyncio.Server]:
    """Listen where adb looks for emulators, on the first free pair of ports: the console's, then adb's.

    With ``--port`` only that port is tried.

    Raises:
        OSError: All ports are in use.
    """
    for port in [options.port - 1] if options.port else range(5554, 5585, 2):
        with contextlib.suppress(OSError):
            snapshots = EmulatorSnapshots(backend, options.snapshots)
            console = await serve_console(backend, options.name, port, ended.set, snapshots)
            try:
                return await listen(backend, port + 1), console
            except OSError:
                console.close()
    ports = f"emulator port {options.port} is" if options.port else "all emulator ports from 5554 to 5585 are"
    raise OSError(errno.EADDRINUSE, f"{ports} in use")


async def _serve_standalone(panel: Panel, output: TextIO, *, foreground: bool) -> None:
    """Serve until the panel or a signal ends the phone, or with `foreground` the end of standard input."""
    server = await serve_panel(panel)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, panel.ended.set)
    _print_json(output, {"serial": panel.facts["serial"], "panel": panel.port, "token": panel.token})
    watcher = asyncio.create_task(_drain_input(panel.ended)) if foreground else None
    await panel.ended.wait()
    await asyncio.sleep(_LINGER_S)
    server.close()
    if watcher is not None:
        watcher.cancel()


async def _drain_input(ended: asyncio.Event) -> None:
    reader = await _standard_input()
    while await reader.readline():
        continue
    ended.set()


async def _standard_input() -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def _serve_commands(
    control: PhoneControl, output: TextIO, port: int, serial: str, ended: asyncio.Event
) -> None:
    """Execute commands from standard input until it ends, or until the console ends the phone."""
    _print_json(output, {"port": port, "serial": serial})
    executing = asyncio.create_task(_execute_commands(control, output, ended))
    await ended.wait()
    executing.cancel()


async def _execute_commands(control: PhoneControl, output: TextIO, ended: asyncio.Event) -> None:
    reader = await _standard_input()
    while line := await reader.readline():
        command = json.loads(line)
        answer: dict[str, object] = {"id": command["id"]}
        try:
            control.execute(command["verb"], command["values"])
        except InputError as error:
            answer["error"] = str(error)
        _print_json(output, answer)
    ended.set()


def _print_json(output: TextIO, value: dict[str, object]) -> None:
    output.write(json.dumps(value) + "\n")
    output.flush()


def _own_standard_output() -> TextIO:
    """Return standard output, and let everything else that prints write to standard error.

    An app of an installed package may print; between the phone's own lines that would end its control.
    """
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def main() -> None:
    """Serve a phone with the given arguments."""
    return_freed_images()
    options = _arguments()
    with _own_standard_output() as output:
        try:
            asyncio.run(serve_phone(options, output))
        except InputError as error:
            _print_json(output, {"error": str(error)})
            sys.exit(error.exit_status)


if __name__ == "__main__":
    main()
