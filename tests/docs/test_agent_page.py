"""The page on external agents shows the shipped examples and messages that the protocol allows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from garabench.agents.external.autonomous_process import DONE, GAVE_UP, MODEL_FAILED
from garabench.agents.external.schemas import message_schema
from garabench.core.schemas import suite_schema
from garabench.errors import AgentFault

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "bring-your-agent.md").read_text(encoding="utf-8")
MESSAGES = re.findall(r"^```json (to-agent|from-agent)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["agent.js", "drive.sh"])
def test_examples_equal_the_shipped_files(name: str) -> None:
    (shown,) = re.findall(rf"^```\w+ file={re.escape(name)}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert shown == (DOCS / "examples" / name).read_text(encoding="utf-8")


def test_every_message_has_an_example() -> None:
    types = {(side, json.loads(text)["type"]) for side, text in MESSAGES}
    assert types == {
        *(("to-agent", name) for name in ("hello", "start", "observe", "end")),
        *(("from-agent", name) for name in ("ready", "decision", "fault")),
    }


@pytest.mark.parametrize(("side", "text"), MESSAGES, ids=[text[:40] for _, text in MESSAGES])
def test_messages_match_the_published_schema(side: str, text: str) -> None:
    jsonschema.Draft202012Validator(message_schema(side)).validate(json.loads(text))


def test_every_action_is_documented() -> None:
    message = message_schema("from-agent")["$defs"]["DecisionMessage"]
    actions = message["properties"]["action"]["discriminator"]["mapping"]
    assert [name for name in actions if f"`{name}`" not in PAGE] == []


def test_documented_exit_statuses_are_used() -> None:
    assert re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE) == [str(DONE), str(GAVE_UP), str(MODEL_FAILED)]


def test_every_agent_fault_is_in_the_table() -> None:
    page = (DOCS / "metrics.md").read_text(encoding="utf-8")
    reasons = suite_schema("event")["$defs"]["EpisodeEnded"]["properties"]["reason"]["enum"]
    assert set(AgentFault) <= set(reasons)
    assert [reason for reason in reasons if f"`{reason}`" not in page] == []
