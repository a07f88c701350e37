"""The virtual phone: cold start, memory, drawing, trees."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import adbutils

from benchmarks.report import Measure, median_ms
from garabench.core.clock import SystemClock
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import Intent
from garabench.virtual.phone_process import VirtualPhone
from garabench.virtual.ui import dump
from garabench.virtual.ui.frame import Frame
from garabench.virtual.ui.render import draw_screen

MAIN = "android.intent.action.MAIN"
LAUNCHER = "android.intent.category.LAUNCHER"
_WAIT_FOR_PAGE_MS = 3000


def phone_with_open_apps(profile: str) -> Phone:
    """Return a phone on which every app has been opened and drawn once."""
    phone = Phone(Profile.parse(profile), apps=installed_apps())
    phone.frame().png()
    for installed in phone.packages.query_launcher():
        phone.activities.start(Intent(MAIN, package=installed.app.package, categories=frozenset({LAUNCHER})))
        phone.clock.advance(_WAIT_FOR_PAGE_MS)
        phone.frame().png()
    return phone


def measure_drawing(profile: str, *, times: int = 5, limit: float | None = None) -> list[Measure]:
    """Measure drawing, encoding and dumping the screen after all apps were opened."""
    phone = phone_with_open_apps(profile)
    scene = phone.scene()
    size = str(phone.display.current_size)

    def tree() -> None:
        phone.changed()
        dump.u2_xml(phone.scene())

    return [
        Measure(
            f"picture {size}, drawn and encoded",
            median_ms(lambda: Frame(draw_screen(scene)).png(), times),
            "ms",
            limit,
        ),
        Measure(f"tree {size}, built, laid out and written", median_ms(tree, times), "ms", 10),
        Measure(f"tree {size}, unchanged screen", median_ms(lambda: dump.u2_xml(scene), times), "ms"),
    ]


def measure_unchanged(profile: str = "android-34") -> Measure:
    """Count the frames that are drawn for three screenshots of one screen."""
    phone = phone_with_open_apps(profile)
    phone.changed()
    frames = [phone.frame() for _ in range(3)]
    pictures = {id(frame.png()) for frame in frames}
    return Measure("drawings of an unchanged screen", len(pictures), "times", 1, note="three screenshots")


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError(f"process {pid} has ended")


def child_of(parent: int) -> int:
    """Return the process id of the phone that this process started."""
    output = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(parent)], capture_output=True, text=True, check=True
    )
    return next(int(line.split()[0]) for line in output.stdout.splitlines() if "garabench.virtual" in line)


def measure_process(parent: int, *, starts: int = 3) -> list[Measure]:
    """Measure the cold start until adb lists the device, and the memory after all apps were visited."""
    adbutils.AdbClient().server_version()  # the server itself is not the phone
    durations = []
    for _ in range(starts):
        start = time.perf_counter()
        with VirtualPhone():
            durations.append(time.perf_counter() - start)
    with VirtualPhone(clock=SystemClock()) as phone:
        device = adbutils.AdbClient(socket_timeout=20).device(phone.serial)
        for package in device.list_packages():
            device.shell(["monkey", "-p", package, "-c", "android.intent.category.LAUNCHER", "1"])
            device.shell(["sleep", "3"])
            device.screenshot()
            device.shell(["input", "swipe", "500", "1800", "500", "400", "300"])
            device.screenshot()
        memory = resident_mb(child_of(parent))
    return [
        Measure(
            "cold start to `device`",
            sorted(durations)[len(durations) // 2],
            "s",
            1.5,
            note=f"median of {starts}",
        ),
        Measure("resident memory, all apps visited", memory, "MB", 250),
    ]
