"""The example of a report: an independent program finds its headline figures in the raw records."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import html

from garabench.records.bundle import write_bundle
from garabench.records.reader import load_run
from garabench.report.html_report import write_report
from tests.report.written_runs import FOUR, episode, write_log, write_run

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
OTHERS = [
    episode("app-a", "dismiss", "clean", "success", reference=True),
    episode("app-a", "dismiss", "dual", "error", reference=True),
    episode("app-b", "dismiss", "clean", "failure", reference=True),
    episode("app-b", "dismiss", "dual", "success", reference=True),
]


def recomputed(records: Path) -> dict[str, list[dict]]:
    """Run the program without GaraBench, as a reader would."""
    argv = [sys.executable, "-I", "-S", str(EXAMPLES / "recompute.py"), str(records)]
    return json.loads(subprocess.run(argv, check=True, capture_output=True, text=True).stdout)


def rows(page: html.HtmlElement, caption: str) -> list[dict[str, str]]:
    (table,) = page.xpath(f"//table[normalize-space(caption)='{caption}']")
    titles = [cell.text_content() for cell in table.xpath("thead/tr/th")]
    found = [[cell.text_content().strip("*") for cell in row] for row in table.xpath("tbody/tr")]
    return [dict(zip(titles, cells, strict=True)) for cells in found]


def percent(text: str) -> float:
    return float(text.rstrip("%").replace("−", "-"))


def check(page: Path, records: Path) -> None:
    document = html.document_fromstring(page.read_text(encoding="utf-8"))
    figures = recomputed(records)
    success = {
        (row["Agent"], row["Condition"]): row for row in rows(document, "Success by agent and condition")
    }
    assert len(figures["conditions"]) == len(success) > 1
    for each in figures["conditions"]:
        row = success[each["agent"], each["condition"]]
        assert (row["Successes"], row["Valid episodes"]) == (f"{each['successes']:,}", f"{each['valid']:,}")
        assert row["False done"] == f"{each['false_done']:,}"
        assert percent(row["Success rate"]) == pytest.approx(
            100 * each["successes"] / each["valid"], abs=0.051
        )
    caption = "Clean against interrupted, by agent and condition"
    drops = {(row["Agent"], row["Condition"]): row for row in rows(document, caption)}
    assert len(figures["drops"]) == len(drops) > 0
    for each in figures["drops"]:
        row = drops[each["agent"], each["condition"]]
        assert [int(row[name]) for name in ("Pairs", "Lost", "Won")] == [
            each[name] for name in ("pairs", "lost", "won")
        ]
        share, _, counts = row["RSR"].partition("\N{NO-BREAK SPACE}")
        if each["rsr"] is None:
            assert not any(map(str.isdigit, share))
        else:
            assert counts == f"({each['solved_both']:,}/{each['solved_clean']:,})"
            assert percent(share) == pytest.approx(100 * each["rsr"], abs=0.051)
        assert percent(row["Drop"]) == pytest.approx(100 * each["drop"], abs=0.051)


def test_the_example_states_what_its_records_show() -> None:
    check(EXAMPLES / "report.html", EXAMPLES / "report-run.tar.xz")


def test_errors_and_failures_are_recomputed_alike(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", [*FOUR, *OTHERS])
    for summary in [*FOUR, *OTHERS]:
        write_log(writer, summary)
    page = write_report(tmp_path / "run", tmp_path / "report.html")
    check(page, tmp_path / "run")
    write_bundle(load_run(tmp_path / "run"), tmp_path / "run.zip")
    check(page, tmp_path / "run.zip")
