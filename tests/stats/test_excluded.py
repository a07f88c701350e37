from __future__ import annotations

from garabench.stats.excluded import Exclusion, excluded_rows
from garabench.stats.measures import condition_rows
from garabench.stats.rates import Rate
from tests.stats.test_measures import episode

OFFLINE = "device: 127.0.0.1:5555 is offline"


def test_episodes_in_no_rate_are_listed_by_kind() -> None:
    items = [
        episode("x", "dual", "error", fault=OFFLINE, fault_error="DeviceLostError"),
        episode("y", "dual", "error", fault=OFFLINE, fault_error="DeviceLostError"),
        episode("z", "dual", "failure", unknown="the screen was empty"),
        episode("v", "dual", "success", missed=("timeout",), injected=1),
        episode("w", "dual", "success", shown=1),
    ]
    rows = excluded_rows(items)
    assert [(row.exclusion, row.kind, row.count, row.episodes) for row in rows] == [
        (Exclusion.ERROR, "device DeviceLostError", 2, 5),
        (Exclusion.UNKNOWN, "", 1, 5),
        (Exclusion.NOT_SHOWN, "timeout", 1, 5),
    ]
    assert [row.example for row in rows] == ["127.0.0.1:5555 is offline", "the screen was empty", ""]
    (row,) = condition_rows(items)
    assert (row.success, row.errors, row.unknown, row.missed) == (Rate(1, 1), 2, 1, (("timeout", 1),))


def test_nothing_is_excluded() -> None:
    assert excluded_rows([episode("w", "dual", "success", shown=1)]) == ()
