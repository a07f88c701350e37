from __future__ import annotations

import pytest

from garabench.virtual.os.phone import Phone
from tests.virtual.os import toys
from tests.virtual.shell.harness import on_phone

OFFLINE = "svc wifi disable; svc data disable; "


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


def test_processes_come_and_go(phone: Phone) -> None:
    pid = phone.processes.pidof("toy.app")
    user = f"u0_a{phone.packages.all()[1].uid % 10_000}"
    assert on_phone("pidof toy.app", phone=phone) == (f"{pid}\n", "", 0)
    assert on_phone("ps -A | grep toy.app", phone=phone)[0].split()[:2] == [user, str(pid)]
    assert on_phone("ps -A -o PID,NAME | tail -1", phone=phone)[0] == f"{pid} toy.app\n"
    assert on_phone("ps | grep toy.app", phone=phone)[0] == ""
    assert "toy.app" in on_phone("top -n1 -b", phone=phone)[0]
    on_phone("am force-stop toy.app", phone=phone)
    assert on_phone("ps -A | grep -c toy.app; pidof toy.app", phone=phone) == ("0\n", "", 1)


def test_android_4_4_lists_every_process_in_its_own_form() -> None:
    device = toys.phone("android-19")
    toys.start(device)
    lines = on_phone("ps", phone=device)[0].splitlines()
    assert lines[0] == "USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME"
    assert lines[-1].split()[-1] == "toy.app"
    assert len(on_phone("ps toy.app", phone=device)[0].splitlines()) == 2
    assert len(on_phone("ps -t toy", phone=device)[0].splitlines()) == 3
    assert len(on_phone("ps -A", phone=device)[0].splitlines()) == 1  # it looks for a process of that name


def test_a_reboot_keeps_what_lasts_and_ends_the_rest(phone: Phone) -> None:
    on_phone("settings put system x 1; pm grant toy.app android.permission.CAMERA", phone=phone)
    toys.start(phone, "Detail")
    phone.clipboard.set("of before")
    switched: list[tuple[str, bool]] = []
    phone.faults.watch(lambda name, on: switched.append((name, on)))
    assert on_phone("reboot", phone=phone)[2] == 0
    assert phone.activities.focused_app == "toy.home/.Home"
    assert phone.settings.get("system", "x") == "1"
    assert phone.packages.is_granted("toy.app", "android.permission.CAMERA")
    assert phone.clipboard.get() is None
    assert switched == [("disconnect", True)]
    assert phone.faults.active("disconnect") is None


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("ip route", "192.168.1.0/24 dev wlan0 proto kernel scope link src 192.168.1.23\n", "", 0),
        (OFFLINE + "ip route", "", "", 0),
        ("ip -f inet addr show wlan0 | grep -c 'inet 192.168.1.23/24'", "1\n", "", 0),
        (OFFLINE + "ip addr show wlan0 | grep -c 'inet '", "0\n", "", 1),
        ("ip nope", "", 'Object "nope" is unknown, try "ip help".\n', 1),
        ("ifconfig wlan0 | grep -o 'inet addr:[0-9.]*'", "inet addr:192.168.1.23\n", "", 0),
        ("ifconfig eth7", "", "ifconfig: eth7: No such device\n", 1),
        (
            "ping -c 1 example.com",
            "PING example.com (203.0.113.7) 56(84) bytes of data.\n"
            "64 bytes from 203.0.113.7: icmp_seq=1 ttl=64 time=12.0 ms\n\n"
            "--- example.com ping statistics ---\n"
            "1 packets transmitted, 1 received, 0% packet loss, time 0ms\n"
            "rtt min/avg/max/mdev = 12.000/12.000/12.000/0.000 ms\n",
            "",
            0,
        ),
        (OFFLINE + "ping -c 1 8.8.8.8", "", "connect: Network is unreachable\n", 2),
        (OFFLINE + "ping -c 1 example.com", "", "ping: unknown host example.com\n", 2),
        (OFFLINE + "ping -c 1 localhost | tail -1 | cut -c1-3", "rtt\n", "", 0),
        ("ping -c 0 x", "", "ping: bad number of packets to transmit: 0\n", 2),
        ("ping", "", "Usage: ping [-c count] [-W timeout] destination\n", 2),
    ],
)
def test_the_network(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


def test_a_packet_a_second(phone: Phone) -> None:
    before = phone.clock.now_ms()
    on_phone("ping -c 4 example.com", phone=phone)
    assert phone.clock.now_ms() - before == 3000


def test_android_4_4_prints_addresses_in_a_line() -> None:
    line = "wlan0: ip 192.168.1.23 mask 255.255.255.0 flags [up broadcast running multicast]\n"
    assert on_phone("ifconfig wlan0", profile="android-19")[0] == line
    off = "wlan0: ip 0.0.0.0 mask 255.255.255.0 flags [broadcast multicast]\n"
    assert on_phone("svc wifi disable; ifconfig wlan0", profile="android-19")[0] == off
