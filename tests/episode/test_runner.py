"""What the runner makes of mistakes in code: an agent's, and our own. The device here is a fake."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from garabench.agents.external.autonomous import DeviceHandover, FinalReport
from garabench.agents.interface import Brief, Decision, Turn
from garabench.campaign.planner import make_plan
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import parse_tree
from garabench.core.usage import Usage
from garabench.device.adb import ShellResult
from garabench.device.device import ActionResult
from garabench.device.settle import Settled
from garabench.device.trees import TreeReading
from garabench.device.undo.journal import Journal
from garabench.episode import runner
from garabench.episode.runner import EpisodeStoppedError, run_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import AgentError, AgentFault, AgentStartError, ModelError, RecordError
from garabench.records.event_reader import read_events
from garabench.records.layout import EVENTS, FAULT_LOG
from tests.bundled import bundled_suite
from tests.planned import episodes

SUITE = bundled_suite()
TREE = parse_tree('<hierarchy><node package="com.example" text="a page" bounds="[0,0][9,9]"/></hierarchy>')
READING = TreeReading(TREE, TreeSource.U2)


class FakeInfo:
    model, sdk, size = "fake", 34, Size(720, 1280)


class FakeDevice:
    """A device whose screen never changes; counts what it is asked for."""

    adb: Any = None
    info = FakeInfo()
    journal = Journal.in_memory("fake")
    screen = Size(720, 1280)

    def __init__(self) -> None:
        self.asked: list[str] = []

    def settle(self) -> Settled:
        self.asked.append("settle")
        return Settled(READING, True, 2, 0.1)

    def observe(self, step: int, *, settled: Settled | None, started: float) -> Observation:
        self.asked.append("observe" if settled else "observe anew")
        shot = Screenshot(png=b"png", size=self.screen)
        focus = Focus(package="com.example", activity="com.example.Page")
        return Observation(step, TREE, shot, focus, TreeSource.U2, "", 0.0, self.screen, 0)

    def perform(self, action: act.Action, screen: Size) -> ActionResult:
        self.asked.append("perform")
        return ActionResult()


class Scripted:
    """An agent that raises at the moment of that name."""

    name, reference = "scripted", False

    def __init__(self, moment: str = "", error: Exception | None = None) -> None:
        self.moment, self.error = moment, error
        self.closed = 0

    def _at(self, moment: str) -> None:
        if self.error is not None and moment == self.moment:
            raise self.error

    def start(self, brief: Brief) -> None:
        self._at("start")

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        self._at("decide")
        return Decision(act.Tap(x=1, y=1) if not history else act.GiveUp(reason="enough"))

    def close(self) -> None:
        self.closed += 1
        self._at("close")


@pytest.fixture
def spec(monkeypatch: pytest.MonkeyPatch) -> EpisodeSpec:
    monkeypatch.setattr(runner, "prepare", lambda *_, **__: None)
    (made,) = episodes(
        make_plan(SUITE.select("bili-like-song-live"), ("ignore",), conditions=("clean",)), SUITE
    )
    return dataclasses.replace(made, agent="scripted")


def perform(
    spec: EpisodeSpec, folder: Path, agent: Scripted, device: FakeDevice | None = None
) -> ev.EpisodeEnded:
    used: Any = device or FakeDevice()
    return run_episode(spec, used, agent, folder, SystemClock())


def fault(folder: Path, spec: EpisodeSpec) -> ev.FaultEvent:
    (found,) = [event for event in read_events(folder / spec.folder) if isinstance(event, ev.FaultEvent)]
    return found


@pytest.mark.parametrize(
    ("moment", "ended", "told_as", "doing"),
    [
        ("start", ("error", "fault"), ("model", "AgentStartError"), "start"),  # it has taken no part
        ("decide", ("failure", "agent_failed"), ("agent", "AgentError"), "decide"),
    ],
)
def test_a_mistake_in_an_agents_code_is_its_own_once_it_takes_part(
    spec: EpisodeSpec,
    tmp_path: Path,
    moment: str,
    ended: tuple[str, str],
    told_as: tuple[str, str],
    doing: str,
) -> None:
    agent = Scripted(moment, KeyError("x"))
    end = perform(spec, tmp_path, agent)
    assert ((end.outcome, end.reason), agent.closed) == (ended, 1)
    told = fault(tmp_path, spec)
    assert (told.at_fault, told.error) == told_as
    assert told.message == f"the agent scripted failed to {doing} (KeyError: 'x'); see fault.log"
    assert "KeyError: 'x'" in (tmp_path / spec.folder / FAULT_LOG).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", AgentFault)
def test_an_agent_that_says_how_it_failed_ends_the_episode_for_that_reason(
    spec: EpisodeSpec, tmp_path: Path, kind: AgentFault
) -> None:
    end = perform(spec, tmp_path, Scripted("decide", AgentError(kind, "it said 'tap there'")))
    assert (end.outcome, end.reason) == ("failure", kind.value)
    told = fault(tmp_path, spec)
    assert (told.at_fault, told.message) == ("agent", "it said 'tap there'")
    assert not (tmp_path / spec.folder / FAULT_LOG).exists()


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (None, "the agent returned NoneType, not Decision"),
        (act.Back(), "the agent returned Back, not Decision"),
        (Decision("tap"), "`Decision.action` is str, not a valid action"),  # type: ignore[arg-type]
        (
            Decision(act.Wait.model_construct(seconds=1e9)),
            "`Decision.action` is Wait, not a valid action",
        ),
        (Decision(act.Back(), 7), "`Decision.thought` is int, not str"),  # type: ignore[arg-type]
        (Decision(act.Done(answer="\ud800")), "the text of `Decision.action` contains an unpaired surrogate"),
        (
            Decision(act.Back(), usage={"sent": 1}),  # type: ignore[arg-type]
            "`Decision.usage` is dict, not Usage",
        ),
        (
            Decision(act.Back(), usage=Usage(seconds=float("inf"))),
            "`Decision.usage` has a non-finite duration",
        ),
    ],
)
def test_nonsense_types_are_an_answer_that_cannot_be_read(
    spec: EpisodeSpec, tmp_path: Path, decision: Any, said: str
) -> None:
    class Nonsense(Scripted):
        def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
            return decision  # type: ignore[no-any-return]

    end = perform(spec, tmp_path, Nonsense())
    assert (end.outcome, end.reason) == ("failure", "unparseable")
    assert fault(tmp_path, spec).message == said


def test_a_mistake_in_an_agent_of_ours_is_ours(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scripted, "__module__", "garabench.agents.any")
    end = perform(spec, tmp_path, Scripted("decide", KeyError("x")))
    assert (end.outcome, end.reason) == ("error", "fault")
    told = fault(tmp_path, spec)
    assert (told.at_fault, told.error) == ("harness", "HarnessError")
    assert told.message == "internal error in GaraBench (KeyError: 'x'); see fault.log"


def test_what_an_agent_says_of_its_model_is_told_as_it_is(spec: EpisodeSpec, tmp_path: Path) -> None:
    assert perform(spec, tmp_path, Scripted("decide", ModelError("no answer in 60 s"))).outcome == "error"
    assert fault(tmp_path, spec).message == "no answer in 60 s"
    assert not (tmp_path / spec.folder / FAULT_LOG).exists()


@pytest.mark.parametrize("error", [OSError("no more sockets"), ModelError("it is gone")])
def test_an_agent_that_cannot_be_closed_changes_nothing(
    spec: EpisodeSpec, tmp_path: Path, error: Exception
) -> None:
    end = perform(spec, tmp_path, Scripted("close", error))
    assert (end.outcome, end.reason, end.steps) == ("failure", "gave_up", 1)


@pytest.mark.parametrize("call", ["settle", "observe", "perform"])
def test_a_mistake_of_ours_ends_the_episode_as_an_error_with_its_traceback(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("division by zero")

    with monkeypatch.context() as patch:
        patch.setattr(FakeDevice, call, broken)
        assert perform(spec, tmp_path, Scripted()).outcome == "error"
    told = fault(tmp_path, spec)
    assert (told.at_fault, told.error) == ("harness", "HarnessError")
    assert told.message == "internal error in GaraBench (ZeroDivisionError: division by zero); see fault.log"
    log = tmp_path / spec.folder / FAULT_LOG
    assert log.read_text(encoding="utf-8").startswith("Traceback (most recent call last):")
    perform(spec, tmp_path, Scripted("decide", ModelError("gone")))
    assert (tmp_path / spec.folder / "attempt-1" / FAULT_LOG).exists()  # it goes with its attempt
    assert not log.exists()


def test_a_record_that_cannot_be_written_ends_the_run(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    agent = Scripted()
    with pytest.raises(RecordError, match="the disk is full"):
        perform(spec, tmp_path, agent)
    assert agent.closed == 1
    assert (tmp_path / spec.folder / EVENTS).read_text(encoding="utf-8").count("\n") == 1


def test_each_step_looks_once_and_takes_over_the_tree_of_the_wait(spec: EpisodeSpec, tmp_path: Path) -> None:
    device = FakeDevice()
    perform(spec, tmp_path, Scripted(), device)
    assert device.asked == ["settle", "observe", "perform", "settle", "observe"]


def test_what_is_given_up_since_the_run_stops_is_no_end_of_the_episode(
    spec: EpisodeSpec, tmp_path: Path
) -> None:
    stops: list[bool] = []

    class GivenUp(Scripted):
        def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
            stops.append(True)
            raise AgentError(AgentFault.TIMEOUT, "it was no longer waited for")

    agent, device = GivenUp(), FakeDevice()
    with pytest.raises(EpisodeStoppedError):
        run_episode(spec, device, agent, tmp_path, SystemClock(), stop=lambda: bool(stops))  # type: ignore[arg-type]
    assert agent.closed == 1
    assert not any(isinstance(event, ev.EpisodeEnded) for event in read_events(tmp_path / spec.folder))


class FakeAdb:
    serial, server, program = "fake-1", ("127.0.0.1", 9), "/opt/adb"

    def shell(self, argv: Sequence[str], *, timeout: float | None = None) -> ShellResult:
        return ShellResult(tuple(argv), 0, "")


class Driver:
    """An agent that drives the device: it goes on for some moments, and then ends in a way of its own."""

    name, reference = "driver", False

    def __init__(self, moments: int, last: FinalReport | Exception) -> None:
        self.moments, self.last = moments, last
        self.took: list[DeviceHandover] = []
        self.closed = 0

    def start(self, brief: Brief, handover: DeviceHandover) -> None:
        self.took.append(handover)
        if isinstance(self.last, AgentStartError):
            raise self.last

    def wait(self, seconds: float, idle: float) -> FinalReport | None:
        assert 0 <= idle < 60
        self.moments -= 1
        if self.moments >= 0:
            return None
        if isinstance(self.last, Exception):
            raise self.last
        return self.last

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(
    ("last", "ended", "looks"),
    [
        (FinalReport(done=True, answer="7"), ("failure", "false_done"), 4),
        (FinalReport(done=False), ("failure", "gave_up"), 4),
        (AgentError(AgentFault.FAILED, "it ended with status 1"), ("failure", "agent_failed"), 3),
        (ModelError("it ended with status 75"), ("error", "fault"), 3),
        (AgentStartError("it could not be started"), ("error", "fault"), 1),
        (KeyError("x"), ("failure", "agent_failed"), 3),
    ],
)
def test_one_that_drives_the_device_begins_after_the_first_look_and_is_watched(
    spec: EpisodeSpec, tmp_path: Path, last: FinalReport | Exception, ended: tuple[str, str], looks: int
) -> None:
    device, agent = FakeDevice(), Driver(2, last)
    device.adb = FakeAdb()
    end = run_episode(spec, device, agent, tmp_path, SystemClock())  # type: ignore[arg-type]
    assert ((end.outcome, end.reason), end.steps, agent.closed) == (ended, 0, 1)
    assert agent.took == [DeviceHandover("fake-1", "127.0.0.1", 9, "/opt/adb", spec.seconds)]
    assert device.asked[:2] == ["settle", "observe"]
    assert device.asked.count("settle") == looks
    assert "perform" not in device.asked


def test_half_a_letter_in_what_an_agent_says_ends_nothing(spec: EpisodeSpec, tmp_path: Path) -> None:
    class Odd(Scripted):
        def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
            if history:
                raise ValueError("no \ud800")
            return Decision(act.Back(), "think \udfff")

    end = perform(spec, tmp_path, Odd())
    assert (end.outcome, end.reason, end.steps) == ("failure", "agent_failed", 1)
    assert "(ValueError: no ?)" in fault(tmp_path, spec).message
