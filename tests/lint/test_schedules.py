"""Rules whose schedule no task reaches."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import Write, assert_reported


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "rules/bili.yaml",
            "    inject: update",
            "      at_step: 40\n    inject: update",
            "rules/bili.yaml:9:16: step 40 can never be reached: open-song, the longest task with this",
        ),
        (
            "rules/bili.yaml",
            "    inject: update",
            "      min_step: 20\n    inject: update",
            "Use at most 14, or raise max_steps of a task.",
        ),
        (
            "rules/bili.yaml",
            "    inject: update",
            "      after_action: {kind: tap, at_least: 20}\n    inject: update",
            "rules/bili.yaml:9:43: 20 actions can never be reached",
        ),
    ],
)
def test_an_unreachable_moment_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, message: str
) -> None:
    assert_reported(write(file, old, new), message)
