"""Time from a rule's match until the interruption is shown, relative to a plain start and dump."""

from __future__ import annotations

import statistics
import time

import adbutils
import uiautomator2

from benchmarks.report import Measure
from garabench.core.clock import SystemClock
from garabench.core.companion_app import CLOSE, SHOW, encode_spec
from garabench.core.interruption import Mode
from garabench.device.device import Device
from garabench.interruptions.inject import inject
from garabench.interruptions.planned_interruption import PlannedInterruption, plan_interruption
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone

TIMES = 9
LIMIT = 1.3


def measure_injection(profile: str = "android-34") -> list[Measure]:
    """Measure the ratio on a phone with realistic latency; both sides alternate from a closed window."""
    interruption = Suite.load().interruptions["wifi-check"]
    injections: list[float] = []
    plain_starts: list[float] = []
    with VirtualPhone(profile, latency="phone") as phone:
        device = Device.connect(phone.serial, SystemClock())
        plain = adbutils.AdbClient(socket_timeout=30).device(phone.serial)
        client = uiautomator2.connect(phone.serial)
        try:
            for number in range(TIMES + 1):
                planned = plan_interruption(
                    interruption, Mode.DUAL, app="a.b", language="zh", token=f"t{number}"
                )
                device.adb.shell(CLOSE)
                device.settle()
                injected = inject(device, planned)
                if injected.seconds is None:
                    raise RuntimeError(injected.reason)
                device.adb.shell(CLOSE)
                client.dump_hierarchy()
                seconds = _plain_seconds(plain, client, planned)
                if number:  # the first one starts the app's process
                    injections.append(injected.seconds)
                    plain_starts.append(seconds)
        finally:
            device.close()
    shown, plain_time = statistics.median(injections), statistics.median(plain_starts)
    note = f"{shown * 1000:.0f} ms over {plain_time * 1000:.0f} ms"
    return [
        Measure(
            "rule match until shown, over am start -W and a dump", shown / plain_time, "x", LIMIT, note=note
        )
    ]


def _plain_seconds(
    plain: adbutils.AdbDevice, client: uiautomator2.Device, planned: PlannedInterruption
) -> float:
    """Return the seconds of a plain ``am start -W`` and one dump."""
    start = time.perf_counter()
    plain.shell(
        ["am", "start", "-W", "-n", SHOW, "--es", "spec", encode_spec(planned.spec), "--es", "token", "own"]
    )
    client.dump_hierarchy()
    return time.perf_counter() - start
