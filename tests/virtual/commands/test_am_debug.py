"""Verbs of ``am`` other than starting activities (AOSP ``ActivityManagerShellCommand``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.installer import install_apk
from garabench.virtual.android.phone import Phone
from tests.virtual.android import apks, toys
from tests.virtual.shell.harness import on_phone

TAIL = "normal-long-notround-lowdr-nowidecg-port-notnight-420dpi-finger-keysexposed-nokeys-navhidden-nonav"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        # Configuration.resourceQualifierString
        (
            "am get-config",
            f"config: mcc001-mnc1-zh-rCN-ldltr-sw411dp-w411dp-h914dp-{TAIL}-1080x2400-v34\nabi: x86_64,x86\n",
            "",
            0,
        ),
        ("am switch-user 0", "", "", 0),
        ("am switch-user 10", "", "Error: Failed to switch to user 10\n", 1),
        ("am stop-user 0", "", "Error: Can't stop system user\n", 1),
        ("am is-user-stopped 0", "false\n", "", 0),
        ("am get-standby-bucket toy.app", "10\n", "", 0),
        ("am set-standby-bucket toy.app rare; am get-standby-bucket toy.app", "40\n", "", 0),
        ("am set-standby-bucket toy.app nope", "", "Error: Unknown bucket: nope\n", 255),
        ("am set-inactive toy.app true; am get-inactive toy.app", "Idle=true\n", "", 0),
        ("am profile start toy.app t; am profile stop toy.app; head -1 t", "*version\n", "", 0),
        ("am profile start nope t", "", "Error: PROFILE FAILED on process nope\n", 255),
        ("am dumpheap toy.app h.prof; head -c 18 h.prof", "File: /data/local/tmp/h.prof\nWaiting for dump to "
         "finish...\nJAVA PROFILE 1.0.3", "", 0),
        ("am dumpheap nope", "", "Error: HEAP DUMP FAILED on process nope\n", 255),
        ("am startservice -n toy.app/.Nope", "Starting service: Intent { cmp=toy.app/.Nope }\n",
         "Error: Not found; no service started.\n", 255),
    ],
)  # fmt: skip
def test_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line, phone=phone) == (out, err, status)


def test_a_declared_service_starts_without_its_code(phone: Phone) -> None:
    document = apks.manifest(services=[apks.component("service", ".Sync", exported=True)])
    assert install_apk(phone.packages, apks.apk(document)).ok
    package = "org.example.small"
    started = on_phone(f"am start-foreground-service -n {package}/.Sync", phone=phone)
    assert started == (f"Starting service: Intent {{ cmp={package}/.Sync }}\n", "", 0)
    assert (
        f"ServiceRecord{{0000001 u0 {package}/{package}.Sync}}"
        in on_phone("dumpsys activity services", phone=phone)[0]
    )
    assert "not simulated" in on_phone("logcat -d -s garabench", phone=phone)[0]
    assert on_phone(f"am stopservice -n {package}/.Sync", phone=phone)[1:] == ("Service stopped\n", 0)
