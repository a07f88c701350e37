"""What the page on agents of one's own shows is what is shipped, and what the protocol allows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from garabench.agents.external.autonomous_process import DONE, GAVE_UP, MODEL_FAILED
from garabench.agents.external.schemas import schema_of
from garabench.core.schemas import schema_of as suite_schema_of
from garabench.errors import AgentFault

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "bring-your-agent.md").read_text(encoding="utf-8")
MESSAGES = re.findall(r"^```json (to-agent|from-agent)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["agent.js", "drive.sh"])
def test_an_example_is_shown_as_it_is_shipped(name: str) -> None:
    (shown,) = re.findall(rf"^```\w+ file={re.escape(name)}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert shown == (DOCS / "examples" / name).read_text(encoding="utf-8")


def test_every_message_is_shown() -> None:
    types = {(side, json.loads(text)["type"]) for side, text in MESSAGES}
    assert types == {
        *(("to-agent", name) for name in ("hello", "start", "observe", "end")),
        *(("from-agent", name) for name in ("ready", "decision", "fault")),
    }


@pytest.mark.parametrize(("side", "text"), MESSAGES, ids=[text[:40] for _, text in MESSAGES])
def test_a_message_is_of_the_published_form(side: str, text: str) -> None:
    jsonschema.Draft202012Validator(schema_of(side)).validate(json.loads(text))


def test_every_action_is_named() -> None:
    message = schema_of("from-agent")["$defs"]["DecisionMessage"]
    actions = message["properties"]["action"]["discriminator"]["mapping"]
    assert [name for name in actions if f"`{name}`" not in PAGE] == []


def test_the_exit_statuses_are_those_that_are_read() -> None:
    assert re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE) == [str(DONE), str(GAVE_UP), str(MODEL_FAILED)]


def test_every_reason_of_an_end_is_in_the_table_of_faults() -> None:
    page = (DOCS / "metrics.md").read_text(encoding="utf-8")
    reasons = suite_schema_of("event")["$defs"]["EpisodeEnded"]["properties"]["reason"]["enum"]
    assert set(AgentFault) <= set(reasons)
    assert [reason for reason in reasons if f"`{reason}`" not in page] == []
