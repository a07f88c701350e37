"""Options of commands that call models, and the tables of model usage."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from garabench.agents.models.cost import load_prices
from garabench.agents.models.session import ModelOptions
from garabench.agents.registry import resolve_all
from garabench.campaign.estimate import STEPS, estimate_usage
from garabench.campaign.planner import make_plan
from garabench.cli.comparison import comparison_tables
from garabench.cli.cost_tables import format_tokens
from garabench.cli.main import main
from garabench.cli.model_options import model_options
from garabench.core.usage import Usage
from garabench.records.results import Summary, summary_from_json, summary_to_json
from garabench.stats.result_tables import ResultTables, comparison_data
from garabench.stats.usage_rows import usage_rows
from tests.bundled import bundled_suite

TASK = "amap-favorite-tongji"


def options_of(*words: str) -> ModelOptions:
    found: list[ModelOptions] = []

    @click.command()
    @model_options
    def command(models: ModelOptions) -> None:
        found.append(models)

    done = CliRunner().invoke(command, list(words))
    if done.exit_code:
        raise ValueError(done.output)
    return found[0]


def test_options_become_values() -> None:
    assert options_of() == ModelOptions()
    options = options_of(
        "--max-cost",
        "$2.50",
        "--max-tokens",
        "7",
        "--max-time",
        "1.5h",
        "--prices",
        "p",
        "--cache-replies",
        "c",
    )
    assert (options.budget.cost, options.budget.tokens, options.budget.seconds) == (Decimal("2.50"), 7, 5400)
    assert (options.prices, options.cache, options.replay) == (Path("p"), Path("c"), None)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("30m", 1800), ("2 h", 7200), ("0.5m", 30)]
)
def test_durations_have_units(text: str, seconds: float) -> None:
    assert options_of("--max-time", text).budget.seconds == seconds


@pytest.mark.parametrize(
    "words",
    [
        ["--max-cost", "much"],
        ["--max-cost", "0"],
        ["--max-cost", "-1"],
        ["--max-cost", "nan"],
        ["--max-cost", "inf"],
        ["--max-tokens", "0"],
        ["--max-time", "soon"],
        ["--max-time", "0"],
        ["--max-time", "-5m"],
        ["--max-time", "5d"],
    ],
)
def test_invalid_budgets_are_reported(words: list[str]) -> None:
    with pytest.raises(ValueError, match=words[0]):
        options_of(*words)


def summary(agent: str = "one", cost: str | None = "0.5", **more: object) -> Summary:
    usage = Usage(
        requests=5, tries=7, repairs=1, sent=10_000, received=500, cached=4000, seconds=10,
        cost=None if cost is None else Decimal(cost),
    )  # fmt: skip
    usual: dict[str, object] = {
        "task": "t", "agent": agent, "condition": "clean", "seed": 1,
        "outcome": "success", "reason": "goal_met",
        "steps": 4, "solution_steps": 4, "seconds": 20.0, "deciding": 12.0, "usage": usage,
    }  # fmt: skip
    return Summary(**{**usual, **more})  # type: ignore[arg-type]


def test_usage_is_summed_up() -> None:
    (row,) = usage_rows([summary(), summary(outcome="error", seed=2), summary("other", usage=None)])
    assert (row.episodes, row.requests, row.repairs, row.retries, row.sent, row.cached) == (
        2,
        10,
        2,
        4,
        20_000,
        8000,
    )
    assert (row.cost, row.cost_per_episode) == (Decimal(1), Decimal("0.5"))
    assert (row.model_seconds, row.agent_seconds, row.device_seconds) == (20, 4, 16)


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    (row,) = usage_rows([summary(), summary(cost=None, seed=2)])
    assert row.cost is None
    text = comparison_tables([summary(cost=None)], "virtual")
    assert "unknown" in text


def test_usage_table_is_only_printed_for_models() -> None:
    with_model = comparison_tables([summary()], "virtual")
    assert "Model usage" in with_model
    for figure in ("10.0k", "4.0k", "500", "$0.5000", "2.0s", "1.6s", "1/5"):
        assert figure in with_model
    assert max(map(len, with_model.splitlines())) <= 100
    without = [summary(usage=None)]
    assert "Model usage" not in comparison_tables(without, "virtual")
    assert comparison_data(ResultTables(summaries=tuple(without)))["usage"] == []
    assert comparison_data(ResultTables(summaries=(summary(),)))["usage"][0]["cost"] == "0.5"


def test_summary_survives_a_round_trip_through_json() -> None:
    for item in (summary(), summary(usage=None)):
        assert summary_from_json(summary_to_json(item)) == item
    old = summary_to_json(summary())
    for name in ("seconds", "deciding", "usage"):
        del old[name]
    assert summary_from_json(old).usage is None, "results of an earlier version"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (999, "999"), (12_345, "12.3k"), (4_560_000, "4.56M")]
)
def test_token_counts_are_shortened(number: int, text: str) -> None:
    assert format_tokens(number) == text


def test_estimate_follows_its_assumptions() -> None:
    suite = bundled_suite()
    specs = resolve_all(["gpt-4o", "ui-tars", "dismiss"])
    one = make_plan(suite.select(TASK), ("gpt-4o", "ui-tars", "dismiss"), conditions=("clean",))
    many = make_plan(suite.select(TASK), ("gpt-4o", "ui-tars", "dismiss"), seeds=10)
    few, more = (estimate_usage(plan, suite, specs, load_prices()) for plan in (one, many))
    assert [row.agent for row in few] == ["gpt-4o", "ui-tars"]
    steps = len(suite.tasks[TASK].task.solution) * STEPS
    assert few[0].requests == pytest.approx(steps * 1.05, abs=1)
    assert [row.episodes for row in more] == [30, 30]
    assert more[0].sent == pytest.approx(30 * few[0].sent, rel=0.01)
    assert few[0].cost is not None
    assert few[0].cost > 0
    assert few[1].cost is None


def test_estimate_starts_no_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = CliRunner().invoke(
        main, ["run", "--estimate", "--tasks", TASK, "--agents", "gpt-4o", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert "Estimated model usage" in done.stdout
    assert "1.5 times the reference solution's" in done.stdout
    assert not out.exists()
