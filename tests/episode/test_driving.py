"""Whose fault a broken connection is, by what is known of the device and its adb server afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from garabench.episode import driving
from garabench.episode.driving import Drive
from garabench.errors import AgentError, AgentFault, DeviceError, DeviceLost, DeviceUnreachable, GaraError

BROKEN = DeviceLost("the connection broke while reading the screen")


@dataclass
class World:
    """What has happened, as `garabench.device.recovery` would tell; `done` is what was done about it."""

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
                    raise DeviceUnreachable("no adb server could be reached")
                return world.listed

        class Watch:
            ended = world.ended

            def __init__(self, adb: Adb) -> None:
                pass

            def close(self) -> None:
                world.done.append("closed")

        def bring_back(adb: Adb, seconds: float) -> bool:
            world.done.append("brought back")
            return world.back

        def restarted(adb: Adb) -> bool:
            if isinstance(world.restarted, DeviceError):
                raise world.restarted
            return world.restarted

        monkeypatch.setattr(driving, "ServerWatch", Watch)
        monkeypatch.setattr(driving, "bring_back", bring_back)
        monkeypatch.setattr(driving, "restarted_on_request", restarted)
        monkeypatch.setattr(driving, "leave_mark", lambda adb: world.done.append("marked"))
        drive = Drive(Adb(), "mine", alone=lambda: world.alone)  # type: ignore[arg-type]
        found = drive.judge(BROKEN, lambda: world.done.append("agent ended"))
        drive.close()
        return found


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (World(ended=True, listed=None), "mine ended the adb server; the device itself is well"),
        (World(ended=True, serial="R58M"), "mine ended the adb server; the device itself is well"),
        (World(ended=True, listed="no server"), "mine ended the adb server; the device itself is well"),
        (World(listed=None), "mine had the adb server forget the device; the device itself is well"),
        (World(restarted=True, listed="offline"), "mine had the device restart"),
        (World(restarted=True, alone=False), "mine had the device restart"),  # each has its own device
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
        World(restarted=DeviceLost("gone again"), ended=True),
    ],
)
def test_all_else_stays_the_devices_fault(monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    assert world.judge(monkeypatch) is BROKEN


@pytest.mark.parametrize(
    ("world", "said"),
    [
        (World(ended=True, alone=False), "the adb server ended while several agents drove devices"),
        (World(listed=None, alone=False), "the adb server was told to forget the device while several"),
    ],
)
def test_of_several_none_is_accused(monkeypatch: pytest.MonkeyPatch, world: World, said: str) -> None:
    found = world.judge(monkeypatch)
    assert isinstance(found, DeviceLost)
    assert str(found).startswith(said)
    assert str(found).endswith("which of them did it is not known")
