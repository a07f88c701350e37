"""Text after an action may deny it: a dialect rejects it, unless delimiters mark the action."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, UnparsedReply
from garabench.core import action as act
from tests.agents.dialects.views import elements, view_of
from tests.cases import every_case

DENIED = "\nNo, wait: that would be wrong."
REJECTS = (
    "agentcpm-gui",
    "json",
    "gemini",
    "gemini-computer-use",
    "openai-computer-use",
    "anthropic-computer-use",
)
"""Their reply is an object, and no more."""
IGNORES = tuple(name for name in DIALECTS if name not in REJECTS)
SPOT = elements(view_of(DIALECTS["json"]).screen)[5].center


def written(name: str) -> str:
    text = DIALECTS[name].render(act.Tap(x=SPOT.x, y=SPOT.y), view_of(DIALECTS[name]), "why")
    assert text is not None
    return text


@every_case("name", REJECTS)
@every_case("tail", [DENIED, " would be wrong", "\n\n不对。", "\n```\nThis opens it."])
def test_text_after_an_object_is_rejected(name: str, tail: str) -> None:
    reply = DIALECTS[name].parse(written(name) + tail, view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply), reply
    assert reply.flaw is ReplyFlaw.NO_ACTION and "after the action" in reply.reason


@every_case("name", REJECTS)
@every_case("tail", ["", "\n", " ", ".", "\n```", "<|im_end|>", "</s>\n", "}", "]", "</answer>", "。"])
def test_punctuation_after_an_object_is_ignored(name: str, tail: str) -> None:
    reply = DIALECTS[name].parse(written(name) + tail, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert isinstance(reply.action, act.Tap)


@pytest.mark.parametrize("name", IGNORES)
def test_text_after_a_marked_action_is_ignored(name: str) -> None:
    reply = DIALECTS[name].parse(written(name) + DENIED, view_of(DIALECTS[name]))
    assert isinstance(reply, ParsedReply), reply
    assert isinstance(reply.action, act.Tap)


@pytest.mark.parametrize("name", IGNORES)
def test_another_action_after_an_action_is_always_rejected(name: str) -> None:
    other = DIALECTS[name].render(act.Back(), view_of(DIALECTS[name]), "why")
    assert other is not None
    reply = DIALECTS[name].parse(f"{written(name)}{DENIED}\n{other}", view_of(DIALECTS[name]))
    assert isinstance(reply, UnparsedReply) and reply.flaw is ReplyFlaw.SEVERAL_ACTIONS, reply


def test_the_documentation_lists_every_dialect_once() -> None:
    text = (Path(__file__).parents[3] / "docs" / "models.md").read_text(encoding="utf-8")
    rows = text.split("## Text after an action")[1].split("\n## ")[0]
    expected = {
        name: "rejected" in row.split("|")[2]
        for row in rows.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    }
    assert expected == {name: name in REJECTS for name in DIALECTS}
