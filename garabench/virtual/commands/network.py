"""``ip``, ``ifconfig`` and ``ping``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from ipaddress import IPv4Address

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.shell.call import Command, CommandCall

ADDRESS = "192.168.1.23"
"""The phone's address in its Wi-Fi."""
_NET, _BROADCAST = "192.168.1.0/24", "192.168.1.255"
_NO_ADDRESS = str(IPv4Address(0))
_ANY_HOST = "203.0.113.7"
"""The address of every host name, from the block for documentation (RFC 5737)."""
_MAX_PINGS = 100_000


async def ip(phone: Phone, call: CommandCall) -> int:
    """``ip addr|route [show]``."""
    args = call.argv[1:]
    while args and args[0].startswith("-"):
        args = args[2 if args[0] in ("-f", "-family") else 1 :]
    match args:
        case ["addr" | "address" | "a" | "link", *rest]:
            if "wlan0" not in rest:
                await call.print(
                    "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default\n"
                    "    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n"
                )
            up = phone.network.wifi
            flags, state = (
                ("BROADCAST,MULTICAST,UP,LOWER_UP", "UP") if up else ("BROADCAST,MULTICAST", "DOWN")
            )
            await call.print(
                f"3: wlan0: <{flags}> mtu 1500 qdisc mq state {state} group default qlen 3000\n"
                "    link/ether 02:00:00:00:00:00 brd ff:ff:ff:ff:ff:ff\n"
            )
            if up and args[0] != "link":
                await call.print(
                    f"    inet {ADDRESS}/24 brd {_BROADCAST} scope global wlan0\n"
                    "       valid_lft forever preferred_lft forever\n"
                )
        case ["route" | "r" | "ro", *_]:
            if phone.network.wifi:
                await call.print(f"{_NET} dev wlan0 proto kernel scope link src {ADDRESS}\n")
        case _:
            await call.print_error(f'Object "{args[0] if args else ""}" is unknown, try "ip help".\n')
            return 1
    return 0


async def ifconfig(phone: Phone, call: CommandCall) -> int:
    """``ifconfig [wlan0]``."""
    names = call.argv[1:] or ["lo", "wlan0"]
    up = phone.network.wifi
    for name in names:
        if name not in ("lo", "wlan0"):
            await call.print_error(f"ifconfig: {name}: No such device\n")
            return 1
        address, mask = ("127.0.0.1", "255.0.0.0") if name == "lo" else (ADDRESS, "255.255.255.0")
        if phone.profile.sdk <= KITKAT:
            flags = "up broadcast running multicast" if up or name == "lo" else "broadcast multicast"
            shown = address if up or name == "lo" else _NO_ADDRESS
            await call.print(f"{name}: ip {shown} mask {mask} flags [{flags}]\n")
            continue
        if name == "lo":
            await call.print(
                f"lo        Link encap:Local Loopback  \n          inet addr:{address}  Mask:{mask} \n"
                "          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n\n"
            )
            continue
        inet = f"          inet addr:{address}  Bcast:{_BROADCAST}  Mask:{mask} \n" if up else ""
        state = "UP BROADCAST RUNNING MULTICAST" if up else "BROADCAST MULTICAST"
        await call.print(
            f"wlan0     Link encap:Ethernet  HWaddr 02:00:00:00:00:00  Driver virtual\n{inet}"
            f"          {state}  MTU:1500  Metric:1\n\n"
        )
    return 0


async def ping(phone: Phone, call: CommandCall) -> int:
    """``ping [-c COUNT] [-W SECONDS] HOST``: one packet a second; no packet leaves the phone."""
    args, count, host = call.argv[1:], _MAX_PINGS, ""
    while args:
        arg = args.pop(0)
        if arg in ("-c", "-W", "-w", "-i", "-s"):
            value = args.pop(0) if args else ""
            if not value.replace(".", "", 1).isdecimal() or (arg == "-c" and not int(float(value))):
                await call.print_error(f"ping: bad number of packets to transmit: {value}\n")
                return 2
            count = int(float(value)) if arg == "-c" else count
        elif not arg.startswith("-"):
            host = arg
    if not host:
        await call.print_error("Usage: ping [-c count] [-W timeout] destination\n")
        return 2
    near = host in ("localhost", "127.0.0.1")
    numeric = host.replace(".", "").isdecimal()
    if not (near or phone.network.online):
        await call.print_error(
            "connect: Network is unreachable\n" if numeric else f"ping: unknown host {host}\n"
        )
        return 2
    address = "127.0.0.1" if near else host if numeric else _ANY_HOST
    await call.print(f"PING {host} ({address}) 56(84) bytes of data.\n")
    for number in range(1, count + 1):
        await call.print(f"64 bytes from {address}: icmp_seq={number} ttl=64 time=12.0 ms\n")
        if number < count:
            await phone.spend(1000)
            await asyncio.sleep(0)
    await call.print(
        f"\n--- {host} ping statistics ---\n{count} packets transmitted, {count} received, 0% packet loss, "
        f"time {1000 * (count - 1)}ms\nrtt min/avg/max/mdev = 12.000/12.000/12.000/0.000 ms\n"
    )
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    table = {"ifconfig": ifconfig, "ip": ip, "ping": ping}
    return {name: partial(command, phone) for name, command in table.items()}
