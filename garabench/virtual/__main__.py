"""The phone's process: ``python -m garabench.virtual``.

It says where it listens in one line of JSON, and ends when its standard input does, so that no phone outlives
whoever started it; with ``--detached`` it lives on by itself until its panel or a signal says to end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import signal
import sys
from collections.abc import Mapping
from typing import Any

from garabench.errors import InputError
from garabench.virtual.adb.server import listen
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.host import PhoneHost
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
    parser.add_argument("--name", default="phone")
    parser.add_argument("--latency", choices=[each.value for each in Latency], default=Latency.INSTANT.value)
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> None:
    """Serve a phone until standard input ends."""
    phone = Phone(
        Profile.parse(options.profile),
        apps=installed_apps(),
        seed=options.seed,
        latency=Latency(options.latency),
        lang=options.lang,
    )
    host = PhoneHost(phone)
    server = await listen(host, options.port)
    port = server.port
    serial = f"emulator-{port - 1}" if options.emulator else f"127.0.0.1:{port}"
    if options.detached:
        await _by_itself(host, options.name, serial)
    else:
        await _for_a_parent(host, port, serial)
    server.close()


async def _by_itself(host: PhoneHost, name: str, serial: str) -> None:
    """Serve until the panel, or a signal, says to end."""
    token = secrets.token_hex(16)
    panel = Panel(host.phone, token, {"name": name, "serial": serial}, host.keys)
    listening = await serve_panel(panel)
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, panel.ended.set)
    _say({"serial": serial, "panel": panel.port, "token": token})
    await panel.ended.wait()
    await asyncio.sleep(_LAST_ANSWER_S)
    listening.close()


async def _for_a_parent(host: PhoneHost, port: int, serial: str) -> None:
    """Serve until standard input ends, taking commands from it."""
    _say({"port": port, "serial": serial})
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        command = json.loads(line)
        try:
            _obey(host, command)
        except InputError as error:
            _say({"done": command.get("id"), "refused": str(error)})
        else:
            _say({"done": command.get("id")})


def _obey(host: PhoneHost, command: Mapping[str, Any]) -> None:
    faults = host.phone.faults
    if command.get("fault"):
        change = faults.enable if command.get("on") else faults.disable
        change(command["fault"], **command.get("params", {}))
    if command.get("allow"):
        host.keys.accept_waiting()
    if command.get("reset"):
        host.phone.reset()


def _say(value: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve a phone as the arguments say."""
    asyncio.run(serve(_arguments()))


if __name__ == "__main__":
    main()
