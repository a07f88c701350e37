"""The judge whose findings the labelling page shows by default."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.verifier.verdict_store import only_judge


def test_the_only_judge_is_the_default(tmp_path: Path) -> None:
    assert only_judge(tmp_path) == ""
    (tmp_path / "verdicts" / "gpt-4o").mkdir(parents=True)
    assert only_judge(tmp_path) == "gpt-4o"
    (tmp_path / "verdicts" / "claude").mkdir()
    with pytest.raises(InputError, match="claude, gpt-4o"):
        only_judge(tmp_path)
