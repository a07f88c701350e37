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
from garabench.records.results import rebuild_results
from garabench.report.html_report import write_report
from tests.graph.recorded_run import record_run
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


def counts(text: str) -> tuple[float, list[int]]:
    """Return a figure and the counts after it, if there are any: ``94.5% (431/456)``, ``9.23 (456)``."""
    figure, _, behind = text.partition("\N{NO-BREAK SPACE}")
    return percent(figure), [int(each) for each in behind.strip("()").replace(",", "").split("/") if each]


def table(document: html.HtmlElement, caption: str) -> dict[tuple[str, str], dict[str, str]]:
    return {(row["Agent"], row["Condition"]): row for row in rows(document, caption)}


def check_behaviour(document: html.HtmlElement, figures: list[dict]) -> None:
    """Check what agents did: actions, interruptions, exits, recovery and side effects."""
    success = table(document, "Success by agent and condition")
    interrupted = [each for each in figures if each["condition"] != "clean" and each["shown"]]
    exits = table(document, "Exits and recovery by agent and condition, over valid episodes")
    after = table(document, "After the interruption: recovery and perception drift, by agent and condition")
    for each in figures:
        row = success[each["agent"], each["condition"]]
        assert row["Interrupted"] == f"{each['interrupted']:,}"
        steps, count = counts(row["Mean actions"])
        assert steps == pytest.approx(each["mean_steps"], abs=0.0051)
        assert count in ([], [each["valid"]])
    assert after.keys() == {(each["agent"], each["condition"]) for each in interrupted}
    for each in interrupted:
        row = exits[each["agent"], each["condition"]]
        rate, count = counts(row["Interrupted"])
        assert rate == pytest.approx(100 * each["interrupted"] / each["valid"], abs=0.051)
        assert count in ([], [each["interrupted"], each["valid"]])
        assert row["Shown"] == f"{each['shown']:,}"
        if each["steps_to_exit"] is None:
            assert not any(map(str.isdigit, row["Steps to exit"]))
        else:
            steps, count = counts(row["Steps to exit"])
            assert steps == pytest.approx(each["steps_to_exit"], abs=0.0051)
            assert count in ([], [each["exits"]])
        row = after[each["agent"], each["condition"]]
        known = each["returned"] + each["never_returned"]
        parts = [counts(row[name])[1] or [0, 0] for name in ("Same screen", "Another", "Never")]
        assert [of for _, of in parts] == [known] * 3
        assert [parts[0][0] + parts[1][0], parts[2][0]] == [each["returned"], each["never_returned"]]
        assert int(row["Not known"]) == each["shown"] - known
    if not any(each["side_effects_known"] for each in figures):
        return
    for each in figures:
        row = table(document, "Strict success and side effects by agent and condition")[
            each["agent"], each["condition"]
        ]
        _, count = counts(row["With side effects"])
        assert count == [each["with_side_effects"], each["side_effects_known"]]
        assert int(row["Unknown"]) == each["valid"] - each["side_effects_known"]


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
    check_behaviour(document, figures["conditions"])
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
    writer.rebuild()
    page = write_report(tmp_path / "run", tmp_path / "report.html")
    check(page, tmp_path / "run")
    write_bundle(load_run(tmp_path / "run"), tmp_path / "run.zip")
    check(page, tmp_path / "run.zip")


def test_recovery_is_recomputed_from_the_logs_alone(tmp_path: Path) -> None:
    record_run(tmp_path / "run")
    rebuild_results(tmp_path / "run", load_run(tmp_path / "run").file)  # with the trees
    page = write_report(tmp_path / "run", tmp_path / "report.html")
    check(page, tmp_path / "run")
    for each in recomputed(tmp_path / "run")["conditions"]:
        if each["condition"] == "dual":
            assert (each["shown"], each["exits"], each["returned"]) == (1, 1, 1)
    text = page.read_text(encoding="utf-8")
    for title in ("Mean actions", "Steps to exit"):  # a mean has the number of its values
        for row in html.document_fromstring(text).xpath(f"//table[.//th[.='{title}']]//tbody/tr"):
            assert any(cell.text_content().endswith("\N{NO-BREAK SPACE}(1)") for cell in row)
