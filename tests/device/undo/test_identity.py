"""Identify a device by its properties, and claim it under any of its serials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from garabench.device.adb import Adb, ShellResult
from garabench.device.undo.identity import MARK, claim, identify_device
from garabench.device.undo.lease import leased
from garabench.errors import CommandError, DeviceBusyError


@dataclass
class Phone:
    """A fake device."""

    number: str = "R5CT1"
    boot_number: str = "R5CT1"
    android_id: str = "9774d56d682e549c"
    end: str = "\n"
    mark: str = ""
    calls: list[str] = field(default_factory=list)

    def named(self, serial: str) -> Adb:
        return cast(Adb, Name(serial, self))


@dataclass
class Name:
    serial: str
    phone: Phone

    def shell(self, argv: Sequence[str], *, timeout: float | None = None) -> ShellResult:
        phone = self.phone
        phone.calls.append(argv[0])
        if argv[0] == "setprop":
            assert argv[1] == MARK
            phone.mark = argv[2]
            return ShellResult(tuple(argv), 0, "")
        lines = (
            "WARNING: linker: libdvm.so has text relocations.",  # as Android 4.4 may begin
            f"serialno={phone.number}",
            f"bootserial={phone.boot_number}",
            f"mark={phone.mark}",
            f"id={phone.android_id}",
        )
        return ShellResult(tuple(argv), 0, "".join(line + phone.end for line in lines))


def which(phone: Phone) -> str:
    return identify_device(phone.named("x")).device


def test_identity_is_the_same_under_each_serial_and_after_a_restart() -> None:
    phone = Phone()
    before = identify_device(phone.named("emulator-5554"))
    phone.mark = "abc"
    after = identify_device(phone.named("localhost:5555"))
    assert after.device == before.device
    assert (before.mark, after.mark) == ("", "abc")
    assert which(Phone(end="\r\n")) == before.device


@pytest.mark.parametrize(
    "other",
    [
        Phone(android_id="1774d56d682e549c"),  # another emulator of the same version
        Phone(android_id="null"),
        Phone(number="R5CT2"),
        Phone(number="", boot_number="R5CT2"),
    ],
)
def test_other_devices_have_other_identities(other: Phone) -> None:
    assert which(other) != which(Phone())


def test_boot_serial_number_is_the_fallback() -> None:
    assert which(Phone(number="")) == which(Phone())


@pytest.mark.parametrize("android_id", ["", "cmd: Can't find service: settings", "x" * 65])
def test_device_without_android_id_is_not_identified(android_id: str) -> None:
    with pytest.raises(CommandError, match="cannot identify x"):
        which(Phone(android_id=android_id))


def test_device_is_claimed_under_one_serial_only(tmp_path: Path) -> None:
    phone = Phone()
    with leased("usb", tmp_path) as held, leased("wi-fi", tmp_path) as other:
        assert claim(phone.named("usb"), held) == which(phone)
        assert phone.mark == held.mark
        with pytest.raises(DeviceBusyError, match=r"^wi-fi is in use by another run"):
            claim(phone.named("wi-fi"), other)
        assert phone.mark == held.mark
        claim(phone.named("usb"), held)
        phone.mark = ""  # it has restarted
        claim(phone.named("usb"), held)
        assert phone.mark == held.mark
    with leased("wi-fi", tmp_path) as other:
        claim(phone.named("wi-fi"), other)
        assert phone.mark == other.mark


def test_copies_of_an_emulator_can_be_used_in_parallel(tmp_path: Path) -> None:
    first, second = Phone(), Phone()
    with leased("emulator-5554", tmp_path) as held, leased("emulator-5556", tmp_path) as other:
        assert claim(first.named("emulator-5554"), held) == claim(second.named("emulator-5556"), other)


def test_claim_needs_two_commands_at_first_and_one_later(tmp_path: Path) -> None:
    phone = Phone()
    with leased("usb", tmp_path) as held:
        claim(phone.named("usb"), held)
        assert phone.calls == ["sh", "setprop"]
        claim(phone.named("usb"), held)
        assert phone.calls == ["sh", "setprop", "sh"]


@pytest.mark.parametrize("mark", ["*", "../../etc/passwd", "x" * 200, "$(reboot)"])
def test_mark_without_a_lease_is_overwritten(tmp_path: Path, mark: str) -> None:
    phone = Phone(mark=mark)
    with leased("usb", tmp_path) as held:
        claim(phone.named("usb"), held)
        assert phone.mark == held.mark
