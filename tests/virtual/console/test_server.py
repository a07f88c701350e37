from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.console.command_tree import ConsoleCommands
from garabench.virtual.console.port_redirects import PortRedirects
from garabench.virtual.console.server import ConsoleSession
from garabench.virtual.emulator_snapshots import EmulatorSnapshots
from garabench.virtual.phone_backend import PhoneBackend
from tests.virtual.android.toys import PKG, main_of, start, tap, toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(Profile.parse("android-34:720x1280"), apps=(), strict=True)


def open_session(phone: Phone, killed: list[str] | None = None) -> ConsoleSession:
    log = [] if killed is None else killed
    backend = PhoneBackend(phone)
    commands = ConsoleCommands(phone, EmulatorSnapshots(backend), PortRedirects(backend), "mine")
    session = ConsoleSession(commands, lambda: log.append("killed"))
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
        ("power capacity 101", 'KO: Usage: "capacity <percentage>"\r\n'),
        ("fly", "KO: unknown command, try 'help'\r\n"),
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
        ("avd snapshot del", "KO: Argument missing, try 'avd snapshot del <name>'\r\n"),
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
    for word in (
        "ping",
        "avd",
        "power",
        "rotate",
        "kill",
        "quit",
        "geo",
        "sensor",
        "finger",
        "event",
        "redir",
    ):
        assert f"    {word}" in shown
    assert len(shown) < 1024  # Android Studio's limit, by the comment in console.cpp


CONSOLE = [
    ("avd", "missing sub-command"),
    ("avd fly", " bad sub-command"),
    ("avd id", "mine\r\nOK"),
    ("help fly", "unknown command"),
    ("help sensor get", "get sensor values\r\nOK"),
    ("help-verbose", "geo              Geo-location commands"),
    ("geo fix 1", "KO: not enough arguments: see 'help geo fix' for details"),
    ("geo fix x 1", "KO: argument 'x' is not a number"),
    ("geo fix nan 1", "KO: argument 'nan' is not a number"),
    ("geo fix 181 1", "KO: invalid longitude value. Should be in [-180,+180] range"),
    ("geo fix 1 -91", "KO: invalid latitude value. Should be in [-90,+90] range"),
    ("geo fix 1 1 1 13", "KO: invalid number of satellites. Must be an integer between 1 and 12"),
    ("geo nmea", "KO: NMEA sentence missing, try 'help geo nmea'"),
    ("sensor status", "acceleration: enabled.\r\n"),
    ("sensor get", 'KO: Usage: "get <sensorname>"'),
    ("sensor get x", "KO: unknown sensor name: x, run 'sensor status' to get available sensors."),
    ("sensor set light", 'KO: Usage: "set <sensorname> <value-a>[:<value-b>[:<value-c>]]"'),
    ("sensor set light x", 'KO: Usage: "set <sensorname> <value-a>[:<value-b>[:<value-c>]]"'),
    ("sensor set x 1", "KO: unknown sensor name: x"),
    ("sensor get proximity", "proximity = 1:0:0\r\nOK"),
    ("finger touch", "KO: missing fingerid"),
    ("finger touch x", "KO: invalid fingerid"),
    ("finger touch 1", "OK"),
    ("finger remove", "OK"),
    ("event text", "KO: argument missing, try 'event text <message>'"),
    ("event text a\\q", "KO: badly formatted text"),
    ("event text a\\ud800", "KO: badly formatted text"),
    ("event types", "    EV_KEY    ("),
    ("event codes EV_SYN", "    SYN_REPORT"),
    ("event codes x", "KO: bad argument, see 'event types' for valid values"),
    ("event send EV_X:1:1", "KO: invalid event type in 'EV_X:1:1', try 'event list types' for valid values"),
    ("event send EV_KEY:X:1", "KO: invalid event code in 'EV_KEY:X:1'"),
    ("event send EV_KEY:KEY_HOME:x", "KO: invalid event value in 'EV_KEY:KEY_HOME:x', must be an integer"),
    ("event mouse 1 2 0", "KO: Invalid arguments. Make sure you provide 4 integers."),
    ("power ac maybe", 'KO: Usage: "ac on" or "ac off"'),
    ("power status x", 'KO: Usage: "status unknown|charging|discharging|not-charging|full"'),
    ("power health x", 'KO: Usage: "health unknown|good|overheat|dead|overvoltage|failure"'),
    ("power present x", 'KO: Usage: "present true" or "present false"'),
    ("redir list", "no active redirections\r\nOK"),
    ("redir add tcp:5000", "KO: bad redirection format, try (tcp|udp):hostport:guestport"),
    ("redir add tcp:0:1", "KO: bad redirection format"),
    ("redir del tcp:5000", "KO: can't remove unknown redirection (tcp:5000)"),
    ("redir del sctp:1", "KO: bad redirection format, try (tcp|udp):hostport"),
    ("gsm call abc", "KO: bad phone number format, use digits, # and + only"),
    ("gsm cancel 5", "KO: could not cancel this number"),
    ("sms send 5", "KO: missing argument, try 'sms send <phonenumber> <text message>'"),
    ("gsm accept 5", "KO: could not accept this number"),
    ("gsm accept", "KO: missing argument, try 'gsm accept <phonenumber>'"),
    ("gsm status", "gsm voice state: home\r\ngsm data state:  "),
    ("gsm data x", "KO: bad GSM data state name, try 'help gsm data' for list of valid values"),
    ("gsm call 5\ngsm accept 5\ngsm list", "inbound from 5          : active"),
    ("gsm hold 5\ngsm list", "inbound from 5          : held"),
    ("gsm hold 6", "KO: could put this call on hold"),
    ("gsm busy 5", "KO: no current outbound call to number '5'"),
    ("gsm signal", "KO: not enough arguments: see 'help gsm signal' for details"),
    ("gsm signal 40", "KO: invalid RSSI - must be 0..31 or 99"),
    ("gsm voice searching\ngsm status", "gsm voice state: searching\r\n"),
    ("network speed umts\nnetwork delay edge\nnetwork status", "maximum latency:  400 ms"),
    ("network speed 100:200\nnetwork status", "download speed:     200000 bits/s (24.4 KB/s)"),
    ("network delay 40:60\nnetwork status", "minimum latency:  40 ms\r\n  maximum latency:  60 ms"),
    ("network speed x", "KO: invalid <speed> argument, see 'help network speed' for valid values"),
    ("network delay x", "KO: invalid <delay> argument, see 'help network delay' for valid values"),
    ("GET / HTTP/1.1", "KO: Forbidden HTTP request. Aborting"),
]


