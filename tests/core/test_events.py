from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core import events as ev
from garabench.core.action import Tap, to_json
from garabench.core.app_state import AppEffects, ChangedRecord, StateRecord
from garabench.core.usage import Usage
from garabench.errors import InputError
from tests.cases import every_case

START = ev.EpisodeStarted(
    step=0, t=0, task="t", agent="a", condition="dual", seed=1, suite_hash="0", instruction="点赞\u2028x"
)
ALL: tuple[ev.Event, ...] = (
    START,
    ev.Observed(step=0, t=1, tree="t", screen="s", package="p.q", activity=".A", source="u2", signature="0"),
    ev.FinalObserved(step=3, t=2, tree="t", screen="s", package="p", activity="", source="u2", signature="0"),
    ev.InterruptionInjected(
        step=0,
        t=1,
        rule="r",
        interruption="i",
        category="network",
        mode="dual",
        token="x",
        reason="it is there",
    ),
    ev.InterruptionShown(step=0, t=1, token="x"),
    ev.InjectionFailed(step=0, t=1, token="x", reason="covered"),
    ev.Decided(step=0, t=1, action=to_json(Tap(x=1, y=2)), thought="because", seconds=0.25),
    ev.ActionObserved(step=1, t=1.2),
    ev.PerformedEvent(step=0, t=1, ok=False, detail="out of the screen"),
    ev.SettledEvent(step=0, t=1, still=False, readings=9, seconds=3.5),
    ev.InterruptionEvent(step=0, t=1, token="x", event="pressed:a", seq=2),
    ev.FollowUpPerformed(step=0, t=1, token="x", button="a", description="home", ok=True),
    ev.InterruptionResolved(step=4, t=1, token="x", how="answered", exit="a", role="accept", steps=4),
    ev.GoalChecked(step=4, t=1, holds=None, reason="unread"),
    ev.HarmChecked(step=4, t=1, holds=True, reason="it is liked"),
    ev.Effects(
        step=4,
        t=1,
        apps=(
            AppEffects(package="a.b", unknown="it was late"),
            AppEffects(
                package="a.c",
                added=(
                    StateRecord(
                        kind="like",
                        object="v",
                        fields={"on": True, "count": 1, "price": 0.5, "tags": ("a", "b"), "note": None},
                        text={"zh": "赞", "en": "liked"},
                    ),
                ),
                changed=(ChangedRecord(kind="line", object="tea", before={"count": 1}, after={"count": 2}),),
            ),
        ),
    ),
    ev.FaultEvent(step=4, t=1, at_fault="device", error="DeviceLostError", message="gone"),
    ev.EpisodeEnded(step=4, t=2, outcome="error", reason="fault", steps=3, answer="42"),
)


def line(data: object) -> str:
    return json.dumps(data) + "\n"


def started(**changes: Any) -> str:
    return line({**json.loads(ev.to_line(START)), **changes})


@every_case("event", ALL, ids=lambda event: event.type)
def test_an_event_round_trips(event: ev.Event) -> None:
    text = ev.to_line(event)
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert ev.read_lines([text], "x") == (event,)


def test_an_unpaired_surrogate_is_written_readably() -> None:
    line = ev.to_line(ev.Decided(step=0, t=0, action={"type": "back"}, thought="稻\ud800香"))
    (read,) = ev.read_lines([line.encode().decode()], "events.jsonl")
    assert isinstance(read, ev.Decided)
    assert read.thought == "稻?香"


def test_the_examples_cover_every_kind_of_event() -> None:
    kinds = {cls for cls in vars(ev).values() if isinstance(cls, type) and issubclass(cls, ev._Event)}
    assert {type(event) for event in ALL} == kinds - {ev._Event, ev._Screen}


def test_the_first_line_always_has_the_version() -> None:
    assert json.loads(ev.to_line(START))["version"] == ev.SCHEMA_VERSION
    assert "version" not in json.loads(ev.to_line(ALL[1]))


def test_defaults_are_omitted_and_restored() -> None:
    text = ev.to_line(ev.InterruptionResolved(step=0, t=0, token="x", how="open", exit="on screen"))
    assert json.loads(text).keys() == {"type", "step", "t", "token", "how", "exit", "crc"}
    assert "点赞" in ev.to_line(START)


def test_a_changed_line_is_rejected_with_its_place() -> None:
    lines = [ev.to_line(START), ev.to_line(ALL[1]).replace('"step":1', '"step":2', 1)]
    lines[1] = lines[1].replace('"t":', '"t":9', 1)
    with pytest.raises(InputError, match=r"events\.jsonl:2:1: the line is damaged"):
        ev.read_lines(lines, "events.jsonl")


