"""The phone's process: ``python -m garabench.virtual``.

It says where it listens in one line of JSON, and ends when its standard input does, so that no phone outlives
whoever started it; with ``--detached`` it lives on by itself until its panel or a signal says to end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import json
import secrets
import signal
import sys

from garabench.errors import InputError
from garabench.virtual.adb.server import Listener, listen
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.console import serve_console
from garabench.virtual.control import Control
from garabench.virtual.host import PhoneHost
from garabench.virtual.memory import return_freed_pictures
from garabench.virtual.os.clock import Latency
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.profile import Profile
from garabench.virtual.panel.panel import Panel
from garabench.virtual.panel.server import serve_panel

_LAST_ANSWER_S = 0.1
"""Time for the answer to the request that ends the phone."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m garabench.virtual", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--profile", default="android-34")
    parser.add_argument("--lang", choices=("zh", "en"), default="zh")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--emulator", action="store_true", help="the port is an emulator's")
    parser.add_argument("--detached", action="store_true", help="live on by itself, with a panel")
    parser.add_argument("--held", action="store_true", help="with --detached: end with standard input")
    parser.add_argument("--name", default="phone")
    parser.add_argument("--latency", choices=[each.value for each in Latency], default=Latency.INSTANT.value)
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> None:
    """Serve a phone until standard input ends."""
    profile = Profile.parse(options.profile)
    phone = Phone(
        profile,
        apps=installed_apps(),
        seed=options.seed,
        latency=Latency(options.latency),
        lang=options.lang,
        rooted=options.emulator,
        serialno=f"GARA{profile.sdk}{secrets.token_hex(4).upper()}",  # no two phones have the same
    )
    host = PhoneHost(phone)
    control = Control(phone, host.keys)
    ended = asyncio.Event()
    with contextlib.ExitStack() as stack:
        if options.emulator:
            server, console = await _listen_as_emulator(host, options.name, ended)
            stack.callback(console.close)
            serial = f"emulator-{server.port - 1}"
        else:
            server = await listen(host, options.port)
            serial = f"127.0.0.1:{server.port}"
        stack.callback(server.close)
        if options.detached:
            facts = {"name": options.name, "serial": serial}
            panel = Panel(phone, control, secrets.token_hex(16), facts, ended)
            await _by_itself(panel, held=options.held)
        else:
            await _for_a_parent(control, server.port, serial, ended)


async def _listen_as_emulator(
    host: PhoneHost, name: str, ended: asyncio.Event
) -> tuple[Listener, asyncio.Server]:
    """Listen where adb looks for emulators, on the first pair of free ports: the console's, and adb's above.

    Raises:
        OSError: All are taken.
    """
    for port in range(5554, 5585, 2):
        with contextlib.suppress(OSError):
            console = await serve_console(host.phone, name, port, ended.set)
            try:
                return await listen(host, port + 1), console
            except OSError:
                console.close()
    raise OSError(errno.EADDRINUSE, "all emulator ports from 5554 to 5585 are taken")


async def _by_itself(panel: Panel, *, held: bool) -> None:
    """Serve until the panel, or a signal, or with ``held`` the end of standard input says to end."""
    listening = await serve_panel(panel)
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, panel.ended.set)
    _say({"serial": panel.facts["serial"], "panel": panel.port, "token": panel.token})
    holder = asyncio.create_task(_drain_input(panel.ended)) if held else None
    await panel.ended.wait()
    await asyncio.sleep(_LAST_ANSWER_S)
    listening.close()
    if holder is not None:
        holder.cancel()


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


async def _for_a_parent(control: Control, port: int, serial: str, ended: asyncio.Event) -> None:
    """Serve until standard input ends, taking commands from it, or until the console says to end."""
    _say({"port": port, "serial": serial})
    obeying = asyncio.create_task(_obey_input(control, ended))
    await ended.wait()
    obeying.cancel()


async def _obey_input(control: Control, ended: asyncio.Event) -> None:
    reader = await _standard_input()
    while line := await reader.readline():
        command = json.loads(line)
        answer: dict[str, object] = {"done": command["id"]}
        try:
            control.obey(command["do"], command["with"])
        except InputError as error:
            answer["refused"] = str(error)
        _say(answer)
    ended.set()


def _say(value: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve a phone as the arguments say."""
    return_freed_pictures()
    asyncio.run(serve(_arguments()))


if __name__ == "__main__":
    main()
