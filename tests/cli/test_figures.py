"""Tasks that cannot be done stand in a table of their own, and in no other."""

from __future__ import annotations

import json

from click.testing import CliRunner

from garabench.cli.figures import figures, figures_data
from garabench.cli.main import main
from garabench.cli.tables import WIDTH, infeasible_table
from garabench.stats.infeasible import InfeasibleRow
from garabench.stats.measures import Summary
from garabench.stats.rates import Rate
from tests.stats.test_infeasible import MIXED, episode


def wide() -> InfeasibleRow:
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
        gave_up_elsewhere=Rate(1111, 1520),
    )


def test_the_table_fits_the_width_of_the_others() -> None:
    text = infeasible_table([wide()], "virtual")
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "111/160 69.4%" in text
    assert "1111/1520" in text


def test_figures_of_both_kinds_are_told_apart() -> None:
    text = figures(MIXED, "virtual")
    success, _, beside = text.partition("Tasks that cannot be done, on a virtual device")
    assert "1/2 50.0%" in success
    assert "1/5 20.0%" in beside
    data = figures_data(MIXED)
    assert [row["success"]["trials"] for row in data["conditions"]] == [2]
    assert [row["right"]["trials"] for row in data["infeasible"]] == [5]


def test_figures_of_one_kind_have_no_empty_tables() -> None:
    only: list[Summary] = [episode("gave_up_rightly")]
    assert figures(only, "real").startswith("Tasks that cannot be done, on a real device")
    assert "cannot be done" not in figures([episode("goal_met", infeasible=False)], "real")


def test_they_are_listed_and_shown_by_their_names() -> None:
    listed = CliRunner().invoke(main, ["tasks", "list", "--json"])
    rows = json.loads(listed.stdout)
    assert len(rows) == 152
    assert not any(row["infeasible"] for row in rows)
    plain = CliRunner().invoke(main, ["tasks", "list"])
    assert len(plain.stdout.splitlines()) == 152
    assert "garabench tasks list infeasible" in plain.stderr
    beside = CliRunner().invoke(main, ["tasks", "list", "infeasible"])
    assert all(line.endswith("[cannot be done]") for line in beside.stdout.splitlines())
    shown = CliRunner().invoke(main, ["tasks", "show", "infeasible-bili-five-coins"])
    assert "cannot be done: A video can be given two coins at most." in shown.stdout
    assert "harm: bili-coin-given" in shown.stdout
