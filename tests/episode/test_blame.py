"""Whose fault a broken connection is, by what is known of the device and its adb server afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from garabench.episode import blame
from garabench.episode.blame import AutonomousSession
from garabench.errors import (
    AgentError,
    AgentFault,
    DeviceError,
    DeviceLostError,
    DeviceUnreachableError,
    GaraError,
)

BROKEN = DeviceLostError("the connection broke while reading the screen")


@dataclass
class World:
    """What has happened, as `garabench.device.reconnect` would tell; `done` is what was done about it."""

    alone: bool = True
    ended: bool = False
    listed: str | None = "device"
    back: bool = True
    restarted: bool | DeviceError = False
    serial: str = "127.0.0.1:5555"

    def __post_init__(self) -> None:
        self.done: list[str] = []

    def judge(self, monkeypatch: pytest.MonkeyPatch) -> GaraError:
        world = self

        class Adb:
            serial = world.serial

            def listed(self) -> str | None:
                if world.listed == "no server":
                    raise DeviceUnreachableError("no adb server could be reached")
                return world.listed

        class Watch:
            ended = world.ended

            def __init__(self, adb: Adb) -> None:
                pass

            def close(self) -> None:
                world.done.append("closed")

        def reconnect(adb: Adb, seconds: float) -> bool:
            world.done.append("brought back")
            return world.back

        def restarted(adb: Adb) -> bool:
            if isinstance(world.restarted, DeviceError):
                raise world.restarted
            return world.restarted

        monkeypatch.setattr(blame, "ServerWatch", Watch)
        monkeypatch.setattr(blame, "reconnect", reconnect)
        monkeypatch.setattr(blame, "restarted_on_request", restarted)
        monkeypatch.setattr(blame, "set_boot_mark", lambda adb: world.done.append("marked"))
        session = AutonomousSession(Adb(), "mine", alone=lambda: world.alone)  # type: ignore[arg-type]
        found = session.judge(BROKEN, lambda: world.done.append("agent ended"))
        session.close()
        return found


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (World(ended=True, listed=None), "mine killed the adb server; the device itself works"),
        (World(ended=True, serial="R58M"), "mine killed the adb server; the device itself works"),
        (World(ended=True, listed="no server"), "mine killed the adb server; the device itself works"),
        (World(listed=None), "mine disconnected the device from the adb server; the device itself works"),
        (World(restarted=True, listed="offline"), "mine restarted the device"),
        (World(restarted=True, alone=False), "mine restarted the device"),  # each has its own device
    ],
)
def test_what_only_the_agent_can_have_done_is_its_failure(
    monkeypatch: pytest.MonkeyPatch, world: World, said: str
) -> None:
    found = world.judge(monkeypatch)
    assert isinstance(found, AgentError)
    assert (found.kind, str(found)) == (AgentFault.FAILED, said)
    assert world.done == ["marked", "agent ended", "brought back", "closed"]


@pytest.mark.parametrize(
    "world",
    [
        World(),  # a call that took too long
        World(listed="offline"),
        World(listed=None, serial="R58M"),  # a cable
        World(ended=True, back=False),
        World(listed=None, back=False),
        World(restarted=DeviceLostError("gone again"), ended=True),
    ],
)
def test_all_else_stays_the_devices_fault(monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    assert world.judge(monkeypatch) is BROKEN


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (World(ended=True, alone=False), "the adb server ended while several agents drove devices"),
        (World(listed=None, alone=False), "the adb server disconnected the device while several"),
    ],
)
def test_of_several_none_is_accused(monkeypatch: pytest.MonkeyPatch, world: World, said: str) -> None:
    found = world.judge(monkeypatch)
    assert isinstance(found, DeviceLostError)
    assert str(found).startswith(said)
    assert str(found).endswith("it is unknown which of them caused it")
