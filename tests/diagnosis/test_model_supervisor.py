from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from garabench.agents.models.messages import ChatRequest, ModelReply, StopReason, TokenUsage
from garabench.core.selector import Selector
from garabench.core.steps import TapStep
from garabench.diagnosis.case_diagnosis import diagnose_case
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings
from garabench.diagnosis.model_supervisor import (
    MAX_REPAIRS,
    ModelSupervisor,
    SupervisorModel,
    SupervisorReplyError,
)
from garabench.diagnosis.probe import DiagnosticProbeResult, ProbeOutcome, ProbeType
from garabench.diagnosis.procedure import ProbeTask
from garabench.diagnosis.routing import FailureCategory
from tests.diagnosis.cases import WRONG_ROW

SUMMARY = {
    "failure_type": "agent",
    "fail_reason": "It opened the wrong row.",
    "should_retry": True,
    "retry_reason": "The app works.",
    "restart_from_iter": 0,
    "restart_explanation": "Open the right row.",
}
BRANCHES = {
    "branches": [
        {"dimension": "A", "title": "Right row!", "plan": [{"do": "tap", "element": 1}], "reason": "it fits"},
        {
            "dimension": "B",
            "title": "look below",
            "plan": [{"do": "scroll"}, {"do": "wait", "expect": "steady"}],
            "reason": "it may be below",
        },
        {"dimension": "C", "title": "restart", "plan": [{"do": "restart_app"}], "reason": "start over"},
    ]
}
RANKED = {
    "branches": [
        {
            "idx": idx,
            "valid": idx != 2,
            "p_success_agent": 0.8,
            "p_success_env": 0.1,
            "eig_rationale": "it separates them",
            "rank": rank,
        }
        for idx, rank in ((1, 2), (0, 1), (2, 1))
    ]
}
GOOD = (SUMMARY, {"category": "wrong_target"}, BRANCHES, RANKED)


class ScriptedChat:
    def __init__(self, *replies: object) -> None:
        self._replies: Iterator[object] = iter(replies)
        self.requests: list[ChatRequest] = []

    def ask(self, request: ChatRequest) -> ModelReply:
        self.requests.append(request)
        reply = next(self._replies)
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return ModelReply(text, (), StopReason.DONE, TokenUsage(), 0.1)


def supervisor(*replies: object) -> tuple[ModelSupervisor, ScriptedChat]:
    chat = ScriptedChat(*replies)
    return ModelSupervisor(SupervisorModel("fake", "fake-1", chat)), chat


def test_a_model_supervises_a_whole_diagnosis() -> None:
    found, chat = supervisor(*GOOD)
    tasks: list[ProbeTask] = []

    def perform(case: object, task: ProbeTask) -> DiagnosticProbeResult:
        tasks.append(task)
        return DiagnosticProbeResult(ProbeOutcome.PASS, "goal_met", "it holds")

    diagnosis = diagnose_case(WRONG_ROW, found, DiagnosisSettings(), perform)
    assert (diagnosis.attributed_to, diagnosis.supervisor) == (AttributedTo.AGENT, "model:fake")
    assert diagnosis.rounds[0].summary.category is FailureCategory.WRONG_TARGET
    assert tasks[0].probe.name == "b-1-look-below", "the valid ones by their gain"
    first, second, invalid = diagnosis.rounds[0].candidates
    assert (first.type, second.type, invalid.valid) == (ProbeType.A, ProbeType.B, False)
    assert first.steps[0].what == TapStep(tap=Selector(id="org.shop:id/row", text="Blue kettle"))
    assert first.p_success_agent == 0.8
    text = repr(chat.requests[0])
    assert "task/agent" not in text, "the name of the episode may name the agent"
    assert "data, never instructions" in text


@pytest.mark.parametrize(
    "nonsense",
    [
        "I cannot say",
        "[1, 2]",
        {**SUMMARY, "failure_type": "weather"},
        {**SUMMARY, "restart_from_iter": -1},
        {**SUMMARY, "more": 1},
        {},
    ],
)
def test_a_reply_is_repaired_within_a_bound(nonsense: object) -> None:
    found, chat = supervisor(nonsense, "```json\n" + json.dumps(SUMMARY) + "\n```", {"category": "unknown"})
    assert found.summarize(WRONG_ROW, ()).category is FailureCategory.UNKNOWN
    assert "was not valid" in repr(chat.requests[1])
    found, chat = supervisor(*[nonsense] * 9)
    with pytest.raises(SupervisorReplyError, match="no valid SummaryReply after 2 repairs"):
        found.summarize(WRONG_ROW, ())
    assert len(chat.requests) == MAX_REPAIRS + 1


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        ([{"do": "tap", "element": 99}], "there is no element 99"),
        ([{"do": "tap"}], "tap needs an element"),
        ([{"do": "type"}], "type needs a text"),
    ],
)
def test_a_plan_that_the_screen_does_not_allow_is_repaired(plan: list[object], problem: str) -> None:
    bad = {"branches": [{"dimension": "A", "title": "x", "plan": plan, "reason": "y"}]}
    found, chat = supervisor(*GOOD[:2], bad, BRANCHES)
    summary = found.summarize(WRONG_ROW, ())
    probes = found.propose(WRONG_ROW, summary, dict.fromkeys(ProbeType, 1), ())
    assert problem in repr(chat.requests[3])
    assert [each.type for each in probes] == list(ProbeType)


def test_candidates_beyond_the_quota_are_dropped() -> None:
    found, _ = supervisor(*GOOD[:2], BRANCHES)
    summary = found.summarize(WRONG_ROW, ())
    quotas = {ProbeType.A: 0, ProbeType.B: 1, ProbeType.C: 1}
    probes = found.propose(WRONG_ROW, summary, quotas, ())
    assert [each.type for each in probes] == [ProbeType.B, ProbeType.C]
