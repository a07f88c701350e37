"""Label files of both published benchmarks, in their documented shape, and our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.verifier.label_agreement import (
    aggregated,
    aggregated_process,
    annotator_agreement,
    informed_outcome,
    judge_agreement,
)
from garabench.verifier.label_files import read_labels

DATA = Path(__file__).parent / "data"


def reward_bench(folder: Path, pairs: list[tuple[str, str, int]], split: str = "webarena") -> Path:
    """Write double annotations with these counts, in AgentRewardBench's shape."""
    labels = ("trajectory_success", "trajectory_side_effect", "trajectory_looping")
    rows = [",".join(("benchmark", "task_id", "model_name", "annotator_name", *labels))]
    for first, second, count in pairs:
        for _ in range(count):
            task = f"{split}.{len(rows)}"
            for annotator, label in (("A", first), ("B", second)):
                rows.append(f"{split},{task},GenericAgent-gpt-4o,{annotator},{label},No,No")
    file = folder / "annotations.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_counts_like_the_published_ones_give_the_published_agreement(tmp_path: Path) -> None:
    yes, no, unsure = "Successful", "Unsuccessful", "Unsure"
    pairs = [(yes, yes, 35), (no, no, 57), (yes, no, 6), (no, yes, 7), (unsure, unsure, 1)]
    found = annotator_agreement(read_labels(reward_bench(tmp_path, pairs)))
    assert (found.trajectories, found.equal) == (106, 93)
    assert found.share == pytest.approx(0.8774, abs=0.00005)
    assert found.kappa == pytest.approx(0.7410, abs=0.00005)
    split = annotator_agreement(
        read_labels(reward_bench(tmp_path, [(yes, yes, 30), (no, no, 45), (yes, no, 9)]))
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
