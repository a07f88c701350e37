"""Texts that contain unescaped quotes are parsed in full or rejected, never truncated."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.core import action as act
from tests.agents.dialects.views import view_of
from tests.cases import every_case

TARS = "ui-tars-1.5"
GLM = "autoglm-phone"
_ANOTHER = re.compile(r"""['"]\s*,\s*[A-Za-z]\w*\s*=\s*['"“]""")


def answer(call: str) -> str:
    return f"<think>why</think>\n<answer>{call}</answer>"


@every_case(
    ("name", "text", "action"),
    [
        (TARS, "Action: type(content='it's fine')", act.Type(text="it's fine")),
        (TARS, "Action: type(content='it's fine'\n)", act.Type(text="it's fine")),
        (TARS, "Action: type(content='it's fine\\n')", act.Type(text="it's fine", submit=True)),
        (TARS, "Action: type(content='say 'hi'')", act.Type(text="say 'hi'")),
        (TARS, "Action: type(content='see ('a') there')", act.Type(text="see ('a') there")),
        (TARS, 'Action: type(content="say "yes", "no"")', act.Type(text='say "yes", "no"')),
        (TARS, "Action: type(content='5\" screen')", act.Type(text='5" screen')),
        (TARS, 'Action: type(content="5" screen")', act.Type(text='5" screen')),
        (TARS, "Action: type(content='it\\'s \\'fine\\'')", act.Type(text="it's 'fine'")),
        (TARS, "Action: type(content=‘it’s fine’)", act.Type(text="it’s fine")),
        (TARS, "Action: type(content=“他说“好”了”)", act.Type(text="他说“好”了")),
        (TARS, "Action: type(content='')", act.Type(text="")),
        (TARS, "Action: type(content='a=1, b')", act.Type(text="a=1, b")),
        (TARS, "Action: press_back() because it's wrong", act.Back()),
        (TARS, "Action: type(content='a') to search", act.Type(text="a")),
        (TARS, "Action: finished(content='It's 'A'.')", act.Done(answer="It's 'A'.")),
        (
            GLM,
            answer('do(action="Type", text="say "hi"")'),
            act.Type(text='say "hi"', clear=True),
        ),
        (
            GLM,
            answer('do(action="Type", text="say "hi"", message="m")'),
            act.Type(text='say "hi"', clear=True),
        ),
        (GLM, answer('finish(message="价格是"301"")'), act.Done(answer='价格是"301"')),
        (GLM, 'finish(message="价格是"301"元（含税）")', act.Done(answer='价格是"301"元（含税）')),
        ("appagent", 'Action: text("say "hi"")\nSummary: s', act.Type(text='say "hi"')),
        ("appagent", 'Action: text("say "yes", "no"")', act.Type(text='say "yes", "no"')),
    ],
)
def test_inner_quotes_are_part_of_the_text(name: str, text: str, action: act.Action) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert reply.action == action


@every_case(
    ("name", "text"),
    [
        (TARS, "Action: type(content='a' + 'b')"),
        (TARS, "Action: type(content='a' 'b')"),
        (TARS, "Action: type(content='a'.upper())"),
        (TARS, "Action: type(content='a', 'b')"),
        (TARS, "Action: type(content='a', b)"),
        (TARS, "Action: type(content='a', b, other='c')"),
        (TARS, "Action: type(content='a') or type 'b' there"),
        (TARS, "Action: finished(content=done, with all)"),
        (TARS, "Action: type(content='a', b=1')"),
        (TARS, 'Action: type(content="say ("hi")\nbye")'),
        (GLM, answer('do(action="Type", text="do(a="b", c="d")")')),
        (GLM, answer('do(action="Type", text="a", "b")')),
        ("appagent", 'Action: text("a", "b")'),
        ("appagent", "Action: tap(5, 6)"),
        ("appagent", f'Action: text("{"a" * 10_001}")'),
    ],
)
def test_an_ambiguous_text_is_rejected(name: str, text: str) -> None:
    reply = DIALECTS[name].parse(text, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw is ReplyFlaw.BAD_ARGUMENT, reply


@settings(max_examples=300)
@given(words=st.text(alphabet="ab 1'\",.=()+买“”’", max_size=14))
@pytest.mark.parametrize(
    ("name", "write"),
    [
        (TARS, "Action: type(content='{}')"),
        (TARS, 'Action: type(content="{}")'),
        ("appagent", 'Action: text("{}")'),
    ],
)
def test_a_single_line_text_is_never_truncated(name: str, write: str, words: str) -> None:
    assume(not _ANOTHER.search(words))  # two arguments instead of one text with quotes
    reply = DIALECTS[name].parse(write.format(words), view_of(DIALECTS[name]))
    if isinstance(reply, ParsedReply):
        assert isinstance(reply.action, act.Type) and reply.action.text == words


@pytest.mark.parametrize("tail", [" " * 50_000, ")" + " " * 50_000 + "'", "' " * 40_000])
def test_a_long_reply_is_parsed_in_linear_time(tail: str) -> None:
    """Parsing many blanks after a quote takes linear time."""
    reply = DIALECTS[TARS].parse(f"Action: type(content=''{tail}", view_of(DIALECTS[TARS]))
    assert isinstance(reply, UnparsedReply) and reply.flaw is ReplyFlaw.BAD_ARGUMENT
