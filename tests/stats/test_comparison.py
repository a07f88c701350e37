from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import garabench
from garabench.errors import InputError

OLD_RUN = Path(__file__).parents[1] / "data" / "runs" / "v1"


def test_a_run_is_compared_by_its_folder_or_loaded() -> None:
    by_folder = garabench.compare(str(OLD_RUN))
    loaded = garabench.load_run(OLD_RUN)
    assert by_folder.summaries == garabench.compare([loaded]).summaries == loaded.summaries
    assert by_folder.kind == "virtual"
    assert sum(row.success.trials + row.errors for row in by_folder.conditions) == len(loaded.summaries)


def test_the_same_episodes_twice_are_refused() -> None:
    with pytest.raises(InputError, match="same"):
        garabench.compare([OLD_RUN, OLD_RUN])


@pytest.mark.parametrize("runs", [(), []])
def test_nothing_to_compare_is_refused(runs: Sequence[Path]) -> None:
    with pytest.raises(InputError, match="no run was given"):
        garabench.compare(runs)
