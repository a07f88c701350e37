"""Actions within lists, vendors' envelopes and calls as text; two actions are rejected."""

from __future__ import annotations

import json

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.agents.models.messages import ModelReply, StopReason, TokenUsage, ToolCall
from garabench.agents.models.reply_parsing import parse_reply
from garabench.core import action as act
from garabench.core.action import Action
from tests.agents.dialects.views import view_of
from tests.cases import every_case

TAP = act.Tap(x=540, y=1200)
BACKS: dict[str, str] = {
    "json": '{"action":"back"}',
    "gemini": '{"action":"back"}',
    "agentcpm-gui": '{"PRESS":"BACK"}',
    "openai-computer-use": '{"type":"keypress","keys":["BACK"]}',
    "anthropic-computer-use": '{"action":"key","text":"back"}',
    "gemini-computer-use": '{"name":"go_back","args":{}}',
}
HOMES: dict[str, str] = {
    "json": '{"action":"home"}',
    "gemini": '{"action":"home"}',
    "agentcpm-gui": '{"PRESS":"HOME"}',
    "openai-computer-use": '{"type":"keypress","keys":["HOME"]}',
    "anthropic-computer-use": '{"action":"key","text":"home"}',
    "gemini-computer-use": '{"name":"go_home","args":{}}',
}
CLICK = '{"type":"click","x":353,"y":784,"button":"left"}'
ESCAPED = json.dumps(CLICK)


@pytest.mark.parametrize("name", BACKS)
def test_a_list_of_one_action_is_that_action(name: str) -> None:
    dialect = DIALECTS[name]
    for text in (
        f'{{"actions":[{BACKS[name]}]}}',
        f'{{"thought":"t","actions":[{BACKS[name]},{BACKS[name]}]}}',
    ):
        reply = dialect.parse(text, view_of(dialect))
        assert isinstance(reply, ParsedReply), reply
        assert reply.action == act.Back()


@pytest.mark.parametrize("name", BACKS)
def test_a_list_of_different_actions_is_rejected(name: str) -> None:
    dialect = DIALECTS[name]
    reply = dialect.parse(f'{{"actions":[{BACKS[name]},{HOMES[name]}]}}', view_of(dialect))
    assert isinstance(reply, UnparsedReply) and reply.flaw is ReplyFlaw.SEVERAL_ACTIONS, reply


@every_case("name", BACKS)
@every_case(
    ("text", "flaws"),
    [
        ('{"actions":[]}', {ReplyFlaw.NO_ACTION}),
        ('{"actions":[1,2]}', {ReplyFlaw.BAD_ARGUMENT}),
        ('{"actions":["back"]}', {ReplyFlaw.BAD_ARGUMENT}),
        ('{"actions":[[]]}', {ReplyFlaw.BAD_ARGUMENT}),
        ('{"actions":{}}', {ReplyFlaw.NO_ACTION}),
        ('{"actions":null}', {ReplyFlaw.NO_ACTION}),
        ('{"actions":[{"note":"x"}]}', {ReplyFlaw.NO_ACTION}),
    ],
)
def test_a_list_without_actions_is_rejected(name: str, text: str, flaws: set[ReplyFlaw]) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply) and reply.flaw in flaws, reply


@every_case(
    ("name", "text", "action"),
    [
        ("openai-computer-use", f'{{"type":"computer_call","call_id":"c","action":{CLICK}}}', TAP),
        ("openai-computer-use", f'{{"type":"computer_call","call_id":"c","actions":[{CLICK}]}}', TAP),
        ("openai-computer-use", f'{{"name":"computer","arguments":{CLICK}}}', TAP),
        ("openai-computer-use", f'{{"name":"computer","arguments":{ESCAPED}}}', TAP),
        (
            "openai-computer-use",
            f'{{"type":"function","function":{{"name":"computer","arguments":{ESCAPED}}}}}',
            TAP,
        ),
        ("openai-computer-use", f'{{"actions":[{CLICK},{{"type":"screenshot"}}]}}', TAP),
        ("openai-computer-use", '{"type":"click","args":{"x":353,"y":784}}', TAP),
        (
            "anthropic-computer-use",
            '{"type":"tool_use","name":"computer","input":{"action":"left_click","coordinate":[353,784]}}',
            TAP,
        ),
        (
            "anthropic-computer-use",
            '{"name":"computer","arguments":{"action":"left_click","coordinate":[353,784]}}',
            TAP,
        ),
        ("gemini-computer-use", '{"functionCall":{"name":"click_at","args":{"x":500,"y":500}}}', TAP),
        ("gemini-computer-use", '{"function_call":{"name":"click","args":{"x":500,"y":500}}}', TAP),
        (
            "gemini-computer-use",
            '{"name":"open_app","args":{"name":"JD"}}',
            act.OpenApp(package="com.jingdong.app.mall"),
        ),
        ("agentcpm-gui", '{"thought":"t","action":{"POINT":[500,500]}}', TAP),
        ("agentcpm-gui", '{"name":"act","arguments":{"POINT":[500,500]}}', TAP),
    ],
)
def test_nested_actions_are_found(name: str, text: str, action: Action) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == action


def test_the_thought_of_a_nested_action_is_kept() -> None:
    dialect = DIALECTS["agentcpm-gui"]
    reply = dialect.parse('{"thought":"返回","actions":[{"PRESS":"BACK"}]}', view_of(dialect))
    assert reply == ParsedReply(act.Back(), "返回")


@pytest.mark.parametrize("name", BACKS)
def test_nesting_is_limited(name: str) -> None:
    text = '{"actions":[' * 20 + BACKS[name] + "]}" * 20
    assert isinstance(DIALECTS[name].parse(text, view_of(DIALECTS[name])), UnparsedReply)


def answer(*arguments: str) -> ModelReply:
    calls = tuple(ToolCall("computer", each) for each in arguments)
    return ModelReply(text="", calls=calls, stop=StopReason.DONE, usage=TokenUsage(0, 0), seconds=0.0)


def test_repeated_calls_are_one_and_different_calls_are_rejected() -> None:
    dialect = DIALECTS["openai-computer-use"]
    assert parse_reply(answer(CLICK, CLICK), dialect, view_of(dialect)) == ParsedReply(TAP)
    other = parse_reply(answer(CLICK, '{"type":"wait"}'), dialect, view_of(dialect))
    assert isinstance(other, UnparsedReply) and other.flaw is ReplyFlaw.SEVERAL_ACTIONS
