"""The measuring functions work; their results are judged by hand, on a quiet machine."""

from __future__ import annotations

import json
import os

import pytest

from benchmarks import memory, phone, report, rules


def test_measure_knows_whether_it_meets_its_limit() -> None:
    assert report.Measure("x", 3, "ms").within_limit
    assert report.Measure("x", 3, "ms", 3).within_limit
    assert not report.Measure("x", 3.1, "ms", 3).within_limit
    assert report.Measure("x", 9, "x", 8, at_least=True).within_limit
    assert not report.Measure("x", 7, "x", 8, at_least=True).within_limit


def test_report_is_json() -> None:
    data = json.loads(report.as_json([report.Measure("x", 3, "ms", 2)]))
    assert data["measures"][0] == {
        "name": "x",
        "value": 3,
        "unit": "ms",
        "limit": 2,
        "at_least": False,
        "note": "",
        "within_limit": False,
    }
    assert set(data["machine"]) == {"cores", "python", "system"}


def test_rules_are_matched_and_scanned() -> None:
    matched, ratio, *kinds = rules.measure_matching(count=100, nodes=50, times=3)
    assert matched.value > 0 and ratio.value > 0
    assert len(kinds) >= 7 and all(each.value > 0 for each in kinds)


def test_unchanged_screen_is_drawn_once() -> None:
    assert phone.measure_unchanged("android-34:720x1280").within_limit
    names = [item.name for item in phone.measure_drawing("android-34:720x1280", times=1)]
    assert len(names) == 3 and all("720x1280" in name for name in names)


def test_memory_includes_child_processes_and_the_adb_server() -> None:
    def process(parent: int, *command: str) -> memory.Process:
        return memory.Process(parent, 10, command)

    everything = {
        1: process(0, "/sbin/init"),
        5: process(1, "python", "-m", "benchmarks"),
        6: process(5, "python", "-m", "garabench.virtual"),
        7: process(6, "sh"),
        8: process(1, "/usr/bin/adb", "-L", "tcp:5037", "fork-server", "server"),
        9: process(1, "adb", "-L", "tcp:localhost:5099", "fork-server", "server"),
        10: process(1, "python", "-m", "garabench.virtual"),
    }
    assert [each.command[0] for each in memory.process_tree(everything, 5, "5037")] == [
        "python",
        "python",
        "sh",
        "/usr/bin/adb",
    ]


def test_memory_is_watched() -> None:
    with memory.MemoryWatch() as watch:
        assert watch.peak_mb > 5
    assert watch.peak_processes >= 1
    assert os.getpid() in memory.processes()


def test_table_of_a_part_is_replaced_between_its_comments() -> None:
    page = "before\n<!-- x -->\nold\n<!-- end of x -->\nafter\n"
    measures = [report.Measure("a step", 1.084, "x", 1.15, note="how"), report.Measure("b", 2, "s")]
    written = report.with_table(page, "x", measures)
    assert "| a step | 1.08× | ≤ 1.15× | how |\n| b | 2 s |  |  |\n<!-- end of x -->" in written
    assert written.startswith("before\n<!-- x -->\n| measure |") and "old" not in written
    assert report.with_table(written, "x", measures) == written
    with pytest.raises(ValueError, match="0 tables"):
        report.with_table(page, "y", measures)


@pytest.mark.parametrize("part", report.PAGES)
def test_a_part_with_a_page_has_a_table_there(part: str) -> None:
    page = report.PAGES[part].read_text("utf-8")
    measure = report.Measure("a step", 1, "s")
    assert "| a step | 1 s |" in report.with_table(page, part, [measure])
