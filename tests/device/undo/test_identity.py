"""Which device it is, by what it says of itself; and taking it, whatever its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from garabench.device.adb import Adb, ShellResult
from garabench.device.undo.identity import MARK, claim, identify
from garabench.device.undo.lease import leased
from garabench.errors import CommandError, DeviceBusyError


@dataclass
class Phone:
    """What answers as a device does."""

    number: str = "R5CT1"
    boot_number: str = "R5CT1"
    android_id: str = "9774d56d682e549c"
    end: str = "\n"
    mark: str = ""
    asked: list[str] = field(default_factory=list)

    def named(self, serial: str) -> Adb:
        return cast(Adb, Name(serial, self))


@dataclass
class Name:
    serial: str
    phone: Phone

    def shell(self, argv: Sequence[str], *, timeout: float | None = None) -> ShellResult:
        phone = self.phone
        phone.asked.append(argv[0])
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
    return identify(phone.named("x")).device


def test_a_device_is_the_same_under_each_name_and_after_a_restart() -> None:
    phone = Phone()
    before = identify(phone.named("emulator-5554"))
    phone.mark = "abc"
    after = identify(phone.named("localhost:5555"))
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
def test_another_device_is_another_one(other: Phone) -> None:
    assert which(other) != which(Phone())


def test_the_number_of_the_boot_loader_stands_in_for_one_that_is_not_told() -> None:
    assert which(Phone(number="")) == which(Phone())


@pytest.mark.parametrize("said", ["", "cmd: Can't find service: settings", "x" * 65])
def test_one_that_has_not_started_is_not_taken_for_another(said: str) -> None:
    with pytest.raises(CommandError, match="cannot identify x"):
        which(Phone(android_id=said))


def test_a_device_is_taken_under_one_name_only(tmp_path: Path) -> None:
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


def test_copies_of_one_emulator_are_used_side_by_side(tmp_path: Path) -> None:
    first, second = Phone(), Phone()
    with leased("emulator-5554", tmp_path) as held, leased("emulator-5556", tmp_path) as other:
        assert claim(first.named("emulator-5554"), held) == claim(second.named("emulator-5556"), other)


def test_it_takes_two_commands_at_first_and_one_later(tmp_path: Path) -> None:
    phone = Phone()
    with leased("usb", tmp_path) as held:
        claim(phone.named("usb"), held)
        assert phone.asked == ["sh", "setprop"]
        claim(phone.named("usb"), held)
        assert phone.asked == ["sh", "setprop", "sh"]


@pytest.mark.parametrize("mark", ["*", "../../etc/passwd", "x" * 200, "$(reboot)"])
def test_any_mark_that_is_no_lease_s_is_written_over(tmp_path: Path, mark: str) -> None:
    phone = Phone(mark=mark)
    with leased("usb", tmp_path) as held:
        claim(phone.named("usb"), held)
        assert phone.mark == held.mark
