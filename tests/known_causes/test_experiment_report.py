from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from garabench.diagnosis.evaluation import KnownCase, RetryOutcome
from garabench.diagnosis.loop import AttributedTo
from garabench.diagnosis.probe import Continuation
from garabench.errors import InputError
from garabench.known_causes.calibration_plot import calibration_plot
from garabench.known_causes.experiment import ExperimentPage, write_page
from garabench.known_causes.experiment_report import (
    PLOT,
    ExperimentCost,
    ExperimentResults,
    PartCost,
    experiment_tables,
    held_out_scores,
)
from tests.diagnosis.test_evaluation import case

AGENT, ENVIRONMENT = AttributedTo.AGENT, AttributedTo.ENVIRONMENT


def cases() -> list[KnownCase]:
    right = replace(case("A+ B? C?"), name="r", task="t1", cause="agent-fault loops")
    right = replace(right, retries=(RetryOutcome(False, 5), RetryOutcome(True, 5)))
    broken = replace(case("A- B- C-", truth=ENVIRONMENT), name="b", task="t2", cause="defect dead")
    contested = replace(case("A+ B?", truth=ENVIRONMENT), name="c", task="t3", cause="defect label")
    flaky = replace(broken, name="f", task="t4", certain=False, condition="dual")
    return [right, broken, contested, flaky, replace(right, name="tuning", held_out=False)]


def row(text: str, name: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_tables_of_a_small_experiment() -> None:
    weaker = {Continuation.HEURISTIC: [replace(case("A- B-"), name="r")]}
    parts = {"episodes": PartCost(60.0, 90.0), "probes and retries": PartCost(30.0, 60.0)}
    cost = ExperimentCost(parts, phones=4, cores=2)
    text = experiment_tables(ExperimentResults(cases(), weaker, cost=cost))
    assert "### Time, with 4 virtual phones on 2 cores" in text
    assert row(text, "whole experiment")[1:] == ["1.5 min", "2.5 min"]
    assert row(text, "the experiment")[1:] == ["25 min", "1.5 min", "yes"]
    assert row(text, "FN recovery, one round, probes continued by the heuristic")[1::2] == ["75%", "no"]
    assert "### Who continues a probe, 1 held-out failure, one round" in text
    assert row(text, "reference")[1].startswith("1/1")
    assert row(text, "heuristic")[1].startswith("0/1")
    assert "5 failures of 4 tasks, 4 clean and 1 interrupted." in text
    assert row(text, "agent (FN)")[1:] == ["1", "1", "2"]
    assert row(text, "environment, at times (flaky)")[1:] == ["0", "1", "1"]
    main = row(text, "one round (R = 1)")
    assert main[1].startswith("1/1 100.0%")
    assert main[2].startswith("1/2 50.0%"), "the contested defect is a lost true negative"
    assert row(text, "retry ×1")[1].startswith("0/1")
    assert row(text, "retry ×2")[1].startswith("1/1")
    assert "### Contested causes" in text
    assert row(text, "defect label")[1] == "t3"


def test_the_tables_are_the_same_each_time() -> None:
    assert experiment_tables(ExperimentResults(cases())) == experiment_tables(ExperimentResults(cases()))


def test_without_a_case_the_tables_are_empty() -> None:
    assert "No case." in experiment_tables(ExperimentResults([]))


def test_the_tables_of_a_page_are_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- experiment -->\nold\n<!-- end of experiment -->\nafter\n", "utf-8")
    write_page(page, ExperimentPage(r"new \1" + "\n", "<svg/>"))
    assert (tmp_path / PLOT).read_text("utf-8") == "<svg/>"
    assert page.read_text("utf-8") == (
        "before\n<!-- experiment -->\nnew \\1\n<!-- end of experiment -->\nafter\n"
    )
    page.write_text("none", "utf-8")
    with pytest.raises(InputError, match="no place for the tables"):
        write_page(page, ExperimentPage("new", ""))


def test_the_reliability_diagram_shows_the_held_out_failures() -> None:
    assert calibration_plot([]) == ""
    scores = held_out_scores(cases())
    assert [happened for _, happened in scores] == [False, True, True], "neither tuning nor flaky"
    plot = calibration_plot(scores)
    assert plot == calibration_plot(scores)
    assert plot != calibration_plot([(p, not happened) for p, happened in scores])
    texts = {text.strip() for text in etree.fromstring(plot).itertext()}
    assert {"held-out failures", "a calibrated probability", "mean p"} <= texts
    assert f"]({PLOT})" in experiment_tables(ExperimentResults(cases()))
