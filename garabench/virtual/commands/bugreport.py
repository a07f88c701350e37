"""``bugreport``, ``bugreportz`` and ``dumpstate``: the state of the whole phone (AOSP ``dumpstate.cpp``)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_properties import fingerprint
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.shell.call import Command, CommandCall
from garabench.virtual.shell.streams import empty_input

ZIP_SDK = 24
"""First API level (Android 7) with ``bugreportz``."""
_STREAM_SDK = 31
_DIRECTORY = "/data/user_de/0/com.android.shell/files/bugreports"
_WARNING = (
    "=============================================================================\n"
    "  WARNING: Flat (text file, non-zipped) bugreports are deprecated.\n"
    "  WARNING: Please generate zipped bugreports instead.\n"
    "  WARNING: On the host use: adb bugreport filename.zip\n"
    "  WARNING: On the device use: bugreportz\n           then download the output filename returned.\n"
    "=============================================================================\n\n\n"
)
_USAGE = (
    "usage: bugreportz [-hpsv]\n  -h: to display this help message\n  -p: display progress\n"
    "  -s: stream content to standard output\n  -v: to display the version\n"
    "  or no arguments to generate a zipped bugreport\n"
)
_SECTIONS = (
    ("UPTIME", ["uptime"]),
    ("MEMORY INFO (/proc/meminfo)", ["cat", "/proc/meminfo"]),
    ("CPU INFO", ["top", "-b", "-n", "1"]),
    ("VIRTUAL MEMORY STATS (/proc/vmstat)", ["vmstat"]),
    ("PROCESSES AND THREADS", ["ps", "-A"]),
    ("SYSTEM PROPERTIES", ["getprop"]),
    ("FILESYSTEMS & FREE SPACE", ["df"]),
    ("SYSTEM LOG", ["logcat", "-d", "-v", "threadtime", "-b", "main,system,crash"]),
    ("EVENT LOG", ["logcat", "-d", "-v", "threadtime", "-b", "events"]),
    ("NETWORK INTERFACES", ["ip", "link"]),
    ("DUMPSYS", ["dumpsys"]),
    ("RUNNING APPLICATION ACTIVITIES", ["dumpsys", "activity", "activities"]),
)
_OLD_ARGUMENTS = {"ps": ["ps"], "logcat": ["logcat", "-d", "-v", "threadtime"], "top": ["top", "-n", "1"]}


async def _report(phone: Phone, call: CommandCall) -> str:
    """Return the text of a report."""
    wall, profile = phone.clock.wall(), phone.profile
    kind = "userdebug" if phone.rooted else "user"
    parts = [
        f"{'=' * 56}\n== dumpstate: {wall:%Y-%m-%d %H:%M:%S}\n{'=' * 56}\n\n"
        f"Build: {profile.product}-{kind} {profile.release}\n"
        f"Build fingerprint: '{fingerprint(profile, emulator=phone.rooted)}'\nBootloader: unknown\n"
        f"Radio: unknown\nNetwork: {'(unknown)' if phone.network.airplane else 'Virtual'}\n"
        f"Android SDK version: {profile.sdk}\nKernel: "
    ]
    sections = [("", ["cat", "/proc/version"]), *_SECTIONS]
    for title, argv in sections:
        words = _OLD_ARGUMENTS.get(argv[0], argv) if profile.sdk <= KITKAT else argv
        out = await _output(call, words)
        shown = " ".join(words)
        parts.append(f"------ {title} ({shown}) ------\n{out}\n" if title else f"{out}\n")
    done = f"{'=' * 56}\n== Running Application Services\n{'=' * 56}\n"
    services = await _output(call, ["dumpsys", "activity", "services"])
    return "".join([*parts, done, services, f"{'=' * 56}\n== dumpstate: done (id 1)\n{'=' * 56}\n"])


async def _output(call: CommandCall, argv: list[str]) -> str:
    """Run a command; return what it prints."""
    if call.run is None:
        return ""
    found = bytearray()

    async def add(data: bytes) -> None:
        found.extend(data)

    inner = CommandCall(argv, empty_input(), add, add, call.env, call.cwd, call.run)
    status = await call.run(inner)
    tail = f"*** {argv[0]}: Exit code {status}\n" if status else ""
    return found.decode(errors="replace") + tail


async def bugreport(phone: Phone, call: CommandCall) -> int:
    """``bugreport`` and ``dumpstate``: the report as text."""
    if phone.profile.sdk >= ZIP_SDK and call.argv[0] == "bugreport":
        await call.print_error(_WARNING)
    await call.print(await _report(phone, call))
    return 0


async def bugreportz(phone: Phone, call: CommandCall) -> int:
    """``bugreportz [-hpsv]``: the report in a zip archive, whose path it prints."""
    options = {char for arg in call.argv[1:] for char in arg.lstrip("-")}
    streamed = phone.profile.sdk >= _STREAM_SDK
    if len(call.argv) > 1 and (options - set("hpsv") or not call.argv[1].startswith("-")):
        await call.print_error(_USAGE)
        return 1
    if "h" in options:
        await call.print_error(_USAGE)
        return 0
    if "v" in options:
        await call.print_error("1.2\n" if streamed else "1.1\n")
        return 0
    name = f"bugreport-{phone.profile.product}-GARA-{phone.clock.wall():%Y-%m-%d-%H-%M-%S}"
    path = f"{_DIRECTORY}/{name}.zip"
    if "p" in options:
        await call.print(f"BEGIN:{path}\nPROGRESS:10/100\n")
    data = _archive(name, await _report(phone, call))
    if "s" in options and streamed:
        await call.write(data)
        return 0
    with as_root():
        phone.files.write(path, data)
    if "p" in options:
        await call.print("PROGRESS:100/100\n")
    await call.print(f"OK:{path}\n")
    return 0


def _archive(name: str, text: str) -> bytes:
    """Return the archive: the text, its name, and the version of the format."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        members = {f"{name}.txt": text, "main_entry.txt": f"{name}.txt", "version.txt": "2.0\n"}
        for member, content in {**members, "dumpstate_log.txt": "done\n"}.items():
            archive.writestr(zipfile.ZipInfo(member, (2024, 5, 20, 9, 41, 0)), content)
    return found.getvalue()


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    table: dict[str, Command] = {
        "bugreport": partial(bugreport, phone),
        "dumpstate": partial(bugreport, phone),
    }
    return {**table, "bugreportz": partial(bugreportz, phone)} if phone.profile.sdk >= ZIP_SDK else table
