"""Utilities about the system: df, mount, free, nproc, vmstat, dmesg, netstat, nc, stty (forms of toybox)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from garabench.virtual.android import not_simulated
from garabench.virtual.android.file_system import AS_ROOT, FileSystem
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.storage import DATA_KB
from garabench.virtual.android.system_files import (
    BUFFERS_KB,
    CORES,
    TOTAL_KB,
    cached_kb,
    kernel_version,
    memory_kb,
    mounts,
)
from garabench.virtual.commands.network import ADDRESS
from garabench.virtual.commands.toybox_options import UsageError, Utility, as_commands, human, parse_options
from garabench.virtual.shell.call import Command, CommandCall

_TOYBOX_DF_SDK = 24
_BLOCK_BYTES = 4096
_KB_OF_INODE, _KB_OF_FILE = 16, 64
"""The space of a file system for each inode that ``mkfs`` makes, and the used space for each used one."""
_SWAP_KB = 2_097_148
_STTY = (
    "speed 38400 baud; rows 24; columns 80; line = 0;\n"
    "intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = undef; eol2 = undef; swtch = undef;\n"
    "start = ^Q; stop = ^S; susp = ^Z; rprnt = ^R; werase = ^W; lnext = ^V; discard = ^O; "
    "min = 1; time = 0;\n"
    "-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts\n"
    "isig icanon iexten echo echoe echok -echonl -noflsh -xcase -tostop -echoprt echoctl echoke\n"
)


@dataclass(frozen=True, slots=True)
class _Mount:
    """A mounted file system, with its size and used space in KiB."""

    device: str
    kind: str
    size: int
    used: int
    place: str


def _mounts(phone: Phone) -> tuple[_Mount, ...]:
    data = DATA_KB
    used = data - phone.storage.free_kb
    return (
        _Mount("/dev/block/dm-0", "ext4", 2_500_000, 2_494_000, "/"),
        _Mount("tmpfs", "tmpfs", 2_011_080, 1_500, "/dev"),
        _Mount("/dev/block/dm-1", "ext4", 800_000, 795_000, "/vendor"),
        _Mount("/dev/block/dm-5", "f2fs", data, used, "/data"),
        _Mount("/dev/fuse", "fuse", data, used, "/storage/emulated"),
    )


async def df(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``df [-hHkPai] [-t TYPE] [FILE…]``; until Android 6 ``df [FILE…]`` of toolbox."""
    if phone.profile.sdk < _TOYBOX_DF_SDK:
        return await _toolbox_df(phone, files, call)
    options, names = parse_options(call, "HPkhit:a")
    found, status = list(_mounts(phone)), 0
    if names:
        found = []
        for name in names:
            path = call.path(name)
            if files.stat(path) is None:
                await call.print_error(f"df: '{name}': No such file or directory\n")
                status = 1
            else:
                found.append(_holding(phone, path))
    if "t" in options:
        found = [each for each in found if each.kind == options["t"]]
    readable = bool({"h", "H"} & options.keys())
    titles = ("Size", "Used", "Avail", "Use%") if readable else ("1K-blocks", "Used", "Available", "Use%")
    if "i" in options:
        titles = ("Inodes", "IUsed", "IFree", "IUse%")
    rows: list[tuple[str, ...]] = [("Filesystem", *titles, "Mounted on")]
    for each in found:
        total, used = each.size, each.used
        if "i" in options:  # as many as mkfs makes
            total, used = total // _KB_OF_INODE, used // _KB_OF_FILE
        unit = 1 if "i" in options else 1024
        shown = tuple(human(n * unit) if readable else str(n) for n in (total, used, total - used))
        rows.append((each.device, *shown, f"{-(-used * 100 // total)}%", each.place))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    widths[0] = max(widths[0], 14)
    for row in rows if found or not names else ():
        middle = " ".join(row[column].rjust(widths[column]) for column in range(1, 5))
        await call.print(f"{row[0]:<{widths[0]}} {middle} {row[5]}\n")
    return status


