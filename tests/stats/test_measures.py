from __future__ import annotations

import json

import pytest

from garabench.cli.tables import headline_table
from garabench.core import events as ev
from garabench.core.end_criterion import EndCriterion
from garabench.core.injection import FailureKind
from garabench.records.results import (
    InjectedInterruption,
    Summary,
    as_version,
    summarize,
    summary_from_json,
    summary_to_json,
)
from garabench.stats.means import Mean
from garabench.stats.measures import condition_rows, drop_rows
from garabench.stats.rates import Rate


def episode(task: str, condition: str, outcome: str, **more: object) -> Summary:
    reason = {"success": "goal_met", "failure": "step_limit", "error": "fault"}[outcome]
    fields = {"reason": reason, "steps": 4, "agent": "a", "seed": 0, **more}
    return Summary(task=task, condition=condition, outcome=outcome, **fields)  # type: ignore[arg-type]


def test_an_error_is_in_no_rate_and_is_counted_separately() -> None:
    (row,) = condition_rows([episode("x", "clean", "success"), episode("y", "clean", "error")])
    assert (row.success.successes, row.success.trials, row.errors) == (1, 1, 1)


def test_an_ambiguous_answer_is_counted_apart_from_a_wrong_one() -> None:
    reasons = ("ambiguous_answer", "false_done", "false_done", "step_limit")
    (row,) = condition_rows([episode(reason, "clean", "failure", reason=reason) for reason in reasons])
    assert (row.ambiguous, row.false_done) == (Rate(1, 4), Rate(2, 4))


def test_steps_to_the_exit_are_a_mean_over_interruptions_not_episodes() -> None:
    (row,) = condition_rows(
        [
            episode("x", "dual", "success", shown=2, recovery=(0, 3)),
            episode("y", "dual", "failure", shown=1, recovery=()),  # open at the end
            episode("z", "dual", "success", shown=1, recovery=(6,)),
            episode("w", "dual", "error", shown=1, recovery=(99,)),
        ]
    )
    assert row.recovery == Mean(3, 3)
    (clean,) = condition_rows([episode("x", "clean", "success")])
    assert clean.recovery == Mean(None, 0)


def test_a_drop_uses_only_pairs_without_an_error() -> None:
    (row,) = drop_rows(
        [
            episode("x", "clean", "success"),
            episode("x", "dual", "failure", shown=1),
            episode("y", "clean", "success"),
            episode("y", "dual", "success"),
            episode("z", "clean", "error"),
            episode("z", "dual", "success", shown=1),
            episode("lonely", "dual", "failure", shown=1),
        ]
    )
    assert row.paired.trials == 2
    assert row.drop == 0.5
    assert (row.rsr.successes, row.rsr.trials) == (1, 2)
    assert (row.rsr_shown.successes, row.rsr_shown.trials) == (0, 1)


def test_no_pair_gives_no_drop() -> None:
    (row,) = drop_rows([episode("x", "clean", "error"), episode("x", "dual", "success")])
    assert row.drop is None
    assert row.rsr.value is None


def test_a_reference_agent_is_marked_even_without_a_pair() -> None:
    (row,) = drop_rows([episode("x", "clean", "error", reference=True), episode("x", "dual", "error")])
    assert row.reference
    assert row.paired.trials == 0


def test_seeds_are_paired_with_themselves() -> None:
    (row,) = drop_rows(
        [
            episode("x", "clean", "success", seed=0),
            episode("x", "clean", "failure", seed=1),
            episode("x", "forced", "failure", seed=0),
            episode("x", "forced", "success", seed=1),
        ]
    )
    assert (row.paired.only_first, row.paired.only_second) == (1, 1)


