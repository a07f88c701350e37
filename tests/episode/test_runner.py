"""The runner on a fake device: errors in the code of agents and of GaraBench, and observations."""

from __future__ import annotations

import dataclasses
import json
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
from garabench.core.condition import Absent, AllOf, Exists
from garabench.core.device_switches import UPRIGHT
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.selector import Selector
from garabench.core.tree import UiNode, UiTree, parse_tree
from garabench.core.usage import Usage
from garabench.device.adb import ShellResult
from garabench.device.device import ActionResult
from garabench.device.focus import WindowState
from garabench.device.settle import Settled
from garabench.device.trees import TreeReading
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.effects.episode_states import EffectsTracker
from garabench.episode import runner
from garabench.episode.runner import EpisodeStoppedError, perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import (
    AgentError,
    AgentFault,
    AgentStartError,
    DeviceLostError,
    DeviceTimeoutError,
    ModelError,
    RecordError,
)
from garabench.records.event_reader import read_events
from garabench.records.run_layout import EVENTS, FAULT_LOG
from tests.bundled import bundled_suite
from tests.planned import episodes

SUITE = bundled_suite()
TREE = parse_tree('<hierarchy><node package="com.example" text="a page" bounds="[0,0][9,9]"/></hierarchy>')
READING = TreeReading(TREE, TreeSource.U2)


class FakeInfo:
    model, sdk, size, language = "fake", 34, Size(720, 1280), "fr"


class SilentAdb:
    """Offers no state."""

    starts_fast = True

    def shell(self, argv: Sequence[str], **_: Any) -> ShellResult:
        return ShellResult(tuple(argv), 0, "", "java.lang.IllegalStateException: Could not find provider: x")


class FakeDevice:
    """A device whose screen never changes; `calls` lists the calls to it."""

    adb: Any = SilentAdb()
    info = FakeInfo()
    journal = Journal.in_memory("fake")
    read_failures = 0
    screen = Size(720, 1280)
    has_fast_trees = True

    def __init__(self) -> None:
        self.calls: list[str] = []

    def settle(self, *, photograph: bool = False, before: WindowState | None = None) -> Settled:
        self.calls.append("settle")
        return Settled(READING, True, 2, 0.1)

    def observe(self, step: int, *, settled: Settled | None, started: float) -> Observation:
        self.calls.append("observe" if settled else "observe anew")
        shot = Screenshot(png=b"png", size=self.screen)
        focus = Focus(package="com.example", activity="com.example.Page")
        return Observation(step, TREE, shot, focus, TreeSource.U2, "", 0.0, self.screen, 0)

    def perform(self, action: act.Action, screen: Size) -> ActionResult:
        self.calls.append("perform")
        return ActionResult()


class ScriptedAgent:
    """An agent whose method of that name raises an error."""

    name, reference = "scripted", False

    def __init__(self, method: str = "", error: Exception | None = None) -> None:
        self.method, self.error = method, error
        self.closed = 0

    def _at(self, method: str) -> None:
        if self.error is not None and method == self.method:
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
    monkeypatch.setattr(runner, "prepare", lambda device, *_, **__: device.settle())
    (spec,) = episodes(
        make_plan(SUITE.select("bili-like-song-live"), ("ignore",), conditions=("clean",)), SUITE
    )
    return dataclasses.replace(spec, agent="scripted")


def perform(
    spec: EpisodeSpec, folder: Path, agent: ScriptedAgent, device: FakeDevice | None = None
) -> ev.EpisodeEnded:
    used: Any = device or FakeDevice()
    return perform_episode(spec, used, agent, folder, SystemClock())


def fault(folder: Path, spec: EpisodeSpec) -> ev.FaultEvent:
    (found,) = [event for event in read_events(folder / spec.folder) if isinstance(event, ev.FaultEvent)]
    return found