async def _toolbox_df(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """List file systems as toolbox does (AOSP's ``system/core/toolbox/df.c``): it has no options."""
    found = [(each.place, each) for each in _mounts(phone)]
    if call.argv[1:]:
        found = [(name, _holding(phone, call.path(name))) for name in call.argv[1:]]
    await call.print("Filesystem               Size     Used     Free   Blksize\n")
    status = 0
    for name, each in found:
        if files.stat(call.path(name)) is None:
            await call.print_error(f"{name}: No such file or directory\n")
            status = 1
            continue
        sizes = (each.size, each.used, each.size - each.used)
        await call.print(f"{name:<20}  {'  '.join(map(_toolbox_size, sizes))}   {_BLOCK_BYTES}\n")
    return status


def _toolbox_size(kilobytes: float) -> str:
    unit = "K"
    for larger in "MG":
        if kilobytes > 1024:
            kilobytes, unit = kilobytes / 1024, larger
    return f"{kilobytes:6.1f}{unit}"


def _holding(phone: Phone, path: str) -> _Mount:
    """Return the file system of a path."""
    known = {each.place: each for each in _mounts(phone)}
    if path.startswith(("/sdcard", "/storage")):
        return known["/storage/emulated"]
    top = "/" + path.split("/")[1]
    return known.get(top, known["/"])


async def mount(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``mount``: lists what is mounted; root may remount a partition for writing when verity is off."""
    options, names = parse_options(call, "afFhnrsvwOt:o:")
    chosen = set(options.get("o", "").split(","))
    if names and AS_ROOT.get() and "remount" in chosen:
        return await _remount(phone, call, names[-1], writable="rw" in chosen)
    if names:
        place = names[-1]
        await call.print_error(f"mount: '{names[0]}'->'{place}': Permission denied\n")
        return 1
    for line in mounts(phone).splitlines():
        device, place, kind, flags, _, _ = line.split()
        await call.print(f"{device} on {place} type {kind} ({flags})\n")
    return 0


async def _remount(phone: Phone, call: CommandCall, place: str, *, writable: bool) -> int:
    found = next((each for each in _mounts(phone) if each.place == place), None)
    if found is None:
        await call.print_error(f"mount: '{place}' not in /proc/mounts\n")
        return 1
    if writable and phone.services.verity and place != "/data":
        await call.print_error(f"mount: '{found.device}' is read-only\n")
        return 1
    if place in ("/", "/vendor"):
        phone.files.is_remounted = writable
    return 0


async def free(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``free [-bkmgh]``."""
    options, _ = parse_options(call, "bkmgth")
    used, unused = memory_kb(phone)
    shared, buffers = 20_000, BUFFERS_KB

    def shown(kilobytes: int) -> str:
        if "h" in options:
            return human(kilobytes * 1024)
        shift = {"k": 10, "m": 20, "g": 30}.get(next(iter(options), "b"), 0)
        return str(kilobytes * 1024 >> shift)

    rows = {
        "Mem:": (TOTAL_KB, used, unused, shared, buffers),
        "-/+ buffers/cache:": (used - buffers, unused + buffers),
        "Swap:": (_SWAP_KB, 0, _SWAP_KB),
    }
    await call.print(
        " " * 8 + "".join(f"{name:>16}" for name in ("total", "used", "free", "shared", "buffers")) + "\n"
    )
    for name, values in rows.items():
        first = f"{name:<24}" if name.startswith("-") else f"{name:<8}"
        await call.print(first + "".join(f"{shown(value):>16}" for value in values) + "\n")
    return 0


async def nproc(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``nproc``."""
    parse_options(call, "", ("all",))
    await call.print(f"{CORES}\n")
    return 0


async def vmstat(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``vmstat [-n] [DELAY [COUNT]]``: at most ten lines; one without a count."""
    _, names = parse_options(call, "n")
    if not all(name.isdecimal() for name in names):
        raise UsageError(f"not integer: {next(name for name in names if not name.isdecimal())}")
    count = min(int(names[1]), 10) if len(names) > 1 else 1
    await call.print(
        "procs ------------memory------------ ----swap--- -----io---- ---system-- ----cpu----\n"
        " r  b    swpd    free    buff   cache    si    so    bi    bo    in   cs us sy id wa\n"
    )
    for turn in range(count):
        if turn:
            await phone.spend(min(int(names[0]), 3600) * 1000)
        _, unused = memory_kb(phone)
        cached = cached_kb(unused)
        memory = f"{0:>7} {unused - cached - BUFFERS_KB:>7} {BUFFERS_KB:>7} {cached:>7}"
        await call.print(f" 1  0 {memory}     0     0     4     9   800 1200  3  4 93  0\n")
    return 0


async def dmesg(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``dmesg``: the shell may not read the kernel's log unless the build is a debug build."""
    parse_options(call, "CcSTtwn:s:r")
    if not phone.rooted:
        await call.print_error("dmesg: klogctl: Permission denied\n")
        return 1
    await call.print(
        f"[    0.000000] Booting Linux on CPU 0\n[    0.000000] {kernel_version(phone.profile.sdk)}\n"
        "[    1.204511] init: init first stage started!\n[    1.730021] init: init second stage started!\n"
        "[    6.812034] init: starting service 'adbd'...\n"
    )
    return 0


async def netstat(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``netstat [-tulnap]``: the listening sockets and the connection of adb."""
    options, _ = parse_options(call, "pWrxwutneal")
    if "r" in options:
        await call.print(
            "Kernel IP routing table\n"
            "Destination     Gateway         Genmask         Flags   MSS Window  irtt Iface\n"
            "192.168.1.0     0.0.0.0         255.255.255.0   U         0 0          0 wlan0\n"
        )
        return 0
    servers = (
        "only servers" if "l" in options else "servers and established" if "a" in options else "w/o servers"
    )
    await call.print(f"Active Internet connections ({servers})\n")
    await call.print("Proto Recv-Q Send-Q Local Address           Foreign Address         State\n")
    rows = []
    if {"l", "a"} & options.keys():
        u2 = any(each.name == "app_process" for each in phone.programs.list())
        rows += [("tcp6", "[::]:5555", "[::]:*", "LISTEN")]
        rows += [("tcp6", "[::]:9008", "[::]:*", "LISTEN")] if u2 else []
    if "l" not in options:
        rows.append(("tcp6", f"[::ffff:{ADDRESS}]:5555", "[::ffff:192.168.1.2]:40000", "ESTABLISHED"))
    for protocol, local, foreign, state in rows:
        await call.print(f"{protocol:<5}      0      0 {local:<23} {foreign:<23} {state}\n")
    return 0


async def nc(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``nc [-z] HOST PORT``: the phone's own services listen; nothing else can be reached from it."""
    options, names = parse_options(call, "46Ef:lLp:q:s:tuUw:W:z")
    if {"l", "L"} & options.keys():
        not_simulated.say(phone, "nc -l")
        raise UsageError("-l is not simulated")
    if len(names) != 2 or not names[1].isdecimal():
        raise UsageError("needs HOST PORT" if len(names) < 2 else f"bad port '{names[1]}'")
    ours = {"5555"} | (
        {"9008"} if any(each.name == "app_process" for each in phone.programs.list()) else set()
    )
    if names[0] in ("localhost", "127.0.0.1", "::1") and names[1] in ours:
        return 0
    reason = (
        "Connection refused" if names[0] in ("localhost", "127.0.0.1", "::1") else "Network is unreachable"
    )
    await call.print_error(f"nc: connect: {reason}\n")
    return 1


async def stty(phone: Phone, files: FileSystem, call: CommandCall) -> int:
    """``stty [-a] [SETTING…]``: the settings of the terminal, which stay as they are."""
    match call.argv[1:]:
        case ["size"]:
            await call.print("24 80\n")
        case ["speed"]:
            await call.print("38400\n")
        case ["-a"] | ["--all"]:
            await call.print(_STTY)
        case []:
            await call.print("speed 38400 baud; line = 0;\n-brkint -imaxbel\n")
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    tools = {"df": df, "dmesg": dmesg, "free": free, "mount": mount, "nc": nc, "netstat": netstat}
    tools |= {"nproc": nproc, "stty": stty, "vmstat": vmstat}
    table: dict[str, Utility] = {name: partial(tool, phone) for name, tool in tools.items()}
    return as_commands(phone.files, {**table, "netcat": table["nc"]})
