"""The measuring functions work; what they measure is judged by hand, on a quiet machine."""

from __future__ import annotations

import json

from benchmarks import phone, report, rules


def test_a_measure_knows_whether_its_limit_is_kept() -> None:
    assert report.Measure("x", 3, "ms").kept
    assert report.Measure("x", 3, "ms", 3).kept
    assert not report.Measure("x", 3.1, "ms", 3).kept
    assert report.Measure("x", 9, "x", 8, at_least=True).kept
    assert not report.Measure("x", 7, "x", 8, at_least=True).kept


def test_the_figures_are_json() -> None:
    told = json.loads(report.as_json([report.Measure("x", 3, "ms", 2)]))
    assert told["measures"][0] == {
        "name": "x",
        "value": 3,
        "unit": "ms",
        "limit": 2,
        "at_least": False,
        "note": "",
        "kept": False,
    }
    assert set(told["machine"]) == {"cores", "python", "system"}


def test_rules_are_matched_faster_than_by_a_scan() -> None:
    matched, ratio, *kinds = rules.matching(count=100, nodes=50, times=3)
    assert matched.value > 0
    assert len(kinds) >= 7 and all(each.value > 0 for each in kinds)
    assert ratio.value > 1


def test_an_unchanged_screen_is_drawn_once_and_the_rest_is_measured() -> None:
    assert phone.unchanged("android-34:720x1280").kept
    names = [item.name for item in phone.drawing("android-34:720x1280", times=1)]
    assert len(names) == 3 and all("720x1280" in name for name in names)
