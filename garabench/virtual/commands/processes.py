"""``ps``, ``pidof``, ``top``, ``reboot``, and the network's ``ip``, ``ifconfig`` and ``ping``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from ipaddress import IPv4Address

from garabench.virtual.commands.costs import KITKAT
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command

_OF_THE_SHELL_SDK = 26
"""Since Android 8 ``ps`` lists the caller's own processes only, unless ``-A`` is given."""
_ADDRESS, _NET, _BROADCAST = "192.168.1.23", "192.168.1.0/24", "192.168.1.255"
_NO_ADDRESS = str(IPv4Address(0))
_FAR = "203.0.113.7"
"""Answers for every name: an address for documentation (RFC 5737)."""
_PINGS_MOST = 100_000
_SHELL_PID = 4_000
_TOOLBOX_OPTIONS = frozenset({"-t", "-x", "-Z", "-P", "-p", "-c", "-r"})


def _user(phone: Phone, package: str) -> str:
    found = phone.packages.get(package)
    return f"u0_a{found.uid % 10_000}" if found else "shell"


async def ps(phone: Phone, call: Call) -> int:
    """``ps [-A] [-o COLUMNS] [NAME]``."""
    words = call.argv[1:]
    rows = [(_user(phone, name), pid, name) for pid, name in phone.processes.list()]
    programs = [("shell", program.pid, program.name) for program in phone.programs.list()]
    rows = [*programs, *rows]
    if phone.profile.sdk <= KITKAT:
        # toolbox knows the options -t, -x, -Z, -P, -p, -c and -r; another word is a pid or begins a name.
        wanted = next((word for word in words if word[:2] not in _TOOLBOX_OPTIONS), "")
        await call.say("USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\n")
        for user, pid, name in rows:
            if not wanted or name.startswith(wanted) or wanted == str(pid):
                await call.say(f"{user:<8} {pid:<5} 350   900000 60000 ffffffff 00000000 S {name}\n")
        return 0
    every = any(word.startswith("-") and {"A", "e", "p"} & set(word) for word in words)
    if not every and phone.profile.sdk >= _OF_THE_SHELL_SDK:
        rows = [("shell", _SHELL_PID, "sh"), *programs, ("shell", _SHELL_PID + 1, "ps")]
    if "-p" in words[:-1]:
        pids = words[words.index("-p") + 1].split(",")
        rows = [row for row in rows if str(row[1]) in pids]
    if "-o" in words[:-1]:
        asked = words[words.index("-o") + 1].split(",")
        columns = [each.partition("=")[0].upper() for each in asked]
        heads = [each.partition("=")[2] if "=" in each else each.upper() for each in asked]
        await call.say(" ".join(heads) + "\n" if any(heads) else "")
        for user, pid, name in rows:
            state = "T" if phone.processes.frozen(name) else "S"
            held = {"USER": user, "PID": str(pid), "PPID": "350", "NAME": name, "ARGS": name, "CMD": name}
            held["S"] = held["STAT"] = state
            await call.say(" ".join(held.get(column, "-") for column in columns) + "\n")
        return int(not rows)
    await call.say("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
    for user, pid, name in rows:
        state = "T" if phone.processes.frozen(name) else "S"
        told = f"{user:<12} {pid:>5}   350 1200000  90000 0                   0 {state} {name}\n"
        await call.say(told)
    return int(not rows)


async def pidof(phone: Phone, call: Call) -> int:
    """``pidof NAME``."""
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    found = [str(pid) for name in words if (pid := phone.processes.pidof(name)) is not None]
    found += [str(each.pid) for each in phone.programs.list() if each.name in words]
    if found:
        await call.say(" ".join(found) + "\n")
    return int(not found)


async def top(phone: Phone, call: Call) -> int:
    """``top -n 1 -b``: once, as a screen without end would serve nobody."""
    processes = phone.processes.list()
    await call.say(
        f"Tasks: {len(processes)} total,   0 running, {len(processes)} sleeping,   0 stopped,   0 zombie\n"
        "  Mem:  4000000K total,  2000000K used,  2000000K free\n"
        "  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS\n"
    )
    for pid, name in processes:
        await call.say(
            f"{pid:>5} {_user(phone, name):<12} 10 -10 1.2G  90M  60M S  0.0   2.3   0:00.10 {name}\n"
        )
    return 0


async def reboot(phone: Phone, call: Call) -> int:
    """``reboot``: every app ends, what lasts stays, and the connections break off."""
    phone.reboot()
    return 0


async def ip(phone: Phone, call: Call) -> int:
    """``ip addr|route [show]``."""
    words = call.argv[1:]
    while words and words[0].startswith("-"):
        words = words[2 if words[0] in ("-f", "-family") else 1 :]
    match words:
        case ["addr" | "address" | "a" | "link", *rest]:
            if "wlan0" not in rest:
                await call.say(
                    "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default\n"
                    "    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n"
                )
            up = phone.network.wifi
            flags, state = (
                ("BROADCAST,MULTICAST,UP,LOWER_UP", "UP") if up else ("BROADCAST,MULTICAST", "DOWN")
            )
            await call.say(
                f"3: wlan0: <{flags}> mtu 1500 qdisc mq state {state} group default qlen 3000\n"
                "    link/ether 02:00:00:00:00:00 brd ff:ff:ff:ff:ff:ff\n"
            )
            if up and words[0] != "link":
                await call.say(
                    f"    inet {_ADDRESS}/24 brd {_BROADCAST} scope global wlan0\n"
                    "       valid_lft forever preferred_lft forever\n"
                )
        case ["route" | "r" | "ro", *_]:
            if phone.network.wifi:
                await call.say(f"{_NET} dev wlan0 proto kernel scope link src {_ADDRESS}\n")
        case _:
            await call.complain(f'Object "{words[0] if words else ""}" is unknown, try "ip help".\n')
            return 1
    return 0


async def ifconfig(phone: Phone, call: Call) -> int:
    """``ifconfig [wlan0]``."""
    names = call.argv[1:] or ["lo", "wlan0"]
    up = phone.network.wifi
    for name in names:
        if name not in ("lo", "wlan0"):
            await call.complain(f"ifconfig: {name}: No such device\n")
            return 1
        address, mask = ("127.0.0.1", "255.0.0.0") if name == "lo" else (_ADDRESS, "255.255.255.0")
        if phone.profile.sdk <= KITKAT:
            flags = "up broadcast running multicast" if up or name == "lo" else "broadcast multicast"
            shown = address if up or name == "lo" else _NO_ADDRESS
            await call.say(f"{name}: ip {shown} mask {mask} flags [{flags}]\n")
            continue
        if name == "lo":
            await call.say(
                f"lo        Link encap:Local Loopback  \n          inet addr:{address}  Mask:{mask} \n"
                "          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n\n"
            )
            continue
        inet = f"          inet addr:{address}  Bcast:{_BROADCAST}  Mask:{mask} \n" if up else ""
        state = "UP BROADCAST RUNNING MULTICAST" if up else "BROADCAST MULTICAST"
        await call.say(
            f"wlan0     Link encap:Ethernet  HWaddr 02:00:00:00:00:00  Driver virtual\n{inet}"
            f"          {state}  MTU:1500  Metric:1\n\n"
        )
    return 0


async def ping(phone: Phone, call: Call) -> int:
    """``ping [-c COUNT] [-W SECONDS] HOST``: one packet a second, to nowhere but this phone."""
    words, most, host = call.argv[1:], _PINGS_MOST, ""
    while words:
        word = words.pop(0)
        if word in ("-c", "-W", "-w", "-i", "-s"):
            value = words.pop(0) if words else ""
            if not value.replace(".", "", 1).isdecimal() or (word == "-c" and not int(float(value))):
                await call.complain(f"ping: bad number of packets to transmit: {value}\n")
                return 2
            most = int(float(value)) if word == "-c" else most
        elif not word.startswith("-"):
            host = word
    if not host:
        await call.complain("Usage: ping [-c count] [-W timeout] destination\n")
        return 2
    near = host in ("localhost", "127.0.0.1")
    numeric = host.replace(".", "").isdecimal()
    if not (near or phone.network.online):
        await call.complain(
            "connect: Network is unreachable\n" if numeric else f"ping: unknown host {host}\n"
        )
        return 2
    address = "127.0.0.1" if near else host if numeric else _FAR
    await call.say(f"PING {host} ({address}) 56(84) bytes of data.\n")
    for number in range(1, most + 1):
        await call.say(f"64 bytes from {address}: icmp_seq={number} ttl=64 time=12.0 ms\n")
        if number < most:
            await phone.spend(1000)
            await asyncio.sleep(0)
    await call.say(
        f"\n--- {host} ping statistics ---\n{most} packets transmitted, {most} received, 0% packet loss, "
        f"time {1000 * (most - 1)}ms\nrtt min/avg/max/mdev = 12.000/12.000/12.000/0.000 ms\n"
    )
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    table = {
        "ifconfig": ifconfig,
        "ip": ip,
        "pidof": pidof,
        "ping": ping,
        "ps": ps,
        "reboot": reboot,
        "top": top,
    }
    return {name: partial(command, phone) for name, command in table.items()}
