"""A separate reader opens each format.

`.ci/inspect` opens the logs with Inspect itself, and `.ci/junit` validates the XML by Jenkins' schema.
"""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from junitparser import JUnitXml
from lxml import etree

import garabench
from garabench.cli.main import main
from garabench.errors import InputError, RecordError
from garabench.export.export_run import ExportFormat, export_run
from garabench.records.plan import Plan
from garabench.records.results import summary_from_json
from garabench.records.run_writer import RunWriter
from tests.export.every_outcome import ENDINGS, INFEASIBLE, SUMMARIES, write_endings, write_run
from tests.small_suite import run_file

V1 = Path(__file__).parents[1] / "data" / "runs" / "v1"


@pytest.fixture(name="run")
def _run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run")


def test_csv_has_a_row_per_episode(run: Path, tmp_path: Path) -> None:
    assert garabench.export_run(run, "csv", tmp_path / "out" / "x.csv") == 6
    with (tmp_path / "out" / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["counts_as"] for row in rows] == [
        "success",
        "failure",
        "error",
        "unknown",
        "not-shown",
        "success",
    ]
    assert (rows[1]["interruptions"], rows[1]["recovered"], rows[1]["drift"]) == (
        "offline",
        "same",
        "text-gone",
    )
    assert rows[2]["fault"].startswith("'=1+1"), "a spreadsheet takes it for a text"
    assert (rows[0]["seconds"], rows[0]["cost_usd"], rows[0]["device_kind"]) == ("1.25", "", "virtual")
    assert rows[5]["sent"] == "10"