def test_answers_are_those_of_the_emulator(phone: Phone) -> None:
    """AOSP ``external/qemu/android/android-emu/android/console.cpp``."""
    wrong = {}
    for line, expected in CONSOLE:
        session = open_session(phone)
        session.receive(b"auth x\n")
        if expected not in (shown := session.receive(f"{line}\n".encode()).decode()):
            wrong[line] = shown
    assert not wrong


@pytest.fixture
def session(phone: Phone) -> Iterator[ConsoleSession]:
    phone.reset()
    opened = open_session(phone)
    opened.receive(b"auth x\n")
    yield opened
    phone.reset()


def test_geo_fix_sets_the_position_longitude_first(phone: Phone, session: ConsoleSession) -> None:
    assert answer(session, "geo fix 121.496 31.2722 12.5 7") == "OK\r\n"
    fix = phone.sensors.fix
    assert fix is not None
    assert (fix.latitude, fix.longitude, fix.altitude, fix.satellites) == (31.2722, 121.496, 12.5, 7)
    answer(session, "geo nmea $GPGGA,001431.092,0118.2653,N,10351.1359,W,0,00,,-19.6,M,4.1,M,,0000*5B")
    fix = phone.sensors.fix
    assert fix is not None
    assert (round(fix.latitude, 5), round(fix.longitude, 5)) == (1.30442, -103.85226)
    answer(session, "geo nmea $GPXXX,1")  # other sentences are ignored
    assert phone.sensors.fix is fix


