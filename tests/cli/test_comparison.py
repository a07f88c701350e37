"""Infeasible tasks have their own table, and the summary of a run fits one screen."""

from __future__ import annotations

import json

from click.testing import CliRunner

from garabench.cli.comparison import comparison_tables, run_summary
from garabench.cli.main import main
from garabench.cli.table_formats import WIDTH
from garabench.cli.tables import infeasible_table
from garabench.records.results import Summary
from garabench.stats.infeasible import InfeasibleRow
from garabench.stats.intervals import wilson_interval
from garabench.stats.measures import drop_rows
from garabench.stats.rates import Rate
from garabench.stats.result_tables import ResultTables, comparison_data
from tests.cli.test_compare import episode as interrupted_episode
from tests.stats.test_infeasible import MIXED, episode


def widest_row() -> InfeasibleRow:
    counts = Rate(111, 160)
    return InfeasibleRow(
        agent="an-agent-with-a-long-name",
        condition="forced",
        reference=True,
        right=counts,
        errors=12,
        triggered=counts,
        unseen=counts,
        false_done=counts,
        harm=counts,
        false_give_up=Rate(1111, 1520),
    )


def test_table_fits_the_width() -> None:
    text = str(infeasible_table([widest_row()], "virtual"))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "111/160 69.4%" in text
    assert "1111/1520" in text


def test_feasible_and_infeasible_tasks_have_separate_tables() -> None:
    text = comparison_tables(MIXED, "virtual")
    success, _, infeasible = text.partition("Infeasible tasks (virtual device)")
    assert "1/2 50.0%" in success
    assert "1/5 20.0%" in infeasible
    data = comparison_data(ResultTables(summaries=tuple(MIXED)))
    assert [row["success"]["trials"] for row in data["conditions"]] == [2]
    assert [row["right"]["trials"] for row in data["infeasible"]] == [5]


def test_there_are_no_empty_tables() -> None:
    only: list[Summary] = [episode("gave_up_rightly")]
    assert comparison_tables(only, "real").startswith("Infeasible tasks (real device)")
    assert "Infeasible" not in comparison_tables([episode("goal_met", infeasible=False)], "real")


def test_infeasible_tasks_are_listed_and_shown_by_name() -> None:
    listed = CliRunner().invoke(main, ["tasks", "list", "--json"])
    rows = json.loads(listed.stdout)
    assert len(rows) == 152
    assert not any(row["infeasible"] for row in rows)
    plain = CliRunner().invoke(main, ["tasks", "list"])
    assert len(plain.stdout.splitlines()) == 152
    assert "garabench tasks list infeasible" in plain.stderr
    infeasible = CliRunner().invoke(main, ["tasks", "list", "infeasible"])
    assert all(line.endswith("[infeasible]") for line in infeasible.stdout.splitlines())
    shown = CliRunner().invoke(main, ["tasks", "show", "infeasible-bili-five-coins"])
    assert "infeasible: A video accepts at most two coins." in shown.stdout
    assert "harm: bili-any-coin-given" in shown.stdout


def test_summary_of_a_run_fits_one_screen() -> None:
    summaries = [
        interrupted_episode(f"task-{number}", condition, outcome, agent=agent)
        for agent in ("dismiss", "ignore", "an-agent-of-a-model-with-a-long-name")
        for condition in ("clean", "dual", "forced")
        for number, outcome in enumerate(["success"] * 9 + ["failure"] * 5 + ["error"] * 2)
    ]
    lines = run_summary(summaries, "virtual").splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) + 5 <= 40, "with the five lines of next commands"
    assert lines[0] == "Success by agent and condition (virtual device)"
    assert "Behaviour by condition" in comparison_tables(summaries, "virtual")
    assert "Behaviour by condition" not in "\n".join(lines)


def test_summary_of_a_run_has_the_intervals_of_compare() -> None:
    """Four seeds of one task say less about an agent than four tasks."""
    summaries = [
        interrupted_episode(f"task-{number}", condition, outcome, seed=seed)
        for condition in ("clean", "dual")
        for number, outcome in enumerate(["success"] * 4 + ["failure"])
        for seed in range(4)
    ]
    row = next(line for line in run_summary(summaries, "virtual").splitlines() if "dual" in line)
    assert row in comparison_tables(summaries, "virtual").splitlines()
    expected = wilson_interval(4, 4)
    assert f"16/16 100% [{expected.low * 100:.0f}–100]" in row
    assert drop_rows(summaries)[0].rsr.interval() == expected, "without the bootstrap, too"
