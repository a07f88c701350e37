from __future__ import annotations

from dataclasses import replace

from garabench.diagnosis.evaluation import KnownCase, RetryOutcome
from garabench.diagnosis.loop import AttributedTo
from garabench.known_causes.experiment_report import experiment_tables
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
    text = experiment_tables(cases())
    assert "5 failures of 4 tasks, 4 clean and 1 interrupted." in text
    assert row(text, "agent (FN)")[1:] == ["1", "1", "2"]
    assert row(text, "environment, at times (flaky)")[1:] == ["0", "1", "1"]
    main = row(text, "one round")
    assert main[1].startswith("1/1 100.0%")
    assert main[2].startswith("1/2 50.0%"), "the contested defect is a lost true negative"
    assert row(text, "retry ×1")[1].startswith("0/1")
    assert row(text, "retry ×2 (best of 3)")[1].startswith("1/1")
    assert "### Contested causes" in text
    assert row(text, "defect label")[1] == "t3"


def test_the_tables_are_the_same_each_time() -> None:
    assert experiment_tables(cases()) == experiment_tables(cases())


def test_without_a_case_the_tables_are_empty() -> None:
    assert "No case." in experiment_tables([])
