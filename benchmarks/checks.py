"""The static check of all suite files, compared with loading them."""

from __future__ import annotations

from benchmarks.report import Measure, cpu_ms
from garabench.lint.suite_check import check_suite
from garabench.suite.suite import Suite


def measure_checks(*, times: int = 3) -> list[Measure]:
    """Measure ``garabench check``, in absolute time and relative to loading the files, which it includes."""
    loaded, checked = cpu_ms(Suite.load, times), cpu_ms(check_suite, times)
    return [
        Measure("static check of the suite", checked, "ms"),
        Measure("static check over loading the suite", checked / loaded, "x", 6),
    ]
