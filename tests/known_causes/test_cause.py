from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.errors import InputError, RecordError
from garabench.known_causes.cause import (
    Cause,
    CauseKind,
    Half,
    KnownFailure,
    half_of,
    read_truth,
    write_truth,
)

FAILURE = KnownFailure("runs/a", "t", "subject", "clean", 0, Cause(CauseKind.AGENT_FAULT, "loops"))


def test_only_a_defect_is_the_environments_fault() -> None:
    assert [kind for kind in CauseKind if Cause(kind).environment] == [CauseKind.DEFECT]


def test_the_half_is_written_for_readers_and_computed_from_the_task(tmp_path: Path) -> None:
    write_truth(tmp_path, [FAILURE])
    (line,) = (tmp_path / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    assert Half(json.loads(line)["half"]) is half_of("t") is FAILURE.half
    assert read_truth(tmp_path) == (FAILURE,)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"cause": "defect"}', '{"cause": {"kind": "weather"}}'])
def test_a_malformed_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "truth.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="not a file of known causes"):
        read_truth(tmp_path)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_truth(tmp_path)
    with pytest.raises(RecordError):
        write_truth(tmp_path / "none", [FAILURE])
