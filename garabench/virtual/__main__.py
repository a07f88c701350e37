"""The phone's process: ``python -m garabench.virtual``.

It says where it listens in one line of JSON, and ends when its standard input does, so that no phone outlives
whoever started it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from garabench.virtual.adb.server import listen
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.host import PhoneHost
from garabench.virtual.os.clock import Latency
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.profile import Profile


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m garabench.virtual", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--profile", default="android-34")
    parser.add_argument("--lang", choices=("zh", "en"), default="zh")
    parser.add_argument("--seed", type=int, default=0)
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
    server = await listen(PhoneHost(phone), options.port)
    port = server.sockets[0].getsockname()[1]
    sys.stdout.write(json.dumps({"port": port}) + "\n")
    sys.stdout.flush()
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        command = json.loads(line)
        if command.get("fault"):
            change = phone.faults.enable if command.get("on") else phone.faults.disable
            change(command["fault"], **command.get("params", {}))
        if command.get("reset"):
            phone.reset()
        sys.stdout.write(json.dumps({"done": command.get("id")}) + "\n")
        sys.stdout.flush()
    server.close()


def main() -> None:
    """Serve a phone as the arguments say."""
    asyncio.run(serve(_arguments()))


if __name__ == "__main__":
    main()
