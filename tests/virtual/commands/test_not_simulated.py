"""What has no code behind it says so: the answers are Android's for a missing class, and the log has a line.

Sources: AOSP ``app_main.cpp`` (``could not find class``), ``Instrument.java`` (``INSTRUMENTATION_RESULT``),
mksh's ``exec.c`` (``not executable``).
"""

from __future__ import annotations

import asyncio

import pytest

from garabench.virtual.android.installer import install_apk
from garabench.virtual.android.phone import Phone
from garabench.virtual.phone_backend import PhoneBackend
from garabench.virtual.shell.streams import empty_input
from tests.virtual.android import toys
from tests.virtual.android.apks import Tag, apk
from tests.virtual.shell.harness import on_phone

SCRCPY = "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.0"


def said(phone: Phone) -> list[str]:
    return [entry.message for entry in phone.logcat.read() if entry.tag == "garabench"]


def run(phone: Phone, line: str) -> tuple[str, int]:
    out = bytearray()

    async def write(data: bytes) -> None:
        out.extend(data)

    shell = PhoneBackend(phone).shell(line, empty_input(), write, write, pty=False)
    status = asyncio.run(shell)
    return out.decode(), status


@pytest.mark.parametrize(
    ("line", "shown", "status", "note"),
    [
        (SCRCPY, "Aborted \n", 134, "app_process com.genymobile.scrcpy.Server"),
        ("/data/local/tmp/minicap -i", "not executable: 64-bit ELF file\n", 126, "/data/local/tmp/minicap"),
    ],
)
def test_foreign_programs(line: str, shown: str, status: int, note: str) -> None:
    phone = toys.phone()
    phone.files.write("/data/local/tmp/minicap", b"\x7fELF\x02\x01\x01", mode=0o755)
    out, code = run(phone, line)
    assert out.endswith(shown)
    assert code == status
    assert said(phone) == [f"{note}: not simulated, its code does not run here"]


def test_the_missing_class_is_in_the_log() -> None:
    phone = toys.phone()
    run(phone, SCRCPY)
    errors = [entry.message for entry in phone.logcat.read() if entry.level == "E"]
    assert errors[0] == "ERROR: could not find class 'com.genymobile.scrcpy.Server'"
    assert '[zip file "/data/local/tmp/scrcpy-server.jar"]' in errors[1]
    assert (run(phone, "app_process"))[0].startswith("Error: no class name or --zygote supplied.\n")


def test_an_installed_instrumentation_is_listed_and_has_no_class() -> None:
    phone = toys.phone()
    root: dict[str, str | int | bool] = {"package": "org.example.test", "versionCode": 1, "versionName": "1"}
    runner: Tag = ("instrumentation", {"name": ".Runner", "targetPackage": "toy.app"}, [])
    sdk: Tag = ("uses-sdk", {"targetSdkVersion": 34}, [])
    data = apk(("manifest", root, [sdk, runner, ("application", {"label": "x"}, [])]))
    assert install_apk(phone.packages, data).ok
    listed = "instrumentation:org.example.test/.Runner (target=toy.app)\n"
    assert on_phone("pm list instrumentation", phone=phone) == (listed, "", 0)
    assert on_phone("pm list instrumentation toy.other", phone=phone) == ("", "", 0)
    out, err, status = on_phone("am instrument -w -r org.example.test/.Runner", phone=phone)
    assert out.startswith(
        "INSTRUMENTATION_RESULT: shortMsg=java.lang.ClassNotFoundException\n"
        "INSTRUMENTATION_RESULT: longMsg=java.lang.ClassNotFoundException: "
        'Didn\'t find class "org.example.test.Runner" on path: '
    )
    assert out.endswith("INSTRUMENTATION_CODE: 0\n")
    assert (err, status) == ("", 0)
    assert said(phone) == [
        "am instrument org.example.test/.Runner: not simulated, its code does not run here"
    ]


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("am broadcast -n org.example.small/.Receiver", "receiver org.example.small/"),
        ("pm art dump", "cmd package art"),
        ("am no-such-verb", "cmd activity no-such-verb"),
    ],
)
def test_receivers_and_unknown_verbs_leave_a_line(line: str, note: str) -> None:
    phone = toys.phone()
    assert install_apk(phone.packages, apk()).ok
    on_phone(line, phone=phone)
    assert [each.startswith(note) for each in said(phone)] == [True]
