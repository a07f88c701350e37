"""The static check of all of the suite's files, beside reading them."""

from __future__ import annotations

from benchmarks.report import Measure, worked_ms
from garabench.campaign.check import check_suite
from garabench.campaign.suite import Suite


def checking(*, times: int = 3) -> list[Measure]:
    """What ``garabench check`` works, and how many times that of reading the files, which it does, too."""
    read, checked = worked_ms(Suite.load, times), worked_ms(check_suite, times)
    return [
        Measure("the suite's files are checked", checked, "ms"),
        Measure("a check takes longer than reading the files by", checked / read, "x", 6),
    ]