def test_the_acceleration_turns_a_screen_that_rotates_by_itself(
    phone: Phone, session: ConsoleSession
) -> None:
    """AOSP ``WindowOrientationListener``: by gravity, not when flat, and never upside down on a phone."""
    phone.settings.put("system", "accelerometer_rotation", "1")
    turns = {}
    for reading in ("9.8:0:0", "0:0:9.8", "0:-9.8:0", "-9.8:0:0", "0:9.8:0"):
        assert answer(session, f"sensor set acceleration {reading}") == "OK\r\n"
        turns[reading] = phone.display.rotation
    assert turns == {"9.8:0:0": 1, "0:0:9.8": 1, "0:-9.8:0": 1, "-9.8:0:0": 3, "0:9.8:0": 0}
    phone.settings.put("system", "accelerometer_rotation", "0")
    answer(session, "sensor set acceleration 9.8:0:0")
    assert phone.display.rotation == 0
    answer(session, "sensor set acceleration :1")
    assert answer(session, "sensor get acceleration") == "acceleration = 9.8:1:0\r\nOK\r\n"


def test_power_sets_what_dumpsys_battery_prints(phone: Phone, session: ConsoleSession) -> None:
    for line in ("power status full", "power health overheat", "power present false"):
        assert answer(session, line) == "OK\r\n"
    shown = answer(session, "power display")
    assert (
        shown == "AC: online\r\nstatus: Full\r\nhealth: Overheat\r\npresent: false\r\ncapacity: 85\r\nOK\r\n"
    )
    printed = on_phone("dumpsys battery", phone=phone)[0]
    for line in ("status: 5", "health: 3", "present: false"):
        assert f"  {line}\n" in printed
    answer(session, "power ac off")
    assert "status: Discharging" in answer(session, "power display")


def test_events_reach_the_input_devices(phone: Phone, session: ConsoleSession) -> None:
    seen: list[tuple[int, int, int]] = []
    stop = phone.input_devices.subscribe(lambda event: seen.append((event.type, event.code, event.value)))
    assert answer(session, "event send EV_KEY:KEY_HOME:1 EV_KEY:102:0") == "OK\r\n"
    answer(session, "event mouse 10 20 0 1")
    answer(session, "event mouse 10 20 0 0")
    stop()
    assert seen[:2] == [(1, 102, 1), (1, 102, 0)]
    assert (3, 0x35, 10) in seen
    assert (3, 0x36, 20) in seen
    assert [each[2] for each in seen if each[:2] == (1, 0x14A)] == [1, 0]


def test_text_is_typed_into_the_focused_field_without_characters_that_have_no_key() -> None:
    device = Phone(Profile.parse("android-34"), apps=toys(), lang="en", strict=True)
    start(device)
    tap(device, resource_id=f"{PKG}:id/name")
    device.ime.clear()
    session = open_session(device)
    session.receive("event text one\\x20tw\\u006f\u4e00!\n".encode())
    assert main_of(device).name == "one two!"


@given(data=st.binary(max_size=200), cut=st.integers(1, 9))
def test_chunking_makes_no_difference(phone: Phone, data: bytes, cut: int) -> None:
    parts, unsplit = open_session(phone), open_session(phone)
    pieces = b"".join(parts.receive(data[at : at + cut]) for at in range(0, len(data), cut))
    assert pieces == unsplit.receive(data)


def test_an_endless_line_ends_the_session(phone: Phone) -> None:
    session = open_session(phone)
    session.receive(b"x" * 5000)
    assert session.closed


def test_telephony_knows_calls_on_hold_and_the_registration() -> None:
    """``gsm hold``, ``busy``, ``voice`` and ``signal`` as ``TelephonyRegistry`` sees them."""
    device = Phone(Profile.parse("android-34"), apps=())
    device.network.calls.dial("6")
    session = open_session(device)
    for line in ("gsm call 5", "gsm hold 5", "gsm voice denied", "gsm signal 5"):
        answer(session, line)
    out = on_phone("dumpsys telephony.registry", phone=device)[0]
    assert "mBackgroundCallState=2\n" in out
    assert "mForegroundCallState=3\n" in out
    assert "mVoiceRegState=1(OUT_OF_SERVICE), mDataRegState=0(IN_SERVICE)" in out
    assert "rssi=-103 " in out
    assert "level=2}" in out
    answer(session, "gsm busy 6")
    assert "mForegroundCallState=0\n" in on_phone("dumpsys telephony.registry", phone=device)[0]