def test_an_older_log_is_read() -> None:
    (event,) = ev.read_lines([started(version=ev.SCHEMA_VERSION - 1)], "x")
    assert isinstance(event, ev.EpisodeStarted)
    assert (event.version, event.task) == (ev.SCHEMA_VERSION - 1, "t")


def test_a_log_without_a_version_is_read() -> None:
    data = json.loads(ev.to_line(START))
    del data["version"]
    assert ev.read_lines([line(data)], "x") == (START,)


def test_former_names_of_fields_are_still_read() -> None:
    tries = [{"way": "activity", "kind": "timeout", "reason": "it was not seen"}]
    shown, decided = ev.read_lines(
        [
            line({"type": "interruption_shown", "step": 0, "t": 1, "token": "x", "way": "notification",
                  "tries": tries}),
            line({"type": "decided", "step": 0, "t": 1, "action": {"type": "back"}, "spent": {"sent": 7}}),
        ],
        "x",
    )  # fmt: skip
    assert isinstance(shown, ev.InterruptionShown)
    assert (shown.method, shown.tries[0].method) == ("notification", "activity")
    assert isinstance(decided, ev.Decided)
    assert decided.usage == Usage(sent=7)


def test_a_newer_log_is_refused_by_its_name_and_version() -> None:
    newer = ev.SCHEMA_VERSION + 1
    with pytest.raises(InputError) as caught:
        ev.read_lines(
            [started(version=newer, what_is_new=1), line({"type": "unheard_of"})], "run/events.jsonl"
        )
    assert caught.value.message == (
        f"run/events.jsonl has log version {newer}; this GaraBench reads versions up to {ev.SCHEMA_VERSION}"
    )
    assert caught.value.hint == "Use a newer GaraBench to read it."


def test_a_truncated_last_line_is_ignored() -> None:
    lines = [ev.to_line(event) for event in ALL]
    whole = ev.read_lines(lines, "x")
    assert whole == ALL
    assert ev.read_lines([*lines[:-1], lines[-1][:-1]], "x") == ALL[:-1]
    assert ev.read_lines([*lines[:-1], lines[-1][:7]], "x") == ALL[:-1]
    assert ev.read_lines([], "x") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "x:2:1: not a line of JSON"),
        ("{]\n", "x:2:2: not a line of JSON"),
        ("3\n", "x:2:1: not an event"),
        ("{}\n", "x:2:1: not an event: Unable to extract tag"),
        (line({"type": "unheard_of", "step": 0, "t": 0}), "x:2:1: not an event: .*'unheard_of'"),
        (line({"type": "interruption_shown", "step": 0, "t": 0}), "x:2:1: not an event: Field required"),
        (
            line({"type": "interruption_shown", "step": -1, "t": 0, "token": "x"}),
            "greater than or equal to 0",
        ),
        (
            line({"type": "interruption_shown", "step": 0, "t": 0, "token": "x", "extra": 1}),
            "Extra inputs are not permitted",
        ),
        (
            line(
                {"type": "episode_ended", "step": 0, "t": 0, "outcome": "draw", "reason": "fault", "steps": 0}
            ),
            "'success', 'failure' or 'error'",
        ),
    ],
)
def test_an_invalid_line_is_reported_with_its_location(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ev.read_lines([ev.to_line(START), text], "x")


@given(st.lists(st.text(max_size=60).map(lambda text: text + "\n"), max_size=3))
def test_any_lines_give_events_or_an_input_error(lines: list[str]) -> None:
    try:
        assert all(isinstance(event, ev._Event) for event in ev.read_lines(lines, "x"))
    except InputError as error:
        assert str(error).startswith("x")


OF_AN_INTERRUPTION = [
    kind
    for kind in vars(ev).values()
    if isinstance(kind, type) and issubclass(kind, ev._Event) and "token" in kind.model_fields
]


@pytest.mark.parametrize("kind", OF_AN_INTERRUPTION, ids=lambda kind: kind.__name__)
def test_each_event_of_an_interruption_has_its_category_and_severity(kind: type[ev._Event]) -> None:
    assert {"category", "severity"} <= kind.model_fields.keys()


def test_an_older_event_without_category_and_severity_is_read() -> None:
    pressed, done = ev.read_lines(
        [
            line({"type": "interruption_event", "step": 1, "t": 1, "token": "x", "event": "shown", "seq": 1}),
            line(
                {
                    "type": "follow_up_performed",
                    "step": 1,
                    "t": 1,
                    "token": "x",
                    "button": "accept",
                    "description": "home",
                    "ok": True,
                }
            ),
        ],
        "x",
    )
    assert isinstance(pressed, ev.InterruptionEvent)
    assert isinstance(done, ev.FollowUpPerformed)
    assert (pressed.category, pressed.severity, done.category, done.severity) == ("", "", "", "")
