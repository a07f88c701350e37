"""Commands for the network, with and without a connection.

Sources: toybox ``ifconfig.c``, iputils' ``ping`` (AOSP ``external/iputils``), iproute2's ``ip`` (AOSP
``external/iproute2``), AOSP ``cmds/svc`` (``svc wifi``, ``svc data``), ``toolbox/ifconfig.c`` of Android 4.4.
"""

from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.cases import every_case
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

OFFLINE = "svc wifi disable; svc data disable; "


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@every_case(
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


def test_ping_sends_one_packet_per_second(phone: Phone) -> None:
    before = phone.clock.now_ms()
    on_phone("ping -c 4 example.com", phone=phone)
    assert phone.clock.now_ms() - before == 3000


def test_android_4_4_prints_addresses_on_one_line() -> None:
    line = "wlan0: ip 192.168.1.23 mask 255.255.255.0 flags [up broadcast running multicast]\n"
    assert on_phone("ifconfig wlan0", profile="android-19")[0] == line
    off = "wlan0: ip 0.0.0.0 mask 255.255.255.0 flags [broadcast multicast]\n"
    assert on_phone("svc wifi disable; ifconfig wlan0", profile="android-19")[0] == off
