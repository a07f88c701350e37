"""`emulator` of the stand-in SDK: its documented options, and a virtual phone behind its ports.

https://developer.android.com/studio/run/emulator-commandline.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import zlib
from pathlib import Path
from types import FrameType

from garabench.testing.sdk_stand_in.install import SdkBehaviour, read_behaviour
from garabench.testing.sdk_stand_in.managers import avd_home

_FLAGS = frozenset(
    {"-no-window", "-no-audio", "-no-boot-anim", "-no-accel", "-wipe-data", "-read-only", "-verbose"}
    | {"-no-snapshot", "-no-snapshot-save", "-no-snapshot-load", "-snapshot-list", "-list-avds", "-version"}
    | {"-accel-check", "-writable-system", "-no-cache", "-no-sim", "-netfast", "-no-metrics"}
    | {"-no-passive-gps"}
)
_VALUES = frozenset(
    {"-avd", "-port", "-ports", "-gpu", "-camera-back", "-camera-front", "-accel", "-memory", "-cores"}
    | {"-snapshot", "-netdelay", "-netspeed", "-partition-size", "-sysdir", "-system", "-datadir", "-data"}
    | {"-dns-server", "-http-proxy", "-timezone", "-prop", "-logcat", "-skin", "-scale", "-selinux"}
)
_NO_KVM = "/dev/kvm is not found: VT disabled in BIOS or KVM kernel module not loaded"
_END_SECONDS = 10.0


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def run_emulator(root: Path, argv: list[str]) -> int:
    """Run `emulator`, and return its exit status."""
    values: dict[str, str] = {}
    flags: set[str] = set()
    words = iter(argv)
    for word in words:
        if word.startswith("@"):
            values["-avd"] = word[1:]
        elif word in _VALUES:
            values[word] = next(words, "")
        elif word in _FLAGS:
            flags.add(word)
        else:
            _write(f"unknown option: {word}\nplease use -help for a list of valid options")
            return 1
    behaviour = read_behaviour(root)
    if "-accel-check" in flags:
        status = 0 if behaviour.kvm else 8
        text = "KVM (version 12) is installed and usable." if behaviour.kvm else _NO_KVM
        _write(f"accel:\n{status}\n{text}\naccel")
        return status
    if "-list-avds" in flags:
        for folder in sorted(avd_home().glob("*.avd")):
            _write(folder.stem)
        return 0
    return _start(values, flags, behaviour)


def _start(values: dict[str, str], flags: set[str], behaviour: SdkBehaviour) -> int:
    name, port = values.get("-avd", ""), int(values.get("-port", "5554"))
    folder = avd_home() / f"{name}.avd"
    _write("INFO         | Android emulator version 35.1.4.0 (stand-in)")
    if not folder.is_dir():
        _write(f"PANIC: Unknown AVD name [{name}], use -list-avds to see valid list.")
        return 1
    if not behaviour.kvm and values.get("-accel") != "off" and "-no-accel" not in flags:
        _write("ERROR        | x86_64 emulation currently requires hardware acceleration!")
        _write(f"CPU acceleration status: {_NO_KVM}")
        return 1
    if port % 2 or not 5554 <= port <= 5682:
        _write(f"ERROR        | -port must be followed by an even integer between 5554 and 5682: {port}")
        return 1
    with (folder / "multiinstance.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _write("ERROR        | Running multiple emulators with the same AVD is an experimental feature.")
            _write("Please use -read-only flag to enable this feature.")
            return 1
        return _serve(folder, name, port, values.get("-snapshot"), behaviour)


def _serve(folder: Path, name: str, port: int, snapshot: str | None, behaviour: SdkBehaviour) -> int:
    loads = snapshot is not None and (folder / "snapshots" / snapshot).is_dir()
    if behaviour.boot == "dies" or (behaviour.boot == "snapshot-dies" and loads):
        _write("FATAL        | the guest's memory could not be restored: bad file")
        return 1
    if behaviour.boot == "hangs":
        signal.pause()  # until a signal ends the process
    _write(f"INFO         | {f'loading snapshot {snapshot}' if loads else 'cold boot'}")
    argv = [sys.executable, "-P", "-m", "garabench.virtual", "--emulator", "--port", str(port + 1)]
    # An AVD has the same identity at each start. A real one differs from others by its android_id.
    argv += ["--name", name, "--serialno", f"EMULATOR{zlib.crc32(name.encode()):08X}"]
    argv += ["--profile", behaviour.profile, "--latency", behaviour.latency]
    argv += ["--snapshots", str(folder / "snapshots")]
    phone = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def end(number: int, frame: FrameType | None) -> None:
        if phone.stdin is not None:
            with contextlib.suppress(OSError):  # it has ended
                phone.stdin.close()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    answer = b"" if phone.stdout is None else phone.stdout.readline()
    if not answer or "error" in json.loads(answer):
        reason = json.loads(answer)["error"] if answer else f"could not bind to ports {port}/{port + 1}"
        _write(f"ERROR        | {reason}")
        return 1
    _register(port + 1)
    status = phone.wait()
    _write("INFO         | Wait for emulator to shut down gracefully")
    return status


def _register(port: int) -> None:
    """Report to the adb server, if it runs, as emulators do."""
    address = ("127.0.0.1", int(os.environ.get("ANDROID_ADB_SERVER_PORT", "5037")))
    request = f"host:emulator:{port}".encode()
    with (
        contextlib.suppress(OSError),
        socket.create_connection(address, timeout=_END_SECONDS) as connection,
    ):
        connection.sendall(b"%04x%s" % (len(request), request))
