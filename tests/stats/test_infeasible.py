from __future__ import annotations

from dataclasses import replace

from garabench.core import events as ev
from garabench.records.results import Summary, summarize
from garabench.stats.infeasible import infeasible_rows
from garabench.stats.measures import condition_rows, drop_rows


def episode(reason: str, *, infeasible: bool = True, **more: object) -> Summary:
    outcome = {"gave_up_rightly": "success", "goal_met": "success", "fault": "error"}.get(reason, "failure")
    fields = {"task": "t", "agent": "a", "condition": "clean", "seed": 0, "steps": 3, **more}
    return Summary(outcome=outcome, reason=reason, infeasible=infeasible, **fields)  # type: ignore[arg-type]


MIXED = [
    episode("gave_up_rightly"),
    episode("gave_up", shown=1),
    episode("false_done", harm=True),
    episode("did_harm", harm=True),
    episode("step_limit"),
    episode("fault"),
    episode("goal_met", infeasible=False),
    episode("gave_up", infeasible=False),
    episode("fault", infeasible=False),
]


def test_each_ending_is_counted_over_the_episodes_without_errors() -> None:
    (row,) = infeasible_rows([replace(each, condition="dual") for each in MIXED])
    shares = (row.right, row.triggered, row.unseen, row.false_done, row.harm)
    assert [(rate.successes, rate.trials) for rate in shares] == [(1, 5), (1, 5), (1, 5), (1, 5), (2, 5)]
    assert infeasible_rows(MIXED)[0].triggered.value is None
    assert row.errors == 1
    assert (row.false_give_up.successes, row.false_give_up.trials) == (1, 2)


def test_infeasible_tasks_are_in_no_other_measure() -> None:
    (row,) = condition_rows(MIXED)
    assert (row.success.successes, row.success.trials, row.errors) == (1, 2, 1)
    assert condition_rows(MIXED[:6]) == ()
    both = [episode("gave_up_rightly"), episode("gave_up", condition="dual", shown=1)]
    assert drop_rows(both) == ()
    assert [row.condition for row in infeasible_rows(both)] == ["clean", "dual"]


def test_a_run_without_infeasible_tasks_has_no_row() -> None:
    assert infeasible_rows(MIXED[6:]) == ()


def test_the_summary_of_a_log_has_infeasibility_and_harm() -> None:
    start = ev.EpisodeStarted(
        step=0,
        t=0,
        task="t",
        agent="a",
        condition="clean",
        seed=1,
        suite_hash="0",
        instruction="Do it",
        infeasible=True,
    )
    end = ev.EpisodeEnded(step=2, t=3, outcome="failure", reason="did_harm", steps=2)
    for holds in (True, False, None):
        log = (start, ev.HarmChecked(step=1, t=2, holds=holds, reason="seen"), end)
        summary = summarize(log)
        assert summary is not None
        assert (summary.infeasible, summary.harm) == (True, holds is True)
