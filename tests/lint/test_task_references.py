"""Wrong entries of ``also_meets``."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import Write, assert_reported


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-rian]",
            "tasks/bili.yaml:7:18: unknown task 'open-rian'",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-rian]",
            "Did you mean 'open-rain'?",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-song]",
            "tasks/bili.yaml:7:18: a task always meets its own goal",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    also_meets: [open-rain, open-rain]",
            "tasks/bili.yaml:7:29: duplicate task 'open-rain'",
        ),
        ("tasks/bili.yaml", "rules: [home-update]", "rules: [home-update]\n    also_meets: [open-rain]", ""),
    ],
)
def test_a_wrong_also_meets_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, message: str
) -> None:
    assert_reported(write(file, old, new), message)
