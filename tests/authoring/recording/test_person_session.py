"""A recording in progress: commands of the person, repeated steps, the page and the terminal."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
import yaml
from starlette.testclient import TestClient

from garabench.authoring.recording.gesture_steps import StepOnScreen
from garabench.authoring.recording.person_agent import PersonAgent
from garabench.authoring.recording.person_session import PersonSession, step_text
from garabench.authoring.recording.recorder_app import SessionHolder, create_recorder_app
from garabench.authoring.recording.task_draft import TaskDraft, propose_recorded_goal
from garabench.authoring.recording.terminal_recorder import TerminalRecorder
from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.core.goal import GoalSchema
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.steps import BackStep, SolutionStep, TapStep
from garabench.core.task import Task
from garabench.core.tree import UiNode, UiTree
from tests.waits import AMPLE

SIZE = Size(1000, 2000)


def screen(*texts: str) -> Observation:
    children = tuple(
        UiNode(
            text=text,
            resource_id="p:id/item",
            package="p",
            clickable=True,
            bounds=Rect(0, 100 * at, 1000, 100 * at + 100),
        )
        for at, text in enumerate(texts)
    )
    tree = UiTree((UiNode(package="p", bounds=Rect(0, 0, 1000, 2000), children=children),))
    return Observation(0, tree, Screenshot(b"png", SIZE), Focus("p", "p.A"), TreeSource.U2, "", 0.0, SIZE)


def facts(observation: Observation) -> RecordedFacts:
    return RecordedFacts(observation.tree, observation.focus)


class Phone:
    """Asks the agent on each of its screens, as the runner does, in a separate thread."""

    def __init__(self, session: PersonSession, screens: list[Observation]) -> None:
        self.actions: list[act.Action] = []
        self._agent = PersonAgent(session)
        self._screens = screens
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        for each in self._screens:
            self.actions.append(self._agent.decide(each, ()).action)

    def __enter__(self) -> Phone:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.join(AMPLE)
        assert not self._thread.is_alive()


def test_commands_in_the_terminal() -> None:
    written: list[str] = []
    saved: list[tuple[SolutionStep, ...]] = []
    session = PersonSession(on_step=saved.append)
    lines = iter(["", "# a comment", "list", "tap B", "tap X", "tap 1", "back", "done two teas"])
    with Phone(session, [screen("A", "B"), screen("C"), screen("D"), screen("E")]) as phone:
        TerminalRecorder(lines, written.append).drive(session)
    assert [type(action).__name__ for action in phone.actions] == ["Tap", "Tap", "Back", "Done"]
    assert phone.actions[-1] == act.Done(answer="two teas")
    assert [step_text(step) for step in saved[-1]] == [
        "tap: {id: item, text: B}",
        "tap: {id: item}",
        "back",
    ]
    assert any("'X' is not on the screen" in line for line in written)


@pytest.mark.parametrize("strict", [False, True])
def test_a_step_is_printed_when_the_phone_has_performed_it(strict: bool) -> None:
    written: list[str] = []
    session = PersonSession()
    recorder = TerminalRecorder(iter(["tap A", "tap C", "stop"]), written.append, strict=strict)
    agent = PersonAgent(session)

    def phone() -> None:
        agent.decide(screen("A", "B"), ())
        session.drop_last("no element reacts")
        if agent.decide(screen("A", "C"), ()).action.type == "tap":
            agent.decide(screen("D"), ())

    thread = threading.Thread(target=phone, daemon=True)
    thread.start()
    recorder.drive(session)
    thread.join(AMPLE)
    done = [] if strict else ["1. tap: {id: item, text: C}"]
    assert [line for line in written if "note:" not in line] == ["   no element reacts", *done]
    assert recorder.failed == ("tap: {id: item, text: A}: no element reacts" if strict else "")


def test_wrong_command_of_a_script_stops_the_recording() -> None:
    session = PersonSession()
    recorder = TerminalRecorder(iter(["tap Z"]), lambda line: None, strict=True)
    with Phone(session, [screen("A")]):
        recorder.drive(session)
    assert "'Z' is not on the screen" in recorder.failed


def test_steps_are_repeated_before_the_person_continues() -> None:
    tap = TapStep.model_validate({"tap": {"text": "A"}})
    session = PersonSession(replayed=[tap, BackStep()])
    with Phone(session, [screen("A"), screen("B"), screen("C")]) as phone:
        TerminalRecorder(iter(["stop"]), lambda line: None).drive(session)
    assert [type(action).__name__ for action in phone.actions] == ["Tap", "Back", "GiveUp"]
    assert session.steps == (tap, BackStep())


def test_step_that_cannot_be_repeated_lets_the_person_continue() -> None:
    gone = TapStep.model_validate({"tap": {"text": "gone"}})
    session = PersonSession(replayed=[gone, BackStep()])
    written: list[str] = []
    with Phone(session, [screen("A")]):
        TerminalRecorder(iter(["stop"]), written.append).drive(session)
    assert session.steps == ()
    assert any("cannot be repeated on this screen: tap: {text: gone}" in line for line in written)


@pytest.fixture
def page() -> Iterator[tuple[TestClient, PersonSession, Callable[[str, object], tuple[int, object]]]]:
    holder = SessionHolder()
    session = PersonSession()
    holder.use(session)
    app = create_recorder_app(holder, "buy-tea", "p", "Buy a tea", token="t")
    with TestClient(app, headers={"Host": "127.0.0.1:80"}) as client:

        def send(path: str, body: object) -> tuple[int, object]:
            answer = client.post(path, json=body, headers={"X-GaraBench-Token": "t"})
            return answer.status_code, answer.json()

        yield client, session, send


def test_page_previews_and_performs_touches(
    page: tuple[TestClient, PersonSession, Callable[[str, object], tuple[int, object]]],
) -> None:
    client, session, send = page
    assert "Buy a tea" in client.get("/").text
    assert client.get("/screen.png").status_code == 404
    assert send("/api/act", {"kind": "touch", "x": 5, "y": 5})[0] == 409
    with Phone(session, [screen("A", "B"), screen("C")]) as phone:
        while session.observation is None:
            session.wait_for_change(session.version, 5)
        assert client.get("/screen.png").content == b"png"
        status, preview = send("/api/preview", {"kind": "touch", "x": 5, "y": 150})
        assert (status, preview) == (
            200,
            {"text": "tap: {id: item, text: B}", "warning": "", "bounds": [0, 100, 1000, 200]},
        )
        assert send("/api/act", {"kind": "touch", "x": 5, "y": "x"})[0] == 400
        assert send("/api/act", {"kind": "undo"})[0] == 409
        assert send("/api/act", {"kind": "touch", "x": 5, "y": 150})[0] == 200
        while session.observation is None:
            session.wait_for_change(session.version, 5)
        state = client.get("/api/state").json()
        assert (state["steps"], state["busy"]) == (["tap: {id: item, text: B}"], False)
        assert send("/api/act", {"kind": "done"})[0] == 200
    assert [type(action).__name__ for action in phone.actions] == ["Tap", "Done"]
    assert client.get("/api/state").json()["ended"] == "FinishRecording"
    assert client.post("/api/act", json={"kind": "stop"}).status_code == 403


def test_draft_is_a_valid_task_and_goal() -> None:
    tap = TapStep.model_validate({"tap": {"index": 0, "id": "item"}})
    before, after = screen("B", "C"), screen("B", "¥2")
    plain = TaskDraft("buy-tea", "p", {"en": 'Buy "B"'}, (tap,))
    draft = propose_recorded_goal(plain, facts(before), facts(after), [StepOnScreen(tap, before.tree)])
    task = Task.model_validate(yaml.safe_load(draft.task_entry())[0])
    goal = GoalSchema.model_validate(yaml.safe_load(draft.goal_entry())[0])
    assert task.solution == (tap,)
    assert set(task.goal.with_) == set(goal.params)
    assert task.goal.with_ == {"name": "B", "item": "¥2"}
    unchanged = propose_recorded_goal(plain, facts(before), facts(before), [])
    for empty in (TaskDraft("buy-tea", "p", {}), unchanged):
        assert not Task.model_validate(yaml.safe_load(empty.task_entry())[0]).goal.with_
        assert GoalSchema.model_validate(yaml.safe_load(empty.goal_entry())[0]).object