@pytest.mark.parametrize(
    ("method", "ended", "recorded_as", "doing"),
    [
        ("start", ("error", "fault"), ("model", "AgentStartError"), "start"),  # it handovers no part
        ("decide", ("failure", "agent_failed"), ("agent", "AgentError"), "decide"),
    ],
)
def test_exception_in_an_agent_is_its_failure_once_it_has_started(
    spec: EpisodeSpec,
    tmp_path: Path,
    method: str,
    ended: tuple[str, str],
    recorded_as: tuple[str, str],
    doing: str,
) -> None:
    agent = ScriptedAgent(method, KeyError("x"))
    end = perform(spec, tmp_path, agent)
    assert ((end.outcome, end.reason), agent.closed) == (ended, 1)
    event = fault(tmp_path, spec)
    assert (event.at_fault, event.error) == recorded_as
    assert event.message == f"the agent scripted failed to {doing} (KeyError: 'x'); see fault.log"
    assert "KeyError: 'x'" in (tmp_path / spec.folder / FAULT_LOG).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", AgentFault)
def test_agent_error_gives_the_reason_of_the_end(spec: EpisodeSpec, tmp_path: Path, kind: AgentFault) -> None:
    end = perform(spec, tmp_path, ScriptedAgent("decide", AgentError(kind, "it said 'tap there'")))
    assert (end.outcome, end.reason) == ("failure", kind.value)
    event = fault(tmp_path, spec)
    assert (event.at_fault, event.message) == ("agent", "it said 'tap there'")
    assert not (tmp_path / spec.folder / FAULT_LOG).exists()


class StateAdb(SilentAdb):
    """Offers one more like at each reading, and settings that never change."""

    def __init__(self, broken: Exception | None = None) -> None:
        self.likes = 0
        self.broken = broken

    def shell(self, argv: Sequence[str], **_: Any) -> ShellResult:
        if argv[0] == "sh":
            lines = ("[system]", "a=1", "[secure]", "a=1", "[global]", "a=1", "[apps]", "package:a", "[end]")
            return ShellResult(tuple(argv), 0, "\n".join(lines))
        if self.broken is not None and self.likes:
            raise self.broken
        self.likes += 1
        rows: list[dict[str, Any]] = [{"format": 1, "records": self.likes}]
        text = {"zh": "赞", "en": "like"}
        rows += [{"kind": "like", "object": str(at), "text": text} for at in range(self.likes)]
        output = "".join(f"Row: {at} record={json.dumps(row)}\n" for at, row in enumerate(rows))
        return ShellResult(tuple(argv), 0, output)


def effects(folder: Path, spec: EpisodeSpec, broken: Exception | None = None) -> ev.Effects:
    device = FakeDevice()
    device.adb = StateAdb(broken)
    end = perform(spec, folder, ScriptedAgent(), device)
    assert (end.outcome, end.reason) == ("failure", "gave_up")  # regardless of what is read
    *_, found, last = read_events(folder / spec.folder)
    assert (last, isinstance(found, ev.Effects)) == (end, True)
    assert isinstance(found, ev.Effects)
    return found


def test_what_the_episode_changed_is_recorded_before_its_end(spec: EpisodeSpec, tmp_path: Path) -> None:
    system, app, other = effects(tmp_path, spec).apps
    assert (system.package, system.none) == ("android", True)
    assert (app.package, [record.object for record in app.added]) == (spec.app, ["1", "2"])
    assert (other.package, other.known) == ("com.example", True)


@pytest.mark.parametrize("error", [DeviceTimeoutError("late"), DeviceLostError("gone"), KeyError("x")])
def test_an_unreadable_state_leaves_the_outcome_alone(
    spec: EpisodeSpec, tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EffectsTracker, "seen", lambda *_: None)
    apps = effects(tmp_path, spec, error).apps
    assert [app.package for app in apps if not app.known][-1:] == [spec.app]


def test_an_error_has_no_effects(spec: EpisodeSpec, tmp_path: Path) -> None:
    perform(spec, tmp_path, ScriptedAgent("decide", ModelError("down")))
    assert not any(isinstance(event, ev.Effects) for event in read_events(tmp_path / spec.folder))


