"""A broken connection is attributed by the state of the device and of its adb server afterwards."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from garabench.episode import connection_attribution
from garabench.episode.connection_attribution import AutonomousSession
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
class State:
    """State that `garabench.device.reconnect` reports; `done` lists the calls made by the session."""

    alone: bool = True
    ended: bool = False
    listed: str | None = "device"
    reconnects: bool = True
    restarted: bool | DeviceError = False
    serial: str = "127.0.0.1:5555"

    def __post_init__(self) -> None:
        self.done: list[str] = []

    def attribute(self, monkeypatch: pytest.MonkeyPatch) -> GaraError:
        state = self

        class Adb:
            serial = state.serial

            def listed(self) -> str | None:
                if state.listed == "no server":
                    raise DeviceUnreachableError("no adb server could be reached")
                return state.listed

        class Watch:
            ended = state.ended

            def __init__(self, adb: Adb) -> None:
                pass

            def close(self) -> None:
                state.done.append("closed")

        def reconnect(adb: Adb, seconds: float) -> bool:
            state.done.append("reconnected")
            return state.reconnects

        def restarted(adb: Adb) -> bool:
            if isinstance(state.restarted, DeviceError):
                raise state.restarted
            return state.restarted

        monkeypatch.setattr(connection_attribution, "ServerWatch", Watch)
        monkeypatch.setattr(connection_attribution, "reconnect", reconnect)
        monkeypatch.setattr(connection_attribution, "restarted_on_request", restarted)
        monkeypatch.setattr(connection_attribution, "set_boot_mark", lambda adb: state.done.append("marked"))
        session = AutonomousSession(Adb(), "mine", alone=lambda: state.alone)  # type: ignore[arg-type]
        found = session.attribute(BROKEN, lambda: state.done.append("agent stopped"))
        session.close()
        return found


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (State(ended=True, listed=None), "mine killed the adb server; the device itself works"),
        (State(ended=True, serial="R58M"), "mine killed the adb server; the device itself works"),
        (State(ended=True, listed="no server"), "mine killed the adb server; the device itself works"),
        (State(listed=None), "mine disconnected the device from the adb server; the device itself works"),
        (State(restarted=True, listed="offline"), "mine restarted the device"),
        (State(restarted=True, alone=False), "mine restarted the device"),  # each has its own device
    ],
)
def test_agent_is_blamed_for_what_only_it_can_have_done(
    monkeypatch: pytest.MonkeyPatch, state: State, message: str
) -> None:
    found = state.attribute(monkeypatch)
    assert isinstance(found, AgentError)
    assert (found.kind, str(found)) == (AgentFault.FAILED, message)
    assert state.done == ["marked", "agent stopped", "reconnected", "closed"]


@pytest.mark.parametrize(
    "state",
    [
        State(),  # a call that took too long
        State(listed="offline"),
        State(listed=None, serial="R58M"),  # a cable
        State(ended=True, reconnects=False),
        State(listed=None, reconnects=False),
        State(restarted=DeviceLostError("gone again"), ended=True),
    ],
)
def test_everything_else_remains_the_devices_fault(monkeypatch: pytest.MonkeyPatch, state: State) -> None:
    assert state.attribute(monkeypatch) is BROKEN


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (State(ended=True, alone=False), "the adb server ended while several agents drove devices"),
        (State(listed=None, alone=False), "the adb server disconnected the device while several"),
    ],
)
def test_no_agent_is_blamed_if_several_drove_devices(
    monkeypatch: pytest.MonkeyPatch, state: State, message: str
) -> None:
    found = state.attribute(monkeypatch)
    assert isinstance(found, DeviceLostError)
    assert str(found).startswith(message)
    assert str(found).endswith("it is unknown which of them caused it")


@pytest.mark.parametrize("restarted", [True, False])
def test_a_restart_between_two_readings_is_noticed(monkeypatch: pytest.MonkeyPatch, restarted: bool) -> None:
    class Adb:
        serial = "127.0.0.1:5555"

    monkeypatch.setattr(connection_attribution, "ServerWatch", lambda adb: None)
    monkeypatch.setattr(connection_attribution, "set_boot_mark", lambda adb: None)
    monkeypatch.setattr(connection_attribution, "restarted_on_request", lambda adb: restarted)
    session = AutonomousSession(Adb(), "mine", alone=lambda: True)  # type: ignore[arg-type]
    if restarted:
        with pytest.raises(AgentError, match="mine restarted the device"):
            session.check_not_restarted()
    else:
        session.check_not_restarted()
