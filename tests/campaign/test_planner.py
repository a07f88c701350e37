from __future__ import annotations

import pytest

from garabench.agents.registry import resolve_all
from garabench.campaign.planner import make_plan, recorded_agents
from garabench.episode.machine import EpisodeLimits
from garabench.errors import InputError
from garabench.records.plan import MAX_INTERRUPTIONS
from garabench.records.run_file import RunAgentKind
from tests.bundled import bundled_suite
from tests.planned import episodes

SUITE = bundled_suite()
TASK = "bili-like-song-live"
(ITEM,) = SUITE.select(TASK)


def test_without_a_level_only_the_rules_of_the_task_decide() -> None:
    clean, dual, _ = episodes(make_plan([ITEM], ("dismiss",)), SUITE)
    assert [(spec.stress_level, spec.additional_rules) for spec in (clean, dual)] == [(None, ())] * 2
    assert dual.rules == SUITE.rules_of(ITEM)
    assert dual.limits == EpisodeLimits(ITEM.task.max_steps, dual.seconds)


@pytest.mark.parametrize("level", range(1, MAX_INTERRUPTIONS + 1))
def test_level_adds_the_rules_of_the_app_and_steps(level: int) -> None:
    clean, dual, forced = episodes(make_plan([ITEM], ("dismiss",), interruptions=level), SUITE)
    assert (clean.stress_level, clean.additional_rules, clean.limits.steps_per_interruption) == (None, (), 0)
    for spec in (dual, forced):
        assert spec.stress_level == level
        assert spec.rules == SUITE.rules_of(ITEM)
        assert {bound.app for bound in spec.additional_rules} <= {ITEM.app, "any"}
        assert set(spec.rules) <= set(spec.additional_rules)
        assert (spec.limits.steps, spec.limits.expected_interruptions) == (
            ITEM.task.max_steps,
            len(spec.rules),
        )
        assert spec.limits.steps_per_interruption == len(ITEM.task.solution) + 3


@pytest.mark.parametrize("level", [0, -1, MAX_INTERRUPTIONS + 1])
def test_levels_range_from_1_to_5(level: int) -> None:
    with pytest.raises(InputError, match="the plan's interruptions: input should be"):
        make_plan([ITEM], ("dismiss",), interruptions=level)


def test_a_plan_without_episodes_is_refused() -> None:
    with pytest.raises(InputError, match="no task is selected"):
        make_plan((), ("dismiss",))
    with pytest.raises(InputError, match="no agent is selected"):
        make_plan([ITEM], ())
    with pytest.raises(InputError, match="the plan's seeds: input should be"):
        make_plan([ITEM], ("dismiss",), seeds=0)
    with pytest.raises(InputError, match="limit must be at least 1, not 0"):
        make_plan([ITEM], ("dismiss",), limit=0)


def test_level_does_not_change_the_seeds_of_the_rules() -> None:
    plain = episodes(make_plan([ITEM], ("dismiss",), seed=7), SUITE)
    high = episodes(make_plan([ITEM], ("dismiss",), seed=7, interruptions=5), SUITE)
    assert [(spec.name, spec.seed, spec.folder) for spec in plain] == [
        (spec.name, spec.seed, spec.folder) for spec in high
    ]


def test_the_run_file_names_the_profiles_of_model_agents() -> None:
    texts = ("dismiss", "gpt-4o", "tars=ui-tars?base_url=http://127.0.0.1:1/v1")
    agents = recorded_agents(make_plan([ITEM], texts), resolve_all(texts))
    assert [(agent.name, agent.text, agent.kind, agent.profile) for agent in agents] == [
        ("dismiss", texts[0], RunAgentKind.REFERENCE, ""),
        ("gpt-4o", texts[1], RunAgentKind.MODEL, "gpt-4o"),
        ("tars", texts[2], RunAgentKind.MODEL, "ui-tars"),
    ]
