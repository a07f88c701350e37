"""The supervisor that asks a model: strict replies, bounded repair, and a count of what it uses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from garabench.agents.models.messages import (
    Chat,
    ChatMessage,
    ChatRequest,
    ChatRole,
    ModelReply,
    ReplyForm,
    StopReason,
    TextPart,
)
from garabench.core import action as act
from garabench.core import steps as st
from garabench.core.selector import Selector
from garabench.core.tree import UiNode, UiTree
from garabench.diagnosis import supervisor_prompts as prompts
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.failure_summary import FailureSummary
from garabench.diagnosis.loop import PerformedProbe
from garabench.diagnosis.probe import (
    Continuation,
    DiagnosticProbe,
    EvidenceKind,
    Expected,
    ProbeStep,
    ProbeType,
)
from garabench.diagnosis.supervisor_replies import (
    BranchesReply,
    BranchReply,
    CategoryReply,
    PlanStep,
    SelectionReply,
    SummaryReply,
)
from garabench.diagnosis.touched_elements import selector_of, words_on
from garabench.errors import ModelError

MAX_REPAIRS = 2
"""Requests for a corrected reply, after the first."""
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n\s*```\Z", re.DOTALL)
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")
_R = TypeVar("_R", bound=BaseModel)


class SupervisorReplyError(ModelError):
    """No reply was valid, also after repairs."""


@dataclass(frozen=True, slots=True)
class SupervisorModel:
    """The model of a supervisor.

    Attributes:
        name: Its name in records.
        model: Its name at its endpoint.
        chat: Sends the requests; it may read through a cache.
        used: Called with each reply, and whether it was a repair; raises when a budget is used up.
        parameters: Additional parameters of the endpoint, such as ``temperature``.
    """

    name: str
    model: str
    chat: Chat
    used: Callable[[ModelReply, bool], None] = lambda reply, repair: None
    parameters: Mapping[str, Any] = field(default_factory=dict)


class ModelSupervisor:
    """Supervises diagnoses by a model.

    Attributes:
        name: ``model:NAME``.
    """

    def __init__(self, model: SupervisorModel, continuation: Continuation = Continuation.REFERENCE) -> None:
        """Prepare; nothing is sent.

        Args:
            model: The model.
            continuation: Who continues after a probe's steps.
        """
        self.name = f"model:{model.name}"
        self._model = model
        self._continuation = continuation

    def summarize(self, case: FailedCase, history: Sequence[PerformedProbe]) -> FailureSummary:
        """Ask for the summary, then for the category.

        Raises:
            SupervisorReplyError: No reply was valid.
            ModelError: The endpoint failed.
        """
        found = self._ask(prompts.summary_request(case, history), SummaryReply)
        category = self._ask(prompts.category_request(case, found.fail_reason), CategoryReply)
        fork = min(found.restart_from_iter, len(case.steps) - 1)
        return FailureSummary(
            fork=fork,
            category=category.category,
            explanation=found.fail_reason,
            failure_type=found.failure_type,
            restart=found.restart_explanation,
            wrong=fork,
        )

    def propose(
        self,
        case: FailedCase,
        summary: FailureSummary,
        quotas: dict[ProbeType, int],
        history: Sequence[PerformedProbe],
    ) -> tuple[DiagnosticProbe, ...]:
        """Ask for candidates; those beyond the quota of their type are dropped.

        Raises:
            SupervisorReplyError: No reply was valid.
            ModelError: The endpoint failed.
        """
        tree = case.steps[summary.fork].tree
        found = self._ask(
            prompts.branches_request(case, summary, quotas, history),
            BranchesReply,
            lambda reply: _problem(reply, tree),
        )
        left = dict(quotas)
        probes: list[DiagnosticProbe] = []
        for branch in found.branches:
            if left[branch.dimension] > 0:
                left[branch.dimension] -= 1
                probes.append(self._probe(branch, tree, case.app, len(probes)))
        return tuple(probes)

    def select(
        self,
        case: FailedCase,
        summary: FailureSummary,
        candidates: Sequence[DiagnosticProbe],
        history: Sequence[PerformedProbe],
    ) -> tuple[DiagnosticProbe, ...]:
        """Ask for the ranking; a candidate that the reply leaves out is invalid.

        Raises:
            SupervisorReplyError: No reply was valid.
            ModelError: The endpoint failed.
        """
        found = self._ask(
            prompts.selection_request(case, summary, candidates, history),
            SelectionReply,
            lambda reply: _ranking_problem(reply, len(candidates)),
        )
        ranked = {
            each.idx: replace(
                candidates[each.idx],
                valid=each.valid,
                p_success_agent=each.p_success_agent,
                p_success_env=each.p_success_env,
            )
            for each in sorted(found.branches, key=lambda each: (not each.valid, each.rank))
        }
        rest = [replace(each, valid=False) for place, each in enumerate(candidates) if place not in ranked]
        return (*ranked.values(), *rest)

    def _probe(self, branch: BranchReply, tree: UiTree, app: str, number: int) -> DiagnosticProbe:
        title = _NOT_A_NAME.sub("-", branch.title.lower()).strip("-")[:40] or "probe"
        return DiagnosticProbe(
            f"{branch.dimension.lower()}-{number}-{title}",
            branch.dimension,
            tuple(step for each in branch.plan for step in _steps(each, tree, app)),
            branch.reason,
            self._continuation,
        )

    def _ask(self, request: str, schema: type[_R], problem: Callable[[_R], str] = lambda reply: "") -> _R:
        text = asked = prompts.with_schema(request, schema)
        for repairs in range(MAX_REPAIRS + 1):
            reply = self._model.chat.ask(
                ChatRequest(
                    self._model.model,
                    (
                        ChatMessage(ChatRole.SYSTEM, (TextPart(prompts.SYSTEM),)),
                        ChatMessage(ChatRole.USER, (TextPart(text),)),
                    ),
                    ReplyForm.JSON,
                    parameters=self._model.parameters,
                )
            )
            self._model.used(reply, repairs > 0)
            try:
                found = schema.model_validate(_parse(reply))
                flaw = problem(found)
            except ValueError as error:
                flaw = _flaw(error)
            else:
                if not flaw:
                    return found
            text = prompts.repair_request(asked, reply.text, flaw)
        raise SupervisorReplyError(
            f"no valid {schema.__name__} after {MAX_REPAIRS} repairs: {flaw}; it replied "
            f"{' '.join(reply.text.split())[:120]!r}"
        )


def _parse(reply: ModelReply) -> object:
    """Return the JSON of a reply.

    Raises:
        ValueError: It has none.
    """
    if reply.stop is not StopReason.DONE:
        raise ValueError(f"the reply ended early: {reply.stop.value}")
    text = reply.text.strip()
    fenced = _FENCE.match(text)
    try:
        return json.loads(fenced[1] if fenced else text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _flaw(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'the object'}: {each['msg']}"
            for each in error.errors(include_url=False, include_input=False)[:5]
        )
    return str(error)


def _problem(reply: BranchesReply, tree: UiTree) -> str:
    """Return what is wrong with proposed probes on a screen, or empty."""
    count = len(prompts.nameable_elements(tree))
    for place, branch in enumerate(reply.branches):
        for step in branch.plan:
            if step.element is not None and not 0 <= step.element < count:
                return f"branches.{place}: there is no element {step.element}"
            if step.element is None and step.do in ("tap", "long_press"):
                return f"branches.{place}: {step.do} needs an element"
            if step.do == "type" and not step.text:
                return f"branches.{place}: type needs a text"
    return ""


def _ranking_problem(reply: SelectionReply, count: int) -> str:
    numbers = [each.idx for each in reply.branches]
    if any(number >= count for number in numbers):
        return f"idx must be below {count}"
    return "" if len(set(numbers)) == len(numbers) else "an idx occurs twice"


def _steps(step: PlanStep, tree: UiTree, app: str) -> tuple[ProbeStep, ...]:
    expected = Expected(EvidenceKind(step.expect))
    node = None if step.element is None else prompts.nameable_elements(tree)[step.element]
    if node is not None and step.do in ("tap", "long_press", "type"):
        return (_on_element(step, node, tree, expected),)
    what: act.Action
    match step.do:
        case "scroll":
            at = None if node is None else node.bounds.center
            what = act.Scroll(
                direction=step.direction,
                x=None if at is None else at.x,
                y=None if at is None else at.y,
            )
        case "key":
            what = act.Key(name=step.key)
        case "back":
            what = act.Back()
        case "type":
            what = act.Type(text=step.text, clear=True)
        case "restart_app":
            return (
                ProbeStep(act.Home(), expected, "press Home"),
                ProbeStep(act.OpenApp(package=app), expected, "open the app"),
            )
        case _:
            what = act.Wait(seconds=1)
    return (ProbeStep(what, expected, step.do.replace("_", " ")),)


def _on_element(step: PlanStep, node: UiNode, tree: UiTree, expected: Expected) -> ProbeStep:
    """Return a step on an element, named by a selector where it has one."""
    label, at = f"{step.do.replace('_', ' ')} {words_on(node)!r}", node.bounds.center
    selector: Selector | None = selector_of(tree, node)
    what: st.SolutionStep | act.Action
    match step.do:
        case "tap":
            what = act.Tap(x=at.x, y=at.y) if selector is None else st.TapStep(tap=selector)
        case "long_press":
            what = (
                act.LongPress(x=at.x, y=at.y) if selector is None else st.LongPressStep(long_press=selector)
            )
        case _:
            what = act.Type(text=step.text, clear=True, at=(at.x, at.y))
    return ProbeStep(what, expected, label)
