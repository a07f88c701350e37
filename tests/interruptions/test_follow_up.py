"""Which devices' Wi-Fi is left alone, since they are reached by it."""

from __future__ import annotations

import pytest

from garabench.interruptions.follow_up import over_network


@pytest.mark.parametrize(
    ("serial", "expected"),
    [
        ("192.168.1.7:5555", True),
        ("phone.local:5555", True),
        ("[fe80::1]:5555", True),
        ("adb-R58M12ABCDE-x7Yz._adb-tls-connect._tcp", True),
        ("R58M12ABCDE", False),
        ("emulator-5554", False),
        ("127.0.0.1:41233", False),
        ("localhost:5555", False),
        ("[::1]:5555", False),
    ],
)
def test_devices_connected_over_the_network(serial: str, expected: bool) -> None:
    assert over_network(serial) is expected
