from __future__ import annotations

from pathlib import Path

import pytest

from garabench.campaign.recorded_agents import RecordedAgents
from garabench.errors import InputError
from garabench.records.plan import Plan
from garabench.records.reader import Run
from tests.small_suite import run_file


def test_an_agent_is_resolved_once_under_its_recorded_name(tmp_path: Path) -> None:
    plan = Plan(tasks=("any",), agents=("ignore", "mine=dismiss"), conditions=("clean",))
    agents = RecordedAgents(Run(tmp_path, run_file(plan)))
    assert agents.spec("mine").named.body == "dismiss"
    assert agents.spec("mine") is agents.spec("mine")
    with pytest.raises(InputError, match="has no agent 'dismiss'"):
        agents.spec("dismiss")
