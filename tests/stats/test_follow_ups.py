from __future__ import annotations

import pytest

from garabench.cli.comparison import comparison_tables
from garabench.core import events as ev
from garabench.records.results import (
    InjectedInterruption,
    Summary,
    as_version,
    summarize,
    summary_from_json,
    summary_to_json,
)
from garabench.stats.follow_ups import FollowUpRow, follow_up_rows
from garabench.stats.result_tables import ResultTables, comparison_data

STEP = "store_page: Android has no app for market://"


def log(*steps: tuple[str, bool, str], how: str = "answered", role: str = "accept") -> list[ev.Event]:
    return [
        ev.EpisodeStarted(
            step=0, t=0, task="t", agent="a", condition="dual", seed=1, suite_hash="s", instruction="Do it"
        ),
        ev.InterruptionInjected(
            step=1, t=1, rule="r", interruption="app-update", category="app-prompt", mode="dual",
            token="t", reason="",
        ),
        ev.InterruptionShown(step=1, t=1, token="t"),
        ev.InterruptionResolved(step=2, t=2, token="t", how=how, exit="x", role=role, steps=1),  # type: ignore[arg-type]
        *(
            ev.FollowUpPerformed(
                step=2, t=2, token="t", button="accept", description=text, ok=ok, detail=detail
            )
            for text, ok, detail in steps
        ),
        ev.EpisodeEnded(step=3, t=3, outcome="success", reason="goal_met", steps=3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("events", "exit_", "reason"),
    [
        (log(), "accept", ""),
        (log(("relaunch", True, "")), "accept", ""),
        (log(("store_page", False, "none"), ("relaunch", True, "")), "accept_incomplete", "store_page: none"),
        (log(("relaunch", True, ""), ("home", False, "no")), "accept_incomplete", "home: no"),
        (log(("a", False, "first"), ("b", False, "second")), "accept_incomplete", "a: first"),
        (log(("force_stop", False, "no"), role="exit"), "exit_incomplete", "force_stop: no"),
        (log(how="left", role=""), "x", ""),
        (log(how="open", role=""), "open", ""),
    ],
)
def test_an_exit_whose_second_stage_failed_is_classified_apart(
    events: list[ev.Event], exit_: str, reason: str
) -> None:
    summary = summarize(events)
    assert summary is not None
    assert summary.exits == (exit_,)
    assert as_version(summary, 1).interruptions == (
        InjectedInterruption("app-update", "app-prompt", "", True, reason),
    )
    assert summary_from_json(summary_to_json(summary)) == summary


def test_a_result_without_the_field_is_still_read() -> None:
    summary = summarize(log())
    assert summary is not None
    data = summary_to_json(summary)
    del data["interruptions"][0]["incomplete"]
    assert summary_from_json(data) == summary


def episode(task: str, outcome: str, *reason: str, agent: str = "a", shown: bool = True) -> Summary:
    met = tuple(InjectedInterruption("app-update", "app-prompt", "medium", shown, each) for each in reason)
    exits = tuple("accept_incomplete" if each else "accept" for each in reason)
    return Summary(
        task, agent, "dual", 1, outcome, "goal_met", 3, injected=len(met), shown=len(met), exits=exits,
        interruptions=met,
    )  # fmt: skip


def test_incomplete_second_stages_are_counted_by_interruption() -> None:
    items = [
        episode("x", "success", STEP, ""),
        episode("y", "failure", "relaunch: no"),
        episode("z", "success", STEP),
        episode("w", "error", STEP),
        episode("x", "success", "", agent="fine"),
    ]
    assert follow_up_rows(items) == (
        FollowUpRow("a", "dual", False, "app-update", 4, 3, ((STEP, 2), ("relaunch: no", 1))),
    )


def test_comparison_reports_incomplete_second_stages() -> None:
    items = [episode("x", "success", STEP, "")]
    text = comparison_tables(items, "real")
    assert "accept_incomplete" in text
    assert f"  app-update a dual: 1 of 2 shown: {STEP}" in text
    (row,) = comparison_data(ResultTables(summaries=tuple(items)))["follow_ups"]
    assert (row["shown"], row["incomplete"], row["reasons"]) == (2, 1, ((STEP, 1),))
    assert "incomplete" not in comparison_tables([episode("x", "success", "")], "real")
