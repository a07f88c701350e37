from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.agents.models.budget import Budget
from garabench.agents.models.session import ModelOptions
from garabench.diagnosis.probe import Continuation
from garabench.diagnosis.routing import FailureCategory, quotas, routing_weights
from garabench.errors import BudgetExceededError, InputError, ModelError
from garabench.probing.supervisors import make_supervisor
from garabench.testing.behaviour import ScriptedReplies
from garabench.testing.server import FakeModelServer
from tests.diagnosis.cases import WRONG_ROW
from tests.diagnosis.test_model_supervisor import BRANCHES, RANKED, SUMMARY

REPLIES = [json.dumps(each) for each in (SUMMARY, {"category": "wrong_target"}, BRANCHES, RANKED)]


def test_a_model_is_asked_over_the_wire_and_cached(tmp_path: Path) -> None:
    options = ModelOptions(cache=tmp_path / "cache")
    with FakeModelServer(ScriptedReplies(['{"weather": 1}', *REPLIES]), key="") as server:
        name = f"ui-tars?base_url={server.base_url}"
        for _ in range(2):
            found = make_supervisor(name, Continuation.AGENT, options, tmp_path)
            summary = found.summarize(WRONG_ROW, ())
            shares = quotas(routing_weights(summary.category), 5)
            candidates = found.propose(WRONG_ROW, summary, shares, ())
            ranked = found.select(WRONG_ROW, summary, candidates, ())
            assert summary.category is FailureCategory.WRONG_TARGET
            assert [each.valid for each in ranked] == [True, True, False]
        assert len(server.requests) == 5, "four replies and a repair, once"


def test_a_budget_ends_the_supervision(tmp_path: Path) -> None:
    options = ModelOptions(budget=Budget(tokens=1))
    with FakeModelServer(ScriptedReplies(REPLIES), key="") as server:
        found = make_supervisor(f"ui-tars?base_url={server.base_url}", Continuation.AGENT, options, tmp_path)
        with pytest.raises(BudgetExceededError):
            found.summarize(WRONG_ROW, ())


def test_a_model_that_answers_nonsense_is_a_model_error(tmp_path: Path) -> None:
    with FakeModelServer(ScriptedReplies(['{"weather": 1}'], repeat=True), key="") as server:
        name = f"ui-tars?base_url={server.base_url}"
        found = make_supervisor(name, Continuation.AGENT, ModelOptions(), tmp_path)
        with pytest.raises(ModelError, match="no valid SummaryReply"):
            found.summarize(WRONG_ROW, ())


def test_an_agent_without_a_model_cannot_supervise(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a model agent"):
        make_supervisor("heuristic", Continuation.AGENT, ModelOptions(), tmp_path)
