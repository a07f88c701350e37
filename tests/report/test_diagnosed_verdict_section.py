"""The verdicts on diagnosed failures: in the report, and as `garabench diagnose` prints them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from lxml import html

from garabench.cli.main import main
from garabench.core.sections import Table
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.diagnosis_file import read_diagnoses, write_diagnosis
from garabench.diagnosis.loop import AttributedTo
from garabench.probing.diagnose_run import RunDiagnosis
from garabench.records.reader import Run, load_run
from garabench.records.run_layout import EpisodeKey
from garabench.report.diagnosed_verdict_section import sections, verdicts_of_episode
from garabench.report.html_report import report_html
from garabench.report.report_input import read_input
from garabench.verifier.taxonomy import ErrorCode
from garabench.verifier.verdict import FailurePoint, JudgeStage, StageError, TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VerdictStore
from tests.report.written_runs import FOUR, write_run

CODE = ErrorCode.WRONG_VALUES
NO_REPLY = StageError(stage=JudgeStage.OUTCOME, message="no reply")
TITLES = f"{CODE.value} {CODE.entry.title}"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return load_run(write_run(tmp_path / "run", FOUR).folder)


@pytest.fixture
def failure(run: Run) -> EpisodeKey:
    """An episode of the run with a diagnosis."""
    (key,) = (each.key for each in run.summaries if each.outcome == "failure")
    write_diagnosis(run, key, Diagnosis(str(key), AttributedTo.AGENT, 0.5, "why", 0.1, wrong_step=3))
    return key


def judge(run: Run, key: EpisodeKey, judge: str, state: VerdictState, *points: FailurePoint) -> None:
    VerdictStore.of_run(run.folder, judge).write(
        TrajectoryVerdict(
            trajectory=str(key),
            digest="0",
            instruction="Like it",
            judge=judge,
            state=state,
            failure_points=points,
            errors=(NO_REPLY,) if state is VerdictState.FAILED else (),
        )
    )


def judge_three_times(run: Run, key: EpisodeKey) -> None:
    point = FailurePoint(step_numbers=(4, 2), error_code=CODE, what_happened="x")
    judge(run, key, "offline", VerdictState.UNDECIDED, point, point)
    judge(run, key, "fair", VerdictState.UNDECIDED)
    judge(run, key, "broken", VerdictState.FAILED)


def test_the_report_has_the_codes_of_each_judge_next_to_the_diagnosis(run: Run, failure: EpisodeKey) -> None:
    assert sections([run]) == (), "no judge has judged the run"
    judge_three_times(run, failure)
    (solved, *_) = (each.key for each in run.summaries if each.outcome == "success")
    judge(run, solved, "offline", VerdictState.UNDECIDED)
    (section,) = sections([run])
    (table,) = section.blocks
    assert isinstance(table, Table)
    key = (failure.task, failure.agent, failure.condition, str(failure.seed), "agent", 3)
    assert table.rows == (
        (*key, "broken", "no verdict: a call of the judge failed", None),
        (*key, "fair", "no failure point", None),
        (*key, "offline", TITLES, 2),
    )
    document: Any = html.document_fromstring(report_html(read_input([run.folder])))
    ids = document.xpath("//main/section/@id")
    assert ids[ids.index("diagnosis") + 1] == section.id
    (found,) = document.xpath(f"//section[@id='{section.id}']//tbody/tr[3]")
    assert TITLES in found.text_content()


def test_a_broken_verdict_costs_only_its_section(run: Run, failure: EpisodeKey) -> None:
    judge_three_times(run, failure)
    folder = VerdictStore.of_run(run.folder, "offline").trajectory_folder(str(failure))
    (folder / "verdict.json").write_text("{")
    document: Any = html.document_fromstring(report_html(read_input([run.folder])))
    (section,) = document.xpath("//section[@id='diagnoses-and-verdicts']")
    assert "could not be read" in section.text_content()
    assert document.xpath("//section[@id='diagnosis']//table")


def test_diagnose_prints_the_verdicts_as_text_and_as_json(
    run: Run, failure: EpisodeKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = RunDiagnosis(run, dict(read_diagnoses(run)), (), ())
    monkeypatch.setattr("garabench.cli.diagnose.diagnose_run", lambda *_, **__: found)

    def printed(*options: str) -> str:
        done = CliRunner().invoke(main, ["diagnose", str(run.folder), *options], catch_exceptions=False)
        assert done.exit_code == 0
        return done.stdout

    assert verdicts_of_episode(run.folder, failure) == ()
    assert json.loads(printed("--json"))["failures"][0]["verdicts"] == []
    judge_three_times(run, failure)
    (each,) = json.loads(printed("--json"))["failures"]
    assert (each["task"], each["attributed_to"]) == (failure.task, "agent")
    assert each["verdicts"] == [
        {"judge": "broken", "state": "failed", "codes": [], "first_failure_step": None},
        {"judge": "fair", "state": "undecided", "codes": [], "first_failure_step": None},
        {"judge": "offline", "state": "undecided", "codes": [CODE.value], "first_failure_step": 2},
    ]
    lines = [line for line in printed().splitlines() if "verdict of" in line]
    assert lines == [
        "  verdict of broken: no verdict: a call of the judge failed",
        "  verdict of fair: no failure point",
        f"  verdict of offline: {TITLES}; first at step 2",
    ]
