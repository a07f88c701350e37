"""The replies that a model supervisor must give, as strict schemas: the fields of DiagEval's prompts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from garabench.core.geometry import Direction
from garabench.core.keys import KeyName
from garabench.diagnosis.failure_summary import FailureType
from garabench.diagnosis.probe import ProbeType
from garabench.diagnosis.routing import FailureCategory

_Words = Annotated[str, Field(min_length=1, max_length=2000)]
_Share = Annotated[float, Field(ge=0, le=1)]


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class SummaryReply(_Reply):
    """Why the episode failed, and from which step to try again.

    Attributes:
        failure_type: ``agent``, ``env`` or ``ambiguous``.
        fail_reason: Why it failed.
        should_retry: Whether another attempt is likely to help; recorded, but probes are performed anyway.
        retry_reason: Why it will or will not.
        restart_from_iter: The step to restart from.
        restart_explanation: Why this step, and what to do differently.
    """

    failure_type: FailureType
    fail_reason: _Words
    should_retry: bool
    retry_reason: _Words
    restart_from_iter: Annotated[int, Field(ge=0)]
    restart_explanation: _Words


class CategoryReply(_Reply):
    """The category of the failure."""

    category: FailureCategory


class PlanStep(_Reply):
    """A step of a proposed probe, on the screen at the fork.

    Attributes:
        do: What to do.
        element: Number of the element in the listing; for ``tap``, ``long_press`` and optionally ``type``.
        text: The text to type.
        direction: Direction of the hidden content, for ``scroll``.
        key: Name of the key, for ``key``.
        expect: ``changed`` or ``steady``: what a working environment shows after the step.
    """

    do: Literal["tap", "long_press", "type", "scroll", "key", "back", "wait", "restart_app"]
    element: int | None = None
    text: Annotated[str, Field(max_length=500)] = ""
    direction: Direction = "down"
    key: KeyName = "enter"
    expect: Literal["changed", "steady"] = "changed"


class BranchReply(_Reply):
    """A proposed probe.

    Attributes:
        dimension: Its type.
        title: A short identifier.
        plan: Its steps.
        reason: Why it addresses the failure.
    """

    dimension: ProbeType
    title: Annotated[str, Field(min_length=1, max_length=80)]
    plan: Annotated[tuple[PlanStep, ...], Field(max_length=6)]
    reason: _Words


class BranchesReply(_Reply):
    """The proposed probes."""

    branches: Annotated[tuple[BranchReply, ...], Field(min_length=1, max_length=10)]


class RankedBranch(_Reply):
    """What the supervisor expects of a candidate.

    Attributes:
        idx: Its number in the listing.
        valid: Whether it is feasible, specific and not a repetition.
        p_success_agent: Chance of a success if the agent is at fault.
        p_success_env: Chance of a success signal if the environment is at fault.
        eig_rationale: Why its outcomes separate the two, or do not.
        rank: Its rank among the valid ones, from 1.
    """

    idx: Annotated[int, Field(ge=0)]
    valid: bool
    p_success_agent: _Share
    p_success_env: _Share
    eig_rationale: _Words
    rank: Annotated[int, Field(ge=1)]


class SelectionReply(_Reply):
    """The ranking of all candidates."""

    branches: Annotated[tuple[RankedBranch, ...], Field(min_length=1, max_length=10)]
