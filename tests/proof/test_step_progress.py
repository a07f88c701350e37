from __future__ import annotations

import io

import pytest
from rich.console import Console

from garabench.cli.proof_progress import ProofProgress
from garabench.core.progress import Progress
from garabench.core.steps import BackStep, TapStep
from garabench.proof.findings import Proof
from garabench.proof.step_progress import (
    ProofStep,
    ReportingPerformer,
    StepReporter,
    expected_paths,
    summarize_step,
)
from garabench.suite.suite import Suite
from tests.proof.word_performer import WordPerformer


def test_each_path_and_each_step_is_reported_before_it_is_performed() -> None:
    seen: list[ProofStep] = []
    reporter = StepReporter("t", 1, seen.append)
    performer = ReportingPerformer(WordPerformer(), reporter, "android-34 zh")
    tap = TapStep.model_validate({"tap": {"text": "middle"}})
    performer.begin("a.b", ())
    performer.perform(tap)
    performer.perform(tap)
    performer.begin("a.b", (), "near miss too-early")
    assert seen == [
        ProofStep("t", 1, 1, 0, "the solution on android-34 zh"),
        ProofStep("t", 1, 1, 1, summarize_step(tap)),
        ProofStep("t", 1, 1, 2, summarize_step(tap)),
        ProofStep("t", 2, 2, 0, "near miss too-early on android-34 zh"),
    ]


def test_a_step_is_described() -> None:
    assert summarize_step(BackStep.model_validate({"back": None})) == "back"
    assert summarize_step(TapStep.model_validate({"tap": {"id": "like"}})) == "tap id=like"


def test_the_number_of_paths_counts_solutions_near_misses_and_episodes() -> None:
    suite = Suite.load()
    item = suite.tasks["bili-like-song-live"]
    base = sum(bool(path.steps) for path in (*item.task.alternatives, *item.task.near_misses))
    assert expected_paths(item, suite, variants=1, exits=False) == base + 1
    assert expected_paths(item, suite, variants=4, exits=False) == base + 4
    assert expected_paths(item, suite, variants=1, exits=True) > base + 1


@pytest.mark.parametrize(
    ("by_step", "lines"),
    [(True, ["t: path 1 of 2: reset", "t: path 1 of 2, step 1: tap [x]", "[1/3] t"]), (False, ["[1/3] t"])],
)
def test_progress_is_printed_in_lines_without_a_terminal(by_step: bool, lines: list[str]) -> None:
    out = io.StringIO()
    with ProofProgress(Console(file=out, width=200), by_step=by_step) as progress:
        progress.step_begins(ProofStep("t", 1, 2, 0, "reset"))
        progress.step_begins(ProofStep("t", 1, 2, 1, "tap [x]"))
        progress.task_ended(Progress(1, 3, Proof("t", ())))
    assert out.getvalue().splitlines() == lines


def test_a_terminal_shows_the_current_step() -> None:
    out = io.StringIO()
    console = Console(file=out, width=200, force_terminal=True)
    with ProofProgress(console, by_step=True) as progress:
        progress.step_begins(ProofStep("t", 1, 2, 3, "tap [x]"))
    assert "t: path 1 of 2, step 3: tap [x]" in out.getvalue()