def test_parquet_has_typed_columns(run: Path, tmp_path: Path) -> None:
    import pyarrow.parquet

    export_run(run, ExportFormat.PARQUET, tmp_path / "x.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "x.parquet")
    assert table.num_rows == 6
    assert {name: str(table.schema.field(name).type) for name in ("seed", "seconds", "harm", "exits")} == {
        "seed": "int64",
        "seconds": "double",
        "harm": "bool",
        "exits": "list<element: string>",
    }
    rows = table.to_pylist()
    assert (rows[1]["drift"], rows[3]["unknown"], rows[0]["step_limit"]) == (
        ["text-gone"],
        "<unreadable> & more",
        None,
    )


def test_json_lines_are_read_back_as_results(run: Path, tmp_path: Path) -> None:
    export_run(run, "jsonl", tmp_path / "x.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines[0]["run"]["device_kind"] == "virtual"
    assert lines[0]["run"]["agents"]["ignore"]["kind"] == "reference"
    own = [
        {name: value for name, value in line.items() if name not in ("run", "counts_as")} for line in lines
    ]
    assert tuple(map(summary_from_json, own)) == SUMMARIES


def test_junit_tells_errors_from_failures_and_skips_what_is_unknown(run: Path, tmp_path: Path) -> None:
    export_run(run, "junit", tmp_path / "x.xml")
    report = JUnitXml.fromfile(str(tmp_path / "x.xml"))
    assert (report.tests, report.failures, report.errors) == (6, 1, 1)
    clean, dual = report
    assert (clean.name, clean.tests, clean.failures) == ("ignore.clean", 2, 0)
    assert (dual.tests, dual.failures, dual.errors, dual.skipped) == (4, 1, 1, 2)
    cases = {case.name: case for case in dual}
    assert [(result.type, result.message) for result in cases["a[1]"].result] == [
        ("false_done", "false_done")
    ]
    assert cases["b[1]"].result[0].message == "=1+1: \N{REPLACEMENT CHARACTER} gone"
    assert cases["b[2]"].result[0].message == "<unreadable> & more"
    # Some of what Jenkins' schema demands; `.ci/junit` has the schema itself.
    root = etree.parse(tmp_path / "x.xml").getroot()
    for suite in root.iter("testsuite"):
        assert {"name", "tests", "failures", "errors"} <= set(suite.attrib)
    assert all(float(case.get("time", "")) >= 0 and case.get("classname") for case in root.iter("testcase"))


def test_trajectories_have_each_step(tmp_path: Path) -> None:
    assert export_run(V1, "trajectories", tmp_path / "x.jsonl") == 2
    dual, clean = (
        json.loads(line) for line in (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()
    )
    assert (clean["agent"], clean["condition"], clean["counts_as"], len(clean["steps"])) == (
        "dismiss",
        "clean",
        "success",
        4,
    )
    step = clean["steps"][0]
    assert step["action"]["type"] == "tap"
    assert (step["performed"], step["goal"]) == (True, False)
    assert (V1 / step["observation"]["screenshot"]).is_file()
    assert (V1 / step["observation"]["tree"]).is_file()
    assert [each["role"] for each in dual["interruptions"]] == ["dismiss", "accept", "dismiss"]


def test_inspect_logs_have_the_form_of_their_version(tmp_path: Path) -> None:
    assert export_run(V1, "inspect-eval", tmp_path / "logs") == 2
    logs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((tmp_path / "logs").iterdir())]
    for log in logs:
        assert (log["version"], log["status"]) == (2, "success")
        assert {"created", "task", "dataset", "model", "config"} <= log["eval"].keys()
        (sample,) = log["samples"]
        assert {"id", "epoch", "input", "target"} <= sample.keys()
        assert sample["scores"]["goal"]["value"] == "C"
        assert [message["role"] for message in sample["messages"][:3]] == ["user", "assistant", "tool"]
        (score,) = log["results"]["scores"]
        assert (score["metrics"]["accuracy"]["value"], score["unscored_samples"]) == (1.0, 0)
    assert [log["eval"]["model"] for log in logs] == ["garabench/dismiss", "garabench/heuristic"]
    again = tmp_path / "again"
    shutil.copytree(V1, tmp_path / "v1")
    export_run(tmp_path / "v1", "inspect-eval", again)
    assert [
        json.loads(p.read_text(encoding="utf-8"))["eval"]["task_id"] for p in sorted(again.iterdir())
    ] == [log["eval"]["task_id"] for log in logs]


def test_inspect_scores_what_counts_and_nothing_else(tmp_path: Path) -> None:
    export_run(write_endings(tmp_path / "run"), "inspect-eval", tmp_path / "logs")
    logs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((tmp_path / "logs").iterdir())]
    assert [log["eval"]["task"] for log in logs] == ["garabench-dual-infeasible", "garabench-dual"]
    for log, endings in zip(logs, (INFEASIBLE, ENDINGS), strict=True):
        samples = {sample["id"]: sample for sample in log["samples"]}
        assert {name: sample["metadata"]["counts_as"] for name, sample in samples.items()} == endings
        scored = {
            name: sample["scores"]["goal"]["value"] for name, sample in samples.items() if "scores" in sample
        }
        scores = {"success": "C", "failure": "I"}
        assert scored == {name: scores[kind] for name, kind in endings.items() if kind in scores}
        assert [name for name, sample in samples.items() if "error" in sample] == [
            name for name, kind in endings.items() if kind == "error"
        ]
        (score,) = log["results"]["scores"]
        right = list(scored.values()).count("C")
        assert score["metrics"]["accuracy"]["value"] == right / len(scored)
        assert (score["scored_samples"], score["unscored_samples"]) == (
            len(scored),
            len(samples) - len(scored),
        )


def test_every_format_is_offered_by_the_command(run: Path, tmp_path: Path) -> None:
    for each in ExportFormat:
        words = ["export", str(run), "--to", each.value, "--out", str(tmp_path / each.value), "--json"]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
        assert json.loads(result.output)["format"] == each.value
        assert (tmp_path / each.value).exists()


def test_wrong_input_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown format 'xls'; known: inspect-eval, junit"):
        export_run(run, "xls", tmp_path / "x")
    with pytest.raises(InputError, match="is not a run"):
        export_run(tmp_path, "csv", tmp_path / "x")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RecordError, match="could not be written"):
        export_run(run, "csv", tmp_path / "file" / "x.csv")


def test_a_run_without_episodes_gives_an_empty_table(tmp_path: Path) -> None:
    writer = RunWriter.create(tmp_path / "run", run_file(Plan(tasks=("a",), agents=("ignore",))))
    for each in ExportFormat:
        assert export_run(writer.folder, each, tmp_path / each.value) == 0
    assert (tmp_path / "csv").read_text(encoding="utf-8").startswith("run,garabench,suite,device_kind,")
    assert (tmp_path / "parquet").stat().st_size > 0