@pytest.mark.parametrize(
    ("decision", "message"),
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
def test_invalid_decisions_are_unparseable(
    spec: EpisodeSpec, tmp_path: Path, decision: Any, message: str
) -> None:
    class Nonsense(ScriptedAgent):
        def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
            return decision  # type: ignore[no-any-return]

    end = perform(spec, tmp_path, Nonsense())
    assert (end.outcome, end.reason) == ("failure", "unparseable")
    assert fault(tmp_path, spec).message == message


def test_exception_in_a_built_in_agent_is_a_harness_fault(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ScriptedAgent, "__module__", "garabench.agents.any")
    end = perform(spec, tmp_path, ScriptedAgent("decide", KeyError("x")))
    assert (end.outcome, end.reason) == ("error", "fault")
    event = fault(tmp_path, spec)
    assert (event.at_fault, event.error) == ("harness", "HarnessError")
    assert event.message == "internal error in GaraBench (KeyError: 'x'); see fault.log"


def test_model_errors_are_recorded_unchanged(spec: EpisodeSpec, tmp_path: Path) -> None:
    assert (
        perform(spec, tmp_path, ScriptedAgent("decide", ModelError("no answer in 60 s"))).outcome == "error"
    )
    assert fault(tmp_path, spec).message == "no answer in 60 s"
    assert not (tmp_path / spec.folder / FAULT_LOG).exists()


@pytest.mark.parametrize("error", [OSError("no more sockets"), ModelError("it is gone")])
def test_failure_to_close_an_agent_changes_nothing(
    spec: EpisodeSpec, tmp_path: Path, error: Exception
) -> None:
    end = perform(spec, tmp_path, ScriptedAgent("close", error))
    assert (end.outcome, end.reason, end.steps) == ("failure", "gave_up", 1)


@pytest.mark.parametrize("call", ["settle", "observe", "perform"])
def test_bug_ends_the_episode_as_an_error_with_its_traceback(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("division by zero")

    with monkeypatch.context() as patch:
        patch.setattr(FakeDevice, call, broken)
        assert perform(spec, tmp_path, ScriptedAgent()).outcome == "error"
    event = fault(tmp_path, spec)
    assert (event.at_fault, event.error) == ("harness", "HarnessError")
    assert event.message == "internal error in GaraBench (ZeroDivisionError: division by zero); see fault.log"
    log = tmp_path / spec.folder / FAULT_LOG
    assert log.read_text(encoding="utf-8").startswith("Traceback (most recent call last):")
    perform(spec, tmp_path, ScriptedAgent("decide", ModelError("gone")))
    assert (tmp_path / spec.folder / "attempt-1" / FAULT_LOG).exists()  # it goes with its attempt
    assert not log.exists()


def test_unwritable_record_ends_the_run(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    agent = ScriptedAgent()
    with pytest.raises(RecordError, match="the disk is full"):
        perform(spec, tmp_path, agent)
    assert agent.closed == 1
    assert (tmp_path / spec.folder / EVENTS).read_text(encoding="utf-8").count("\n") == 1


def test_each_step_observes_once_and_reuses_the_settled_tree(spec: EpisodeSpec, tmp_path: Path) -> None:
    device = FakeDevice()
    perform(spec, tmp_path, ScriptedAgent(), device)
    assert device.calls == ["settle", "observe", "perform", "settle", "observe"]


def test_decision_aborted_by_a_stop_does_not_end_the_episode(spec: EpisodeSpec, tmp_path: Path) -> None:
    stops: list[bool] = []

    class Aborted(ScriptedAgent):
        def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
            stops.append(True)
            raise AgentError(AgentFault.TIMEOUT, "the decision was aborted")

    agent, device = Aborted(), FakeDevice()
    with pytest.raises(EpisodeStoppedError):
        perform_episode(spec, device, agent, tmp_path, SystemClock(), stop=lambda: bool(stops))  # type: ignore[arg-type]
    assert agent.closed == 1
    assert not any(isinstance(event, ev.EpisodeEnded) for event in read_events(tmp_path / spec.folder))


class FakeAdb(SilentAdb):
    serial, server, program = "fake-1", ("127.0.0.1", 9), "/opt/adb"


class AutonomousStub:
    """An agent that drives the device for some waits and then ends as given."""

    name, reference = "driver", False

    def __init__(self, waits: int, last: FinalReport | Exception) -> None:
        self.waits, self.last = waits, last
        self.handovers: list[DeviceHandover] = []
        self.closed = 0

    def start(self, brief: Brief, handover: DeviceHandover) -> None:
        self.handovers.append(handover)
        if isinstance(self.last, AgentStartError):
            raise self.last

    def wait(self, seconds: float, idle: float) -> FinalReport | None:
        assert 0 <= idle < 60
        self.waits -= 1
        if self.waits >= 0:
            return None
        if isinstance(self.last, Exception):
            raise self.last
        return self.last

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(
    ("last", "ended", "settled"),
    [
        (FinalReport(done=True, answer="7"), ("failure", "false_done"), 4),
        (FinalReport(done=False), ("failure", "gave_up"), 4),
        (AgentError(AgentFault.FAILED, "it ended with status 1"), ("failure", "agent_failed"), 3),
        (ModelError("it ended with status 75"), ("error", "fault"), 3),
        (AgentStartError("it could not be started"), ("error", "fault"), 1),
        (KeyError("x"), ("failure", "agent_failed"), 3),
    ],
)
def test_autonomous_agent_starts_after_the_first_observation_and_is_watched(
    spec: EpisodeSpec, tmp_path: Path, last: FinalReport | Exception, ended: tuple[str, str], settled: int
) -> None:
    device, agent = FakeDevice(), AutonomousStub(2, last)
    device.adb = FakeAdb()
    end = perform_episode(spec, device, agent, tmp_path, SystemClock())  # type: ignore[arg-type]
    assert ((end.outcome, end.reason), end.steps, agent.closed) == (ended, 0, 1)
    assert agent.handovers == [DeviceHandover("fake-1", "127.0.0.1", 9, "/opt/adb", spec.seconds)]
    assert device.calls[:2] == ["settle", "observe"]
    assert device.calls.count("settle") == settled
    assert "perform" not in device.calls


def test_unpaired_surrogates_of_an_agent_are_recorded(spec: EpisodeSpec, tmp_path: Path) -> None:
    class Odd(ScriptedAgent):
        def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
            if history:
                raise ValueError("no \ud800")
            return Decision(act.Back(), "think \udfff")

    end = perform(spec, tmp_path, Odd())
    assert (end.outcome, end.reason, end.steps) == ("failure", "agent_failed", 1)
    assert "(ValueError: no ?)" in fault(tmp_path, spec).message


class TypingAgent(ScriptedAgent):
    """Taps once, then reports done."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        return Decision(act.Tap(x=1, y=1) if not history else act.Done())


def final_events(folder: Path, spec: EpisodeSpec) -> list[str]:
    return [event.type for event in read_events(folder / spec.folder)][-4:]


def test_the_screen_after_the_last_action_is_recorded(spec: EpisodeSpec, tmp_path: Path) -> None:
    assert perform(spec, tmp_path, TypingAgent()).reason == "false_done"
    assert final_events(tmp_path, spec) == ["goal_checked", "final_observed", "effects", "episode_ended"]


def test_a_screen_that_was_just_observed_is_not_recorded_again(spec: EpisodeSpec, tmp_path: Path) -> None:
    assert perform(spec, tmp_path, ScriptedAgent()).reason == "gave_up"
    assert final_events(tmp_path, spec) == ["observed", "decided", "effects", "episode_ended"]


def test_an_unreadable_final_screen_leaves_the_outcome_alone(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    observe = FakeDevice.observe

    def fails_at_the_end(device: FakeDevice, step: int, **options: Any) -> Observation:
        if device.calls.count("settle") > 2:
            raise DeviceTimeoutError("late")
        return observe(device, step, **options)

    monkeypatch.setattr(FakeDevice, "observe", fails_at_the_end)
    assert perform(spec, tmp_path, TypingAgent()).reason == "false_done"
    assert final_events(tmp_path, spec) == ["settled", "goal_checked", "effects", "episode_ended"]


class TurningAdb(SilentAdb):
    """Sets the device upright, or turns it."""

    def __init__(self, device: TurnedDevice) -> None:
        self.device = device

    def shell(self, argv: Sequence[str], **_: Any) -> ShellResult:
        if tuple(argv[:4]) == UPRIGHT.commands[0][:4]:
            self.device.rotation = int(argv[4])
            self.device.calls.append(f"turned to {argv[4]}")
        if tuple(argv) == UPRIGHT.query.argv:
            return ShellResult(tuple(argv), 0, str(self.device.rotation))
        return super().shell(argv)


class TurnedDevice(FakeDevice):
    """A device that an interruption has turned; only the upright screen shows all texts."""

    def __init__(self, *upright: str) -> None:
        super().__init__()
        self.upright = upright
        self.rotation = 1
        self.adb = TurningAdb(self)
        self.journal = Journal.in_memory("fake")
        back, expected = UPRIGHT.undo("0", self.info.sdk)
        self.journal.open(UndoEntry(UPRIGHT.subject, "turned", Scope.EPISODE, back, UPRIGHT.query, expected))

    def settle(
        self,
        *,
        photograph: bool = False,
        before: WindowState | None = None,
        first: TreeReading | None = None,
    ) -> Settled:
        return Settled(first or self.read_tree(), True, 2, 0.1)

    def read_tree(self) -> TreeReading:
        shown = ("asked", *self.upright) if self.rotation == 0 else ("asked",)
        nodes = tuple(UiNode(text=text, package="com.example") for text in shown)
        tree = UiTree((UiNode(package="com.example", children=nodes),), self.rotation)
        return TreeReading(tree, TreeSource.U2)


def verdicts_of_turned(spec: EpisodeSpec, folder: Path, device: TurnedDevice) -> tuple[str, set[bool | None]]:
    asked, other = Exists(exists=Selector(text="asked")), Absent(absent=Selector(text="not asked"))
    goal = spec.goal.model_copy(update={"condition": AllOf(all=(asked, other))})
    made = dataclasses.replace(spec, goal=goal)
    end = perform(made, folder, TypingAgent(), device)
    checks = {each.holds for each in read_events(folder / made.folder) if isinstance(each, ev.GoalChecked)}
    return end.reason, checks


def test_what_only_the_upright_screen_shows_is_no_success(spec: EpisodeSpec, tmp_path: Path) -> None:
    """A goal that excludes something is not met because a turned screen does not show it."""
    device = TurnedDevice("not asked")
    assert verdicts_of_turned(spec, tmp_path, device) == ("false_done", {None})
    assert [call for call in device.calls if "turned" in call][:3] == [
        "turned to 0",
        "turned to 1",  # the agent continues on the screen that the interruption has turned
        "turned to 0",
    ]


def test_what_the_upright_screen_confirms_is_a_success(spec: EpisodeSpec, tmp_path: Path) -> None:
    assert verdicts_of_turned(spec, tmp_path, TurnedDevice()) == ("goal_met", {True})


class LateTurn:
    """A command that turns the screen back only after the dump that runs at the same time."""

    def __init__(self, adb: TurningAdb, argv: Sequence[str]) -> None:
        self.adb, self.argv = adb, argv

    def result(self) -> ShellResult:
        return self.adb.shell(self.argv)

    def close(self) -> None:
        pass


def test_a_dump_from_before_the_screen_was_turned_back_is_read_again(
    spec: EpisodeSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeDevice, "has_fast_trees", False)
    monkeypatch.setattr(TurningAdb, "start_shell", lambda *call: LateTurn(*call), raising=False)
    device = TurnedDevice("not asked")
    assert verdicts_of_turned(spec, tmp_path, device) == ("false_done", {None})
    assert device.rotation == 0
