"""Success rates without the environment's failures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from garabench.diagnosis.attribution_rows import AttributionRow, attribution_rows
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.diagnosis_file import write_diagnosis
from garabench.diagnosis.loop import AttributedTo
from garabench.diagnosis.report_section import attribution_table, compared_attribution_rows
from garabench.records.plan import Plan
from garabench.records.reader import load_run
from garabench.records.results import Summary
from garabench.records.run_layout import EpisodeKey
from garabench.records.run_writer import RunWriter
from garabench.stats.comparison import compare
from garabench.stats.rates import Rate
from tests.small_suite import run_file


def summary(seed: int, outcome: str, condition: str = "clean") -> Summary:
    return Summary("a", "dismiss", condition, seed, outcome, "reason", 4)


def diagnosed(seed: int, to: AttributedTo) -> tuple[EpisodeKey, Diagnosis]:
    key = EpisodeKey("a", "dismiss", "clean", seed)
    return key, Diagnosis(str(key), to, 0.5, "why", 0.5)


def test_the_environments_failures_are_left_out() -> None:
    summaries = [summary(seed, "failure") for seed in range(4)]
    summaries += [summary(4, "success"), summary(5, "error"), summary(0, "success", "dual")]
    found = [diagnosed(seed, to) for seed, to in enumerate(AttributedTo)]
    clean, dual = attribution_rows([(summaries, found)])
    assert clean == AttributionRow("dismiss", "clean", 1, 1, 1, 1, 1)
    assert (clean.episodes, clean.success, clean.success_without_environment) == (5, Rate(1, 5), Rate(1, 4))
    assert (dual.condition, dual.success_without_environment) == ("dual", Rate(1, 1))
    table = attribution_table((clean, dual))
    assert table.rows[0] == ("dismiss", "clean", 5, 1, 1, 1, 1, 1, 0.2, 0.25)


def test_a_rate_of_nothing_is_unknown() -> None:
    (row,) = attribution_rows([([summary(0, "failure")], [diagnosed(0, AttributedTo.ENVIRONMENT)])])
    assert row.success.value == 0
    assert row.success_without_environment.value is None


def test_a_comparison_has_the_rows_of_its_tasks_and_names(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("before", "after")}
    for folder in folders.values():
        file = run_file(Plan(tasks=("a", "b"), agents=("dismiss",)))
        writer = RunWriter.create(folder, file)
        for key in file.episode_keys():
            writer.append_result(replace(summary(key.seed, "failure"), task=key.task))
            found = Diagnosis(str(key), AttributedTo.ENVIRONMENT, 0.5, "why", 0.5)
            write_diagnosis(load_run(folder), key, found)
    rows = compared_attribution_rows(compare(folders, tasks=["a"]))
    assert rows == tuple(AttributionRow(f"{name}/dismiss", "clean", 0, 0, 1, 0, 0) for name in folders)
