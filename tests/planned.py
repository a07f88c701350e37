"""Make the episodes of a plan without resolving its agents."""

from __future__ import annotations

from garabench.agents.agent_name import parse_agent_name
from garabench.campaign import planner
from garabench.episode.spec import EpisodeSpec
from garabench.records.plan import Plan
from garabench.suite.suite import Suite


def episodes(plan: Plan, suite: Suite) -> tuple[EpisodeSpec, ...]:
    """Return all episodes of a plan, with agents by name."""
    return planner.episodes(plan, suite, [parse_agent_name(text).name for text in plan.agents])
