from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.agent_name import MAX_NAME_LENGTH, parse_agent_name, path_name, split_list
from garabench.errors import InputError
from tests.cases import every_case


@every_case(
    ("text", "label", "body", "name", "scheme", "rest"),
    [
        ("dismiss", "", "dismiss", "dismiss", "", "dismiss"),
        ("me=dismiss", "me", "dismiss", "me", "", "dismiss"),
        ("my_agent:MyAgent", "", "my_agent:MyAgent", "my_agent-MyAgent", "", "my_agent:MyAgent"),
        ("agents:A", "", "agents:A", "agents-A", "agents", "A"),
        ("gpt-4o?mode=tree", "", "gpt-4o?mode=tree", "gpt-4o-mode-tree", "", "gpt-4o?mode=tree"),
        ("a:B?k=v&w=", "", "a:B?k=v&w=", "a-B-k-v-w", "a", "B?k=v&w="),
        ("process:./agent.js", "", "process:./agent.js", "agent.js", "process", "./agent.js"),
        ("js = process:node a.js --x", "", "js = process:node a.js --x", "js-process-node-a.js-x", "", None),
        ("js=process:node a.js --x=1", "js", "process:node a.js --x=1", "js", "process", "node a.js --x=1"),
        ("process:node a.js --x=1", "", "process:node a.js --x=1", "node-a.js-x-1", "process", None),
        ("autonomous:./drive.sh", "", "autonomous:./drive.sh", "drive.sh", "autonomous", "./drive.sh"),
        ("owning:./drive.sh", "", "owning:./drive.sh", "drive.sh", "owning", "./drive.sh"),
        ("http://127.0.0.1:8000/agent", "", None, "http-127.0.0.1-8000-agent", "http", None),
        ("m=http://h/?a=b", "m", "http://h/?a=b", "m", "http", "//h/?a=b"),
    ],
)
def test_agent_names_are_parsed(
    text: str, label: str, body: str | None, name: str, scheme: str, rest: str | None
) -> None:
    named = parse_agent_name(text)
    assert (named.label, named.name, named.scheme) == (label, name, scheme)
    assert named.text == text
    assert body is None or named.body == body
    assert rest is None or named.rest == rest


@pytest.mark.parametrize("label", [".hidden", "..", "-x", "ab\x00", "名", "a" * (MAX_NAME_LENGTH + 1)])
def test_an_unsafe_label_is_rejected(label: str) -> None:
    with pytest.raises(InputError, match="cannot be an agent's label"):
        parse_agent_name(f"{label}=my_agent:A")


@pytest.mark.parametrize("text", ["../x=a:B", "a/b=c:D", "a b=c:D"])
def test_other_prefixes_are_not_labels(text: str) -> None:
    assert parse_agent_name(text).label == ""


@given(st.text(max_size=200))
def test_every_name_is_safe_in_a_path(body: str) -> None:
    assert re.fullmatch(rf"[A-Za-z0-9][A-Za-z0-9._+-]{{0,{MAX_NAME_LENGTH - 1}}}", path_name(body))


def test_long_names_stay_distinct() -> None:
    one, two = path_name("process:./" + "a" * 200 + "1"), path_name("process:./" + "a" * 200 + "2")
    assert one != two
    assert len(one) == len(two) == MAX_NAME_LENGTH
    assert path_name("process:“”") != path_name("process:、")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("a:B", {}),
        ("a:B?", {}),
        ("a:B?k=v", {"k": "v"}),
        ("a:B?k=v&other=a%2Cb+c%20d&empty=", {"k": "v", "other": "a,b c d", "empty": ""}),
        ("a:B?url=http://h/?x=1", {"url": "http://h/?x=1"}),
    ],
)
def test_options_are_written_as_in_an_address(text: str, options: dict[str, str]) -> None:
    assert parse_agent_name(text).options == options


@pytest.mark.parametrize(
    ("text", "message"), [("a:B?k", "key=value"), ("a:B?k=1&k=2", "has a duplicate option")]
)
def test_malformed_options_are_rejected(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        _ = parse_agent_name(text).options


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a,b , c", ("a", "b", "c")),
        ("a", ("a",)),
        ("a,,b", ("a", "", "b")),
        ("x=process:node a.js '--k=1,2',b", ("x=process:node a.js '--k=1,2'", "b")),
        ('process:./a "it\'s, so",b', ('process:./a "it\'s, so"', "b")),
    ],
)
def test_a_comma_within_quotes_does_not_split(text: str, parts: tuple[str, ...]) -> None:
    assert split_list(text) == parts


def test_an_unclosed_quote_is_rejected() -> None:
    with pytest.raises(InputError, match="unclosed quote"):
        split_list("process:./a 'b,c")
