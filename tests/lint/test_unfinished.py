"""Tasks without a solution, and texts that are still to be filled in."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import Write, assert_reported


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "tasks/bili.yaml",
            "    solution:\n      - tap: {id: title, text: 稻香}\n",
            "",
            "tasks/bili.yaml:3:9: the task 'open-song' has no solution, so it cannot be proven",
        ),
        (
            "goal_schemas/bili.yaml",
            "The page of the video is open",
            "FILL IN what the page shows",
            "goal_schemas/bili.yaml:4:18: the text 'FILL IN what the page shows' is still to be filled in",
        ),
    ],
)
def test_unfinished_entries_are_reported(write: Write, file: str, old: str, new: str, message: str) -> None:
    assert_reported(write(file, old, new), message)
