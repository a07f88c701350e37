from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.console import ConsoleSession
from garabench.virtual.emulator_snapshots import EmulatorSnapshots
from garabench.virtual.phone_backend import PhoneBackend


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(Profile.parse("android-34:720x1280"), apps=(), strict=True)


def open_session(phone: Phone, killed: list[str] | None = None) -> ConsoleSession:
    log = [] if killed is None else killed
    session = ConsoleSession(
        phone, EmulatorSnapshots(PhoneBackend(phone)), "mine", lambda: log.append("killed")
    )
    assert session.greeting.endswith(b"OK\r\n")
    return session


@pytest.mark.parametrize("first", ["", "auth 0123456789\n"])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ping", "I am alive!\r\nOK\r\n"),
        ("avd name", "mine\r\nOK\r\n"),
        ("avd status", "virtual device is running\r\nOK\r\n"),
        ("power ac off", "OK\r\n"),
        ("rotate", "OK\r\n"),
        ("power capacity 101", "KO: try 'power display', 'power capacity <0-100>' or 'power ac on|off'\r\n"),
        ("sensor get x", "KO: unknown command, try 'help'\r\n"),
        ("quit", ""),
    ],
)
def test_answers_follow_the_second_ok(phone: Phone, first: str, line: str, expected: str) -> None:
    unsplit = open_session(phone)
    answer = unsplit.greeting + unsplit.receive(f"{first}{line}\r\n".encode())
    assert answer.decode().split("OK\r\n", 2)[2] == expected


def test_power_commands_set_the_battery(phone: Phone) -> None:
    session = open_session(phone)
    session.receive(b"power capacity 7\npower ac off\n")
    assert (phone.battery.level, phone.battery.plugged) == (7, False)
    shown = session.receive(b"power display\n").decode()
    assert "capacity: 7\r\n" in shown
    assert "AC: offline\r\n" in shown


def test_rotate_turns_by_90_degrees(phone: Phone) -> None:
    phone.settings.put("system", "user_rotation", "0")
    phone.settings.put("system", "accelerometer_rotation", "1")
    session = open_session(phone)
    assert phone.display.rotation == 0
    session.receive(b"rotate\n")
    assert phone.display.rotation == 1
    session.receive(b"rotate\nrotate\nrotate\n")
    assert phone.display.rotation == 0


def test_kill_ends_the_phone_and_the_session(phone: Phone) -> None:
    killed: list[str] = []
    session = open_session(phone, killed)
    assert session.receive(b"kill\nping\n").endswith(b"OK: killing emulator, bye bye\r\n")
    assert killed == ["killed"]
    assert session.closed


def answer(session: ConsoleSession, line: str) -> str:
    return session.receive(f"{line}\n".encode()).decode().removeprefix("Android Console: type 'help'")


def test_snapshots_of_the_running_phone(phone: Phone) -> None:
    session = open_session(phone)
    session.receive(b"auth x\n")
    assert answer(session, "avd snapshot list") == "There is no snapshot available.\r\nOK\r\n"
    phone.battery.level = 50
    assert answer(session, "avd snapshot save before it") == "OK\r\n"
    phone.battery.level = 10
    header, columns, row, ok = answer(session, "avd snapshot list").splitlines()
    assert header == "List of snapshots present on all disks:"
    assert columns.split() == ["ID", "TAG", "VM", "SIZE", "DATE", "VM", "CLOCK"]
    assert row.split()[:4] == ["--", "before", "it", "0B"]
    assert ok == "OK"
    assert answer(session, "avd snapshot load before it") == "OK\r\n"
    assert phone.battery.level == 50
    assert answer(session, "avd snapshot del before it") == "OK\r\n"
    missing = "KO: Device 'cache' does not have the requested snapshot 'before it'\r\n"
    assert answer(session, "avd snapshot load before it") == missing
    assert answer(session, "avd snapshot delete before it") == missing


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("avd snapshot save", "KO: Argument missing, try 'avd snapshot save <name>'\r\n"),
        ("avd snapshot load", "KO: Argument missing, try 'avd snapshot load <name>'\r\n"),
        ("avd snapshot", "KO: bad sub-command\r\n"),
        ("avd snapshot remap 1", "KO: bad sub-command\r\n"),
    ],
)
def test_wrong_snapshot_commands_are_refused(phone: Phone, line: str, expected: str) -> None:
    session = open_session(phone)
    session.receive(b"auth x\n")
    assert answer(session, line) == expected


def test_what_cannot_be_saved_is_refused(phone: Phone) -> None:
    session = open_session(phone)
    session.receive(b"auth x\n")
    phone.battery.level = itertools.count()  # type: ignore[assignment]
    try:
        refused = answer(session, "avd snapshot save x")
    finally:
        phone.battery.reset()
    assert refused == "KO: the phone cannot be saved now: the state of itertools.count is hidden\r\n"


def test_help_lists_every_command(phone: Phone) -> None:
    shown = open_session(phone).receive(b"help\n").decode()
    for word in ("ping", "avd name", "power", "rotate", "kill", "quit", "avd snapshot"):
        assert word in shown


@given(data=st.binary(max_size=200), cut=st.integers(1, 9))
def test_chunking_makes_no_difference(phone: Phone, data: bytes, cut: int) -> None:
    parts, unsplit = open_session(phone), open_session(phone)
    pieces = b"".join(parts.receive(data[at : at + cut]) for at in range(0, len(data), cut))
    assert pieces == unsplit.receive(data)


def test_an_endless_line_ends_the_session(phone: Phone) -> None:
    session = open_session(phone)
    session.receive(b"x" * 5000)
    assert session.closed
