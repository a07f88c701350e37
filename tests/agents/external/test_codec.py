from __future__ import annotations

import base64
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.external import codec as talk
from garabench.agents.external import protocol as msg
from garabench.agents.external.schemas import KINDS, message_schema
from garabench.agents.interface import Decision
from garabench.core import action as act
from garabench.core.schemas import schema_text
from garabench.core.tree import parse_tree
from garabench.core.usage import Usage
from garabench.errors import AgentError, AgentFault, AgentStartError, ModelError
from tests.agents.external.views import BRIEF, HISTORY, TREE, an_observation, png

TASK = talk.task_info(BRIEF, episode="e1", deadline=30)
TO_AGENT = jsonschema.Draft202012Validator(message_schema("to-agent"))
FROM_AGENT = jsonschema.Draft202012Validator(message_schema("from-agent"))


def sent(message: msg.ToAgent) -> dict[str, Any]:
    """Return the message as it is sent, after validating it against the schema."""
    line = talk.encode_message(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    data: dict[str, Any] = json.loads(line)
    TO_AGENT.validate(data)
    return data


def test_the_messages_before_the_first_observation() -> None:
    assert sent(talk.hello()).keys() == {"type", "protocol", "garabench"}
    assert sent(talk.start_message(BRIEF, TASK)) == {
        "type": "start",
        "task": {
            "episode": "e1",
            "instruction": "搜索“稻香”",
            "language": "zh",
            "app": "com.example",
            "max_steps": 7,
            "seed": 11,
            "deadline": 30,
        },
        "screen": {"width": 72, "height": 128},
    }
    assert sent(msg.EndMessage(episode="e1")) == {"type": "end", "episode": "e1"}


def test_an_observation_has_tree_image_and_history() -> None:
    data = sent(talk.observe(an_observation(2), HISTORY, TASK, tree=True, image="base64"))
    assert (data["step"], data["elapsed"], data["rotation"]) == (2, 1.235, 1)
    assert data["screen"] == {"width": 72, "height": 128}
    assert data["focus"] == {"package": "com.example", "activity": "com.example.Page"}
    assert not data["tree"].startswith("<?xml")  # what names an encoding is refused in a text
    assert parse_tree(data["tree"]) == TREE
    assert base64.b64decode(data["image"]["base64"]) == png()
    assert data["history"][0]["action"]["type"] == "tap"
    assert data["last"] == data["history"][1]
    assert (data["last"]["ok"], data["last"]["detail"]) == (False, "no field has the focus")
    assert data["task"] == sent(talk.start_message(BRIEF, TASK))["task"]


def test_the_image_is_passed_as_requested() -> None:
    by_file = sent(talk.observe(an_observation(), (), TASK, tree=False, image="file", path="/tmp/000.png"))
    assert (by_file["tree"], by_file["last"], by_file["history"]) == (None, None, [])
    assert (by_file["image"]["path"], by_file["image"]["base64"]) == ("/tmp/000.png", None)
    assert sent(talk.observe(an_observation(), (), TASK, tree=False, image="none"))["image"] is None


def test_ready_states_the_image_form_and_the_tree() -> None:
    assert talk.read_ready(b'{"type": "ready", "protocol": 1}', "a") == msg.ReadyMessage(
        type="ready", protocol=1
    )
    ready = talk.read_ready(b'{"type": "ready", "protocol": 1, "image": "file", "tree": false}', "a")
    assert (ready.image, ready.tree) == ("file", False)


@pytest.mark.parametrize(
    ("answer", "error", "text_shown"),
    [
        (
            b'{"type": "ready", "protocol": 2}',
            AgentStartError,
            "a speaks version 2 of the protocol; this",
        ),
        (b'{"type": "ready"}', AgentStartError, "answered an invalid message: ready.protocol"),
        (
            b'{"type": "ready", "protocol": "1"}',
            AgentStartError,
            "ready.protocol: Input should be a valid int",
        ),
        (b'{"type": "ready", "protocol": 1, "image": "jpeg"}', AgentStartError, "ready.image"),
        (
            b'{"type": "decision", "step": 0, "action": {"type": "back"}}',
            AgentStartError,
            "'hello' with 'decision' instead",
        ),
        (
            b"Loading the model...",
            AgentStartError,
            "invalid JSON (only protocol messages may be written",
        ),
        (b'{"type": "fault", "message": "no\\nkey"}', ModelError, "a reports: no key"),
    ],
)
def test_any_other_answer_to_hello_is_a_start_error(
    answer: bytes, error: type[Exception], text_shown: str
) -> None:
    with pytest.raises(error) as caught:
        talk.read_ready(answer, "a")
    assert text_shown in str(caught.value)
    assert isinstance(caught.value, ModelError)  # an error, not a failure


@pytest.mark.parametrize(
    ("answer", "action", "thought"),
    [
        ('{"type":"decision","step":3,"action":{"type":"tap","x":5,"y":6}}', act.Tap(x=5, y=6), ""),
        ('{"type":"decision","step":3,"action":{"type":"tap","x":5.0,"y":6}}', act.Tap(x=5, y=6), ""),
        (
            ' {"thought":"稻香","type":"decision","step":3,"action":{"type":"type","text":"稻","at":[1,2]}} ',
            act.Type(text="稻", at=(1, 2)),
            "稻香",
        ),
        ('{"type":"decision","step":3,"action":{"type":"wait","seconds":2}}', act.Wait(seconds=2), ""),
        ('{"type":"decision","step":3,"action":{"type":"done","answer":"8"}}', act.Done(answer="8"), ""),
    ],
)
def test_a_decision_is_parsed(answer: str, action: act.Action, thought: str) -> None:
    FROM_AGENT.validate(json.loads(answer))
    assert talk.read_decision(answer.encode(), "a", 3) == Decision(action, thought)


def test_an_agent_can_report_the_usage_of_its_model() -> None:
    answer = b"""{"type":"decision","step":3,"action":{"type":"back"},
        "usage":{"requests":1,"sent":1200,"received":80,"seconds":2.5,"cost":"0.0031"}}"""
    FROM_AGENT.validate(json.loads(answer))
    usage = talk.read_decision(answer, "a", 3).usage
    assert usage == Usage(requests=1, sent=1200, received=80, seconds=2.5, cost=Decimal("0.0031"))
    assert talk.read_decision(answer.replace(b"usage", b"spent"), "a", 3).usage == usage  # GaraBench 0.2


MALFORMED = [
    ("", "invalid JSON"),
    ("null", "JSON that is not an object: None"),
    ("[1]", "JSON that is not an object"),
    ('"tap"', "JSON that is not an object"),
    ("{", "invalid JSON"),
    ('{"type":"decision","step":3,"action":{"type":"tap","x":NaN,"y":1}}', "invalid JSON"),
    ('{"type":"decision","step":3,"action":{"type":"tap","x":1e999,"y":1}}', "an invalid message"),
    ('{"type":"decision","step":3,"action":{"type":"tap","x":1.5,"y":1}}', "decision.action.tap.x: Input"),
    ('{"type":"decision","step":3,"action":{"type":"tap","x":"5","y":1}}', "decision.action.tap.x: Input"),
    ('{"type":"decision","step":3,"action":{"type":"tap","x":true,"y":1}}', "decision.action.tap.x: Input"),
    ('{"type":"decision","step":3,"action":{"type":"tap","x":1}}', "decision.action.tap.y: Field required"),
    ('{"type":"decision","step":3,"action":{"type":"tap","x":1,"y":1,"z":1}}', "tap.z: Extra inputs"),
    ('{"type":"decision","step":3,"action":{"type":"fly"}}', "decision.action: Input tag 'fly'"),
    ('{"type":"decision","step":3,"action":"tap"}', "decision.action: "),
    ('{"type":"decision","step":3}', "decision.action: Field required"),
    ('{"type":"decision","step":"3","action":{"type":"back"}}', "decision.step: Input should be"),
    ('{"type":"decision","step":3,"action":{"type":"back"},"thougt":""}', "decision.thougt: Extra inputs"),
    ('{"type":"decision","step":3,"action":{"type":"back"},"thought":7}', "decision.thought: Input should"),
    ('{"type":"decision","step":3,"action":{"type":"wait","seconds":1e9}}', "decision.action.wait.seconds"),
    ('{"type":"decision","step":3,"action":{"type":"type","text":"\\ud800"}}', "an invalid message"),
    ('{"type":"decision","step":3,"action":{"type":"back"},"usage":{"sent":-1}}', "decision.usage.sent: Inp"),
    ('{"type":"decision","step":3,"action":{"type":"back"},"usage":{"seconds":1e999}}', "an invalid message"),
    ('{"action":{"type":"back"}}', "Unable to extract tag"),
    ('{"type":["decision"]}', "an invalid message"),
    ("[" * 100_000, "invalid JSON"),
    ('{"a":' * 5000 + "1" + "}" * 5000, ""),
    ("1" * 100_000, "JSON that is not an object"),
]


@pytest.mark.parametrize(("answer", "text_shown"), MALFORMED, ids=[text[:60] for text, _ in MALFORMED])
def test_an_invalid_decision_is_a_failure_of_the_agent(answer: str, text_shown: str) -> None:
    with pytest.raises(AgentError) as caught:
        talk.read_decision(answer.encode(), "a", 3)
    assert caught.value.kind is AgentFault.UNPARSEABLE
    assert text_shown in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("answer", "text_shown"),
    [
        (b'{"type":"decision","step":2,"action":{"type":"back"}}', "answered step 2 instead of step 3"),
        (b'{"type":"ready","protocol":1}', "answered 'ready' instead of a decision"),
        (b"x" * (msg.MAX_MESSAGE_BYTES + 1), "more than 1048576 bytes"),
        (b"\xff\xfe\x00", "invalid JSON"),
    ],
)
def test_an_unexpected_answer_is_not_a_decision(answer: bytes, text_shown: str) -> None:
    with pytest.raises(AgentError, match=text_shown) as caught:
        talk.read_decision(answer, "a", 3)
    assert caught.value.kind is AgentFault.UNPARSEABLE


