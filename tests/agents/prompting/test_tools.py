"""The tool functions that models are offered are those that their dialects parse."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.agents.prompting.tools import tools_for
from garabench.core import action as act
from tests.agents.dialects.test_round_trip import actions
from tests.agents.dialects.views import SCREEN, view_of
from tests.cases import every_case

CALLED = [name for name, dialect in DIALECTS.items() if dialect.functions is not None]


def schemas(name: str) -> dict[str, dict[str, Any]]:
    tools = tools_for(DIALECTS[name], view_of(DIALECTS[name]))
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool.parameters)
        assert tool.description
    return {tool.name: dict(tool.parameters) for tool in tools}


def test_some_dialects_are_called() -> None:
    assert {"json", "qwen2.5-vl", "gemini-computer-use", "openai-computer-use"} <= set(CALLED)
    assert tools_for(DIALECTS["ui-tars-1.5"], view_of(DIALECTS["ui-tars-1.5"])) == ()


@pytest.mark.parametrize("name", CALLED)
def test_every_action_that_is_offered_is_understood(name: str) -> None:
    functions = DIALECTS[name].functions
    assert functions is not None
    offered = schemas(name)
    words = set(offered)
    if functions.shared:
        assert set(offered) == {functions.shared}
        words = set(offered[functions.shared]["properties"][functions.verb]["enum"])
    assert words <= set(DIALECTS[name].verbs)


@pytest.mark.parametrize("name", CALLED)
@settings(max_examples=40)
@given(data=st.data())
def test_a_rendered_tool_call_matches_the_schema_and_is_parsed_back(name: str, data: st.DataObject) -> None:
    dialect = DIALECTS[name]
    view = view_of(dialect)
    action = data.draw(actions(SCREEN))
    called = dialect.render_tool_call(action, view)
    if called is None:
        return
    function, arguments = called
    verb = dialect.functions.verb if dialect.functions else ""
    offered = schemas(name)
    message = json.loads(arguments)
    if not verb or message[verb] in offered[function]["properties"][verb]["enum"]:
        jsonschema.validate(message, offered[function])
    reply = dialect.parse_tool_call(function, arguments, view, "why")
    assert isinstance(reply, ParsedReply), (called, reply)
    assert reply.thought == "why"
    text = dialect.render(action, view, "why")
    assert text is not None
    written = dialect.parse(text, view)
    assert isinstance(written, ParsedReply) and written.action == reply.action


@every_case("name", CALLED)
@every_case("arguments", ["", "{", "[]", "null", '"text"', '{"action": 5, "type": 5}', "\x00", "{}"])
def test_malformed_arguments_are_a_named_flaw(name: str, arguments: str) -> None:
    dialect = DIALECTS[name]
    function = (dialect.functions and dialect.functions.shared) or "click_at"
    reply = dialect.parse_tool_call(function, arguments, view_of(dialect))
    assert isinstance(reply, UnparsedReply) and reply.reason


@pytest.mark.parametrize("name", CALLED)
def test_an_unknown_function_is_a_named_flaw(name: str) -> None:
    reply = DIALECTS[name].parse_tool_call("format_disk", "{}", view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply) and reply.flaw is ReplyFlaw.UNKNOWN_ACTION


@pytest.mark.parametrize("name", [name for name in CALLED if name.endswith("computer-use")])
def test_vendors_tools_say_that_they_are_done(name: str) -> None:
    dialect, view = DIALECTS[name], view_of(DIALECTS[name])
    for action in (act.Done(answer="42"), act.GiveUp(reason="no"), act.OpenApp(package="tv.danmaku.bili")):
        called = dialect.render_tool_call(action, view)
        assert called is not None
        assert dialect.parse_tool_call(*called, view) == ParsedReply(action)
