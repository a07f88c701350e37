from __future__ import annotations

from garabench.records.aftermath import AfterInterruption, Drift, RecoveredTo
from garabench.records.results import InjectedInterruption
from garabench.stats.means import NO_VALUE, Mean
from garabench.stats.rates import Rate
from garabench.stats.recovery import recovery_rows
from tests.stats.test_measures import episode

SAME = AfterInterruption(RecoveredTo.SAME, 1, 0.5, ())
ANOTHER = AfterInterruption(RecoveredTo.ANOTHER, 4, 2.5, (Drift.TEXT_GONE,))
NEVER = AfterInterruption(RecoveredTo.NEVER, drift=())
UNKNOWN = AfterInterruption(RecoveredTo.UNKNOWN)


def interruption(after: AfterInterruption | None) -> InjectedInterruption:
    return InjectedInterruption("n", "network", "low", True, aftermath=after)


def test_what_is_not_known_is_in_no_share() -> None:
    items = [
        episode("x", "dual", "success", shown=2, interruptions=(interruption(SAME), interruption(ANOTHER))),
        episode("y", "dual", "failure", shown=2, interruptions=(interruption(NEVER), interruption(UNKNOWN))),
        episode("z", "dual", "success", shown=1, interruptions=(interruption(None),)),
        episode("e", "dual", "error", shown=1, interruptions=(interruption(NEVER),)),
        episode("i", "dual", "failure", shown=1, interruptions=(interruption(NEVER),), infeasible=True),
        episode("x", "clean", "success"),
    ]
    (row,) = recovery_rows(items)
    assert (row.condition, row.shown, row.unknown, row.drift_unknown) == ("dual", 5, 2, 2)
    assert (row.same, row.another, row.never) == (Rate(1, 3), Rate(1, 3), Rate(1, 3))
    assert (row.steps, row.seconds) == (Mean(2.5, 2), Mean(1.5, 2))
    assert (row.drift, row.text_gone, row.target_gone) == (Rate(1, 3), Rate(1, 3), Rate(0, 3))


def test_nobody_recovered() -> None:
    (row,) = recovery_rows([episode("y", "dual", "failure", shown=1, interruptions=(interruption(NEVER),))])
    assert (row.steps, row.seconds, row.never) == (NO_VALUE, NO_VALUE, Rate(1, 1))
    assert recovery_rows([]) == ()
