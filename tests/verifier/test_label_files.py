"""Label files of both published benchmarks, in their documented shape, and our own."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.verifier.label_agreement import (
    aggregated,
    aggregated_process,
    annotator_agreement,
    annotator_confusion,
    informed_outcome,
    judge_agreement,
)
from garabench.verifier.label_files import read_labels

DATA = Path(__file__).parent / "data"


def reward_bench(folder: Path, pairs: list[tuple[str, str, int]], split: str = "webarena") -> Path:
    """Write double annotations with these counts, in AgentRewardBench's shape."""
    names = ("annotator_name", "benchmark", "task_id", "model_name", "exp_name")
    labels = ("trajectory_success", "trajectory_side_effect", "trajectory_optimality", "trajectory_looping")
    rows = [",".join((*names, *labels))]
    for first, second, count in pairs:
        for _ in range(count):
            task = f"{split}.{len(rows)}"
            for annotator, label in (("A", first), ("B", second)):
                rows.append(
                    f"{annotator},{split},{task},gpt-4o,gpt-4o_on_{split},{label},No,2. Suboptimal,No"
                )
    file = folder / "annotations.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


YES, NO, UNSURE = "Successful", "Unsuccessful", "Unsure"


def test_the_published_label_pairs_give_the_published_agreement(tmp_path: Path) -> None:
    # The counts of the released annotations.csv: 106 trajectories with two annotators, 84 of its test split.
    pairs = [(YES, YES, 33), (NO, NO, 60), (YES, NO, 6), (NO, YES, 6), (UNSURE, YES, 1)]
    found = annotator_agreement(read_labels(reward_bench(tmp_path, pairs)), draws=100)
    assert (found.trajectories, found.equal) == (106, 93)
    assert found.share == pytest.approx(0.8774, abs=0.00005)
    assert found.kappa == pytest.approx(0.7410, abs=0.00005)  # unsure is a separate category
    assert found.kappa_interval is not None
    assert found.kappa_interval.low < 0.7410 < found.kappa_interval.high
    confusion = annotator_confusion(read_labels(reward_bench(tmp_path, pairs)))
    assert confusion == {
        (True, True): 33,
        (False, False): 60,
        (True, False): 6,
        (False, True): 6,
        (None, True): 1,
    }
    split = annotator_agreement(
        read_labels(reward_bench(tmp_path, [(YES, YES, 29), (NO, NO, 46), (YES, NO, 4), (NO, YES, 5)]))
    )
    assert split.share == pytest.approx(0.8929, abs=0.00005)


def test_the_fixture_in_the_shape_of_agent_reward_bench() -> None:
    labels = read_labels(DATA / "agent_reward_bench.csv")
    assert aggregated(labels) == {
        "assistantbench/assistantbench.improved.validation.3/GenericAgent-gpt-4o-2024-11-20": False,
        "webarena/webarena.21/GenericAgent-anthropic_claude-3.7-sonnet": True,
    }
    first, *_ = labels.labels
    assert (first.group, first.annotator, first.side_effect, first.looping) == (
        "webarena",
        "A1",
        False,
        False,
    )


def test_the_fixture_in_the_shape_of_cua_verifier_bench() -> None:
    labels = read_labels(
        DATA / "cua_verifier_bench_annotations.jsonl", DATA / "cua_verifier_bench_trajectories.jsonl"
    )
    assert labels.judged_outcome == {
        "Porsche--c3a33396": False,
        "Ups--9b5dfe54": False,
        "Allrecipes--0": True,
    }
    assert aggregated(labels) == {
        "Allrecipes--0": True,
        "Porsche--c3a33396": True,
    }  # two disagree on the third
    assert aggregated(labels, informed_outcome) == {
        "Allrecipes--0": True,
        "Porsche--c3a33396": False,
        "Ups--9b5dfe54": False,
    }
    assert aggregated_process(labels) == {
        "Allrecipes--0": True,
        "Porsche--c3a33396": True,
        "Ups--9b5dfe54": False,
    }
    found = judge_agreement(labels, labels.judged_outcome, draws=20)
    assert found.blind.confusion.accuracy == 0.5
    assert found.informed is not None
    assert found.informed.confusion.accuracy == 1
    assert found.flips is not None
    assert (found.flips.to_judge, found.flips.from_judge) == (3, 0)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("1.0", True),
        (1.0, True),
        ("0.0", False),
        (0, False),
        ("Correct", True),
        ("partial", None),
        (None, None),
        (math.nan, None),
    ],
)
def test_labels_as_tables_with_empty_cells_write_them(
    tmp_path: Path, value: object, outcome: bool | None
) -> None:
    file = tmp_path / "annotations.jsonl"
    row = {
        "task_id": "t",
        "annotator": "Judge1",
        "human_judgement_outcome": value,
        "human_process_score": value,
    }
    file.write_text(json.dumps(row | {"human_process_score": math.nan}), encoding="utf-8")
    (label,) = read_labels(file).labels
    assert (label.outcome, label.process_score) == (outcome, None)


def test_parquet_is_read_without_its_screenshots(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    labels, trajectories = tmp_path / "annotations.parquet", tmp_path / "trajectories.parquet"
    blind = {"human_judgement_outcome": "Incorrect", "human_process_score": 0.25}
    row = {"task_id": "t", "annotator": "Judge1", **blind, "informed_outcome_agreement": "Agree"}
    parquet.write_table(pyarrow.Table.from_pylist([row]), labels)
    judged = {
        "task_id": "t",
        "screenshots": [{"bytes": b"x"}],
        "uv_outcome_success": 1,
        "uv_rubric_score": None,
    }
    parquet.write_table(pyarrow.Table.from_pylist([judged]), trajectories)
    found = read_labels(labels, trajectories)
    assert found.judged_outcome == {"t": True}
    (label,) = found.labels
    assert (label.outcome, label.informed_outcome, label.process_score) == (False, True, 0.25)
    labels.write_bytes(b"no table")
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(labels)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "is not a label file"),
        ("trajectory,annotator,outcome\nt,me,perhaps\n", "unknown label 'perhaps'"),
        ("trajectory,annotator,outcome\nt,,yes\n", "annotator is missing"),
        ("trajectory,annotator,process_score\nt,me,1.5\n", "not from 0 to 1"),
        ("trajectory,annotator,process_score\nt,me,high\n", "not a number"),
        ('trajectory,annotator\n"t,me\n', "malformed"),
    ],
)
def test_a_broken_label_file_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_labels(file)


def test_our_own_labels_are_read_as_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    row = {
        "trajectory": "t/a/clean/1",
        "annotator": "me",
        "outcome": True,
        "process_score": 0.5,
        "informed_outcome": None,
    }
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (label,) = read_labels(file).labels
    assert (label.outcome, label.process_score, label.informed_outcome) == (True, 0.5, None)


def test_a_broken_line_is_reported_by_its_number_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text('{"trajectory": "t", "annotator": "A"}\n\n{"trajectory": \n', encoding="utf-8")
    with pytest.raises(InputError, match=r"labels\.jsonl:3:\d+: malformed JSON"):
        read_labels(file)
