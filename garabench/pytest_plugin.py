"""The pytest plugin: fixtures for a virtual phone and a fake model server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from garabench.testing.behaviour import Behaviour
    from garabench.testing.server import FakeModelServer
    from garabench.virtual.phone_process import VirtualPhone


@pytest.fixture(scope="session")
def virtual_phone() -> Iterator[VirtualPhone]:
    """Return a running virtual phone (android-34) that is connected to the adb server; see `.serial`."""
    from garabench.virtual.phone_process import VirtualPhone

    with VirtualPhone() as phone:
        yield phone


@pytest.fixture
def fake_model_server() -> Iterator[Callable[..., FakeModelServer]]:
    """Return a function that starts fake model servers, which are stopped after the test.

    Call it with replies, or with one behaviour, and with the options of `FakeModelServer`::

        def test_it(fake_model_server):
            server = fake_model_server("Action: press_back()", faults=["429=0.1@1"])
    """
    from garabench.testing.behaviour import ScriptedReplies
    from garabench.testing.server import FakeModelServer

    with contextlib.ExitStack() as stack:

        def start(*replies: Any, **options: Any) -> FakeModelServer:
            behaviour: Behaviour = replies[0] if hasattr(replies[0], "answer") else ScriptedReplies(replies)
            return stack.enter_context(FakeModelServer(behaviour, **options))

        yield start
