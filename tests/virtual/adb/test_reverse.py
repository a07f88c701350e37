"""Reversed ports, as in AOSP ``adb_listeners.cpp`` and ``reverse_service``."""

from __future__ import annotations

import pytest

from garabench.virtual.adb.duplex import Duplex
from garabench.virtual.adb.reverse import ReverseForwards


async def refuse(service: str) -> Duplex | None:
    return None


def test_listeners_belong_to_the_connection_that_created_them() -> None:
    reverses, one, two = ReverseForwards(), object(), object()
    assert reverses.request(one, "forward:tcp:9000;tcp:8000", refuse) == b"OKAY"
    assert reverses.request(one, "list-forward", refuse) == b"0019host-0 tcp:9000 tcp:8000\n"
    assert reverses.request(two, "list-forward", refuse) == b"0000"
    assert b"cannot rebind" in reverses.request(two, "forward:tcp:9000;tcp:1", refuse)
    assert b"not found" in reverses.request(two, "killforward:tcp:9000", refuse)
    assert reverses.service("tcp:9000") is not None
    reverses.remove_listeners(one)
    assert reverses.service("tcp:9000") is None


def test_port_zero_returns_the_chosen_port() -> None:
    assert ReverseForwards().request(object(), "forward:tcp:0;tcp:8000", refuse) == b"OKAY000540000"


@pytest.mark.parametrize(
    "spec", ["", "forward:", "forward:tcp:x;tcp:1", "forward:tcp:99999;tcp:1", "dance", "forward:tcp:1"]
)
def test_invalid_requests_fail(spec: str) -> None:
    assert ReverseForwards().request(object(), spec, refuse).startswith(b"FAIL")