def test_a_fault_message_is_a_model_error() -> None:
    with pytest.raises(ModelError, match="a reports: the quota is spent"):
        talk.read_decision(b'{"type":"fault","message":"the quota is spent"}', "a", 3)


@given(st.binary(max_size=300))
def test_any_answer_is_parsed_or_rejected(answer: bytes) -> None:
    with pytest.raises(AgentError):
        talk.read_decision(answer, "a", 3)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["type", "x", "step", "action"]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["type", "step", "action", "thought"]), JSON))
def test_the_parser_accepts_what_the_schema_allows(data: dict[str, Any]) -> None:
    try:
        talk.read_decision(json.dumps(data).encode(), "a", 3)
    except (AgentError, ModelError):
        return
    FROM_AGENT.validate(data)


PLACES = {
    "x": '{"type":"decision","step":3,"action":{"type":"tap","x":%s,"y":2}}',
    "x or none": '{"type":"decision","step":3,"action":{"type":"scroll","direction":"up","x":%s,"y":1}}',
    "at": '{"type":"decision","step":3,"action":{"type":"type","text":"a","at":[1,%s]}}',
    "ms": '{"type":"decision","step":3,"action":{"type":"long_press","x":1,"y":2,"ms":%s}}',
    "amount": '{"type":"decision","step":3,"action":{"type":"scroll","direction":"up","amount":%s}}',
    "seconds": '{"type":"decision","step":3,"action":{"type":"wait","seconds":%s}}',
    "flag": '{"type":"decision","step":3,"action":{"type":"type","text":"a","clear":%s}}',
    "text": '{"type":"decision","step":3,"action":{"type":"type","text":%s}}',
    "thought": '{"type":"decision","step":3,"action":{"type":"back"},"thought":%s}',
    "tokens": '{"type":"decision","step":3,"action":{"type":"back"},"usage":{"sent":%s}}',
    "waited": '{"type":"decision","step":3,"action":{"type":"back"},"usage":{"seconds":%s}}',
    "cost": '{"type":"decision","step":3,"action":{"type":"back"},"usage":{"cost":%s}}',
    "kind": '{"type":"decision","step":3,"action":{"type":%s}}',
    "no kind": '{"type":"decision","step":3,"action":{"package":%s}}',
}
"""Answers with a placeholder for a value."""
NUMBERS = st.one_of(
    st.integers().map(str),
    st.integers(-3, 3).map(str),
    st.integers(-(10**40), 10**40).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(2**60), 2**60).map(lambda whole: f"{whole}.0"),
    st.builds(lambda whole, zeros: f"{whole}e{zeros}", st.integers(-99, 99), st.integers(0, 300)),
    st.sampled_from(["-0.0", "1e-400", "9007199254740991", "9007199254740992", "9007199254740993.0", "1e9"]),
)
VALUES = st.one_of(
    NUMBERS,
    NUMBERS.map(json.dumps),
    st.sampled_from(["true", "false", "null", "[]", "[1]", "[1,2]", "{}"]),
    st.sampled_from(["", " 1", "1 ", "1\n", "1_0", "１", "NaN", "Infinity", ".5", "1.", "+1", "0.0061"]).map(
        json.dumps
    ),
    st.text(max_size=5).map(json.dumps),
)


@pytest.mark.parametrize("place", PLACES)
@given(value=VALUES)
def test_the_parser_accepts_exactly_what_the_schema_allows(place: str, value: str) -> None:
    answer = PLACES[place] % value
    try:
        talk.read_decision(answer.encode(), "a", 3)
        read = True
    except AgentError:
        read = False
    assert read == FROM_AGENT.is_valid(json.loads(answer)), answer


def test_a_huge_number_is_not_converted_to_a_string() -> None:
    with pytest.raises(AgentError, match="thought: Input should be a valid string"):
        talk.read_decision((PLACES["thought"] % "1e400").encode(), "a", 3)


@pytest.mark.parametrize("kind", KINDS)
def test_the_published_schemas_are_current(kind: str) -> None:
    published = Path(__file__).parents[3] / "schemas" / f"{kind}.schema.json"
    assert published.read_text(encoding="utf-8") == schema_text(message_schema(kind)), (
        "run: garabench schemas --out schemas"
    )
    jsonschema.Draft202012Validator.check_schema(message_schema(kind))
