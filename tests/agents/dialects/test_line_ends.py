"""A newline at the end of a text means Enter only in dialects whose documentation says so."""

from __future__ import annotations

import json

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply
from garabench.core import action as act
from garabench.core.action import Action
from tests.agents.dialects.views import view_of
from tests.cases import every_case

ENTER: dict[str, str] = {
    "ui-tars-1.0": "Action: type(content={})",
    "ui-tars-1.5": "Action: type(content={})",
    "doubao-ui-tars": "Action: type(content={})",
    "gui-owl": '### Thought ###\nw\n### Action ###\n{{"action":"type","text":{}}}\n### Description ###\nd',
    "autoglm-phone": '<answer>do(action="Type", text={})</answer>',
    "openai-computer-use": '{{"type":"type","text":{}}}',
    "anthropic-computer-use": '{{"action":"type","text":{}}}',
    "appagent": "Action: text({})",
}
"""Dialects in which it is Enter: by the maker's prompt or client, or as there is no other word for it."""

LITERAL: dict[str, str] = {
    "agentcpm-gui": '{{"thought":"t","TYPE":{}}}',
    "qwen2.5-vl": '<tool_call>{{"name":"mobile_use","arguments":{{"action":"type","text":{}}}}}</tool_call>',
    "qwen3-vl": '<tool_call>{{"name":"mobile_use","arguments":{{"action":"type","text":{}}}}}</tool_call>',
    "gui-owl-1.5": '<tool_call>{{"name":"mobile_use","arguments":{{"action":"type","text":{}}}}}</tool_call>',
    "glm-4.5v": 'Action: {{"action_type":"input_text","text":{}}}',
    "m3a": 'Action: {{"action_type":"input_text","text":{}}}',
    "json": '{{"action":"type","text":{}}}',
    "gemini": '{{"action":"type","text":{}}}',
    "gemini-computer-use": '{{"name":"type","args":{{"text":{}}}}}',
}


def read(name: str, template: str, text: str) -> Action:
    reply = DIALECTS[name].parse(template.format(json.dumps(text)), view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    return reply.action


def test_every_dialect_is_classified() -> None:
    assert ENTER.keys() | LITERAL.keys() == DIALECTS.keys()
    assert not ENTER.keys() & LITERAL.keys()


@every_case("name", ENTER)
@every_case(
    ("text", "typed", "submit"),
    [("稻香", "稻香", False), ("稻香\n", "稻香", True), ("a\nb\n", "a\nb", True), ("a\n\n", "a", True)],
)
def test_a_trailing_line_break_is_enter(name: str, text: str, typed: str, submit: bool) -> None:
    clear = name == "autoglm-phone"
    assert read(name, ENTER[name], text) == act.Type(text=typed, submit=submit, clear=clear)


@every_case("name", LITERAL)
@every_case("text", ["稻香", "稻香\n", "a\nb\n", "\n"])
def test_a_line_break_is_typed(name: str, text: str) -> None:
    assert read(name, LITERAL[name], text) == act.Type(text=text)


@pytest.mark.parametrize(
    ("name", "submit"), [("ui-tars-1.5", True), ("gui-owl", True), ("autoglm-phone", False), ("json", False)]
)
def test_an_escaped_escape_sequence(name: str, submit: bool) -> None:
    """UI-TARS's parser and Mobile-Agent's client read a backslash and an n as a newline; others do not."""
    template = ENTER.get(name) or LITERAL[name]
    typed = read(name, template, "a\\n")
    assert typed == act.Type(text="a" if submit else "a\\n", submit=submit, clear=name == "autoglm-phone")


@every_case("name", DIALECTS)
@every_case("text", ["a\n", "a\\n", "a"])
@every_case("submit", [False, True])
def test_ambiguous_texts_are_not_rendered(name: str, text: str, submit: bool) -> None:
    dialect = DIALECTS[name]
    action = act.Type(text=text, submit=submit, clear=name == "autoglm-phone")
    written = dialect.render(action, view_of(dialect))
    if written is None:
        return
    reply = dialect.parse(written, view_of(dialect))
    assert isinstance(reply, ParsedReply) and reply.action == action, written
