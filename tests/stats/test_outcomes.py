from __future__ import annotations

import numpy as np

from garabench.stats.outcomes import Unpaired, outcome_table
from tests.stats.test_measures import episode


def test_outcomes_are_aligned_by_task_and_seed() -> None:
    table = outcome_table(
        [
            episode("y", "clean", "success", seed=2),
            episode("y", "dual", "failure", seed=1, shown=1),
            episode("x", "clean", "failure", seed=1),
            episode("y", "clean", "failure", seed=1, agent="b"),
            episode("i", "clean", "success", infeasible=True),
        ]
    )
    assert (table.tasks, table.task_of.tolist()) == (("y", "x"), [0, 0, 1])
    assert (table.agents, table.conditions) == (("a", "b"), ("clean", "dual"))
    clean = table.columns["a", "clean"]
    assert clean.valid.tolist() == [False, True, True]
    assert clean.solved.tolist() == [False, True, False]
    assert table.columns["a", "dual"].shown.tolist() == [True, False, False]
    assert table.by_task(clean.valid).tolist() == [1, 1]


def test_what_is_in_no_pair_has_a_reason() -> None:
    table = outcome_table(
        [
            *(episode(str(number), "clean", "success") for number in range(6)),
            episode("0", "dual", "success", shown=1),
            episode("1", "dual", "error"),
            episode("2", "dual", "failure", unknown="it was not readable"),
            episode("3", "dual", "success", injected=1, missed=("timeout",)),
            episode("4", "dual", "error"),
        ]
    )
    left_out = table.left_out(table.columns["a", "clean"], table.columns["a", "dual"])
    assert dict(left_out) == {
        Unpaired.NO_PARTNER: 1,
        Unpaired.ERROR: 2,
        Unpaired.UNKNOWN: 1,
        Unpaired.NOT_SHOWN: 1,
    }
    assert not table.columns["a", "dual"].solved[1:].any()


def test_nothing_has_no_outcomes() -> None:
    table = outcome_table([])
    assert (table.tasks, table.agents) == ((), ())
    assert np.size(table.task_of) == 0
