"""The measurements printed by the companion app's build are parsed."""

from __future__ import annotations

import pytest

from benchmarks import companion
from tests.interruption_apk.build_script import HOME

PRINTED = """\
JUnit version 4.13.2
.start dialog-34: first 25.3 ms, median of the next 20 11.0 ms, of the last 30 13.1 ms, longest 22.2 ms
start fullest-34: first 43.1 ms, median of the next 20 28.2 ms, of the last 30 31.0 ms, longest 34.8 ms
"""


def test_each_window_is_a_measure_with_its_warm_median() -> None:
    dialog, fullest = companion.parse_measures(PRINTED)
    assert (dialog.value, dialog.unit, dialog.within_limit, dialog.note) == (
        13.1,
        "ms",
        True,
        "first 25.3 ms",
    )
    assert dialog.name.endswith("dialog-34")
    assert (fullest.value, fullest.within_limit) == (31.0, False)


def test_missing_measures_are_an_error() -> None:
    with pytest.raises(RuntimeError, match="no measures"):
        companion.parse_measures("OK (0 tests)")


def test_java_program_prints_this_format() -> None:
    source = next((HOME / "app" / "src" / "test").rglob("StartTime.java")).read_text("utf-8")
    assert (
        '"start %s: first %.1f ms, median of the next 20 %.1f ms, of the last %d %.1f ms, longest %.1f ms%n"'
        in (source)
    )