def test_a_summary_counts_only_what_was_shown() -> None:
    log = (
        ev.EpisodeStarted(
            step=0, t=0, task="x", agent="a", condition="dual", seed=3, suite_hash="h", instruction="i"
        ),
        ev.InterruptionInjected(
            step=1, t=1, rule="r", interruption="n", category="network", mode="dual", token="t1"
        ),
        ev.InjectionFailed(step=1, t=1, token="t1", reason="covered", kind=FailureKind.DIALOG_ON_TOP),
        ev.InterruptionInjected(
            step=2,
            t=2,
            rule="r2",
            interruption="m",
            category="system",
            mode="dual",
            token="t2",
            severity="high",
        ),
        ev.InterruptionShown(step=2, t=2, token="t2"),
        ev.InterruptionResolved(step=4, t=3, token="t2", how="answered", exit="ok", role="accept", steps=2),
        ev.EpisodeEnded(step=5, t=4, outcome="success", reason="goal_met", steps=6),
    )
    summary = summarize(log, solution_steps=3)
    assert summary is not None
    assert (summary.injected, summary.shown, summary.exits, summary.recovery) == (2, 1, ("accept",), (2,))
    assert summary.missed == ("dialog-on-top",)
    assert as_version(summary, 1).interruptions == (
        InjectedInterruption("n", "network", "", False),
        InjectedInterruption("m", "system", "high", True),
    )
    line = json.loads(json.dumps(summary_to_json(summary)))
    assert line["interruptions"][1] == {
        "interruption": "m",
        "category": "system",
        "severity": "high",
        "shown": True,
        "incomplete": "",
        "rule": "r2",
        "mode": "dual",
        "step": 2,
        "exit": "accept",
        "aftermath": {"recovered": "unknown", "steps": None, "seconds": None, "drift": None},
    }
    assert summary_from_json(line) == summary
    del line["interruptions"]
    assert summary_from_json(line).interruptions == (), "older results have none"
    assert summary.counts
    assert summarize(log[:-1]) is None
    (row,) = condition_rows([summary])
    assert row.inflation == Mean(2.0, 1)


def test_an_episode_whose_interruption_was_not_shown_is_in_no_rate_and_is_reported() -> None:
    items = [
        episode("x", "clean", "success"),
        episode("x", "dual", "success", injected=1, missed=("start-refused",)),
        episode("y", "clean", "success"),
        episode("y", "dual", "failure", injected=1, shown=1),
        episode("z", "clean", "success"),
        episode("z", "dual", "success", injected=2, shown=1, missed=("timeout",)),
        episode("w", "clean", "success"),
        episode("w", "dual", "error", injected=1, missed=("lost-device",)),
    ]
    clean, dual = condition_rows(items)
    assert (clean.success, clean.missed) == (Rate(4, 4), ())
    assert (dual.success, dual.triggered, dual.errors) == (Rate(1, 2), Rate(2, 2), 1)
    assert dual.missed == (("start-refused", 1),)
    (row,) = drop_rows(items)
    assert (row.clean, row.interrupted, row.rsr, row.rsr_shown) == (
        Rate(2, 2),
        Rate(1, 2),
        Rate(1, 2),
        Rate(1, 2),
    )
    text = str(headline_table([clean, dual], (), "virtual"))
    assert "excluded: 1 of" in text
    assert "start-refused 1" in text


def test_exits_are_counted_over_shown_interruptions() -> None:
    (row,) = condition_rows(
        [
            episode("x", "dual", "success", shown=2, exits=("dismiss", "accept")),
            episode("y", "dual", "failure", shown=1, exits=("open",)),
            episode("z", "dual", "success"),
            episode("w", "dual", "error", shown=3, exits=("back",)),
        ]
    )
    assert (row.interruptions, row.triggered.successes, row.triggered.trials) == (3, 2, 3)
    assert sum(count for _, count in row.exits) == row.interruptions


def test_loops_and_missing_done_are_counted_where_they_are_known() -> None:
    done = {"end": EndCriterion.DONE, "goal_reached": True}
    items = [
        episode("x", "clean", "success", **done, repeated=0),
        episode("y", "clean", "failure", **done, repeated=4),
        episode("z", "clean", "failure", end=EndCriterion.DONE, goal_reached=False, repeated=None),
        episode("v", "clean", "success", goal_reached=True),
    ]
    (row,) = condition_rows(items)
    assert (row.missing_done, row.loops) == (Rate(1, 2), Rate(1, 2))


def test_results_of_version_1_are_read_and_newer_ones_refused() -> None:
    summary = episode("x", "clean", "success", app="a.b", repeated=3)
    line = summary_to_json(summary)
    assert summary_from_json(json.loads(json.dumps(line))) == summary
    old = {name: line[name] for name in ("task", "agent", "condition", "seed", "outcome", "reason", "steps")}
    read = summary_from_json(old | {"exits": [], "recovery": []})
    assert read == as_version(summary, 1)
    assert (read.version, read.app, read.repeated) == (1, "", None)
    with pytest.raises(ValueError, match="version 99; this GaraBench reads versions up to 2"):
        summary_from_json(line | {"version": 99})
