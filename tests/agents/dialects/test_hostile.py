"""The cost of parsing hostile replies is linear in their length, and bounded."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.lenient_json import objects
from garabench.agents.dialects.reply import (
    MAX_REPLY_LENGTH,
    MalformedReplyError,
    ParsedReply,
    ReplyFlaw,
    UnparsedReply,
)
from garabench.core import action as act
from tests.agents.dialects.hostile import HEADS, UNITS, repeated
from tests.agents.dialects.views import view_of
from tests.cases import every_case

SHORT, LONG = 400, 1600


def work(dialect: Dialect, view: ScreenView, text: str) -> int:
    """Count the function calls, in Python and in C, that parsing a text takes."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        dialect.parse(text, view)
    finally:
        sys.setprofile(before)
    return calls


@every_case("head", HEADS)
@every_case(
    "name",
    ["ui-tars-1.5", "agentcpm-gui", "qwen3-vl", "gui-owl", "autoglm-phone", "glm-4.5v", "json", "appagent"],
)
def test_work_grows_linearly_with_the_length(name: str, head: str) -> None:
    dialect = DIALECTS[name]
    view = view_of(dialect)
    for unit in UNITS[(len(name) + len(head)) % 2 :: 2]:  # half of them with each head and dialect
        short, long = (work(dialect, view, repeated(head, unit, size)) for size in (SHORT, LONG))
        assert long <= LONG / SHORT * short + 1000, unit


@every_case("name", DIALECTS)
def test_long_nonsense_is_an_action_or_a_flaw(name: str) -> None:
    dialect = DIALECTS[name]
    view = view_of(dialect)
    for unit in UNITS:
        reply = dialect.parse(repeated("Action: ", unit, 20_000), view)
        assert isinstance(reply, ParsedReply | UnparsedReply)


@every_case(
    "text",
    [
        "{" * 90_000,
        "{“" * 45_000,
        '{"' * 45_000,
        '{"a":' * 18_000,
        '{"a":[' * 15_000,
        "tap(" * 20_000,
        "a" * 90_000,
    ],
)
@every_case("name", DIALECTS)
def test_an_unterminated_reply_is_not_an_action(name: str, text: str) -> None:
    dialect = DIALECTS[name]
    assert isinstance(dialect.parse(text, view_of(dialect)), UnparsedReply)
    assert isinstance(dialect.parse(f"Action: {text}", view_of(dialect)), UnparsedReply)


@every_case("name", DIALECTS)
def test_a_too_long_reply_is_rejected(name: str) -> None:
    dialect = DIALECTS[name]
    view = view_of(dialect)
    good = dialect.render(act.Back(), view, "why")
    assert good is not None
    longest = " " * (MAX_REPLY_LENGTH - len(good)) + good
    assert isinstance(dialect.parse(longest, view), ParsedReply)
    reply = dialect.parse(" " + longest, view)
    assert isinstance(reply, UnparsedReply) and reply.flaw is ReplyFlaw.TOO_LONG
    assert "100,000" in reply.reason
    assert work(dialect, view, " " + longest) < 10


@pytest.mark.parametrize("name", ["json", "qwen3-vl", "anthropic-computer-use"])
def test_a_too_long_call_is_rejected(name: str) -> None:
    dialect = DIALECTS[name]
    for verb, arguments, thought in (
        ("a" * MAX_REPLY_LENGTH, "{}", "why"),
        ("tap", " " * MAX_REPLY_LENGTH, ""),
        ("tap", "{}", "t" * MAX_REPLY_LENGTH),
    ):
        reply = dialect.parse_tool_call(verb, arguments, view_of(dialect), thought)
        assert isinstance(reply, UnparsedReply) and reply.flaw is ReplyFlaw.TOO_LONG


def test_a_long_text_is_read_a_limited_number_of_times() -> None:
    """Every bracket but the first begins a value that turns out unterminated only at the end of the reply."""
    with pytest.raises(MalformedReplyError, match="too many brackets"):
        objects("{“" * 150 + "\\n" * 10_000, lambda value: True)


def test_an_object_without_its_closing_brackets_is_parsed() -> None:
    text = '{"a":{"b":{"c":{"action":"type","text":"' + "x" * 9_000 + '"}'
    found = objects(text, lambda value: "action" in value)
    assert [value["text"] for value, _, _ in found] == ["x" * 9_000]
