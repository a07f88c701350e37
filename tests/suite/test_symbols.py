"""Unknown and duplicate names."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import Write, assert_reported


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "rules/bili.yaml",
            "    inject: update",
            "    inject: [update, updaet]",
            "rules/bili.yaml:9:22: unknown interruption 'updaet'",
        ),
        ("rules/bili.yaml", "    inject: update", "    inject: [update, updaet]", "Did you mean 'update'?"),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update, home-update]",
            "tasks/bili.yaml:6:26: duplicate rule 'home-update'",
        ),
        (
            "tasks/bili.yaml",
            "rules: [home-update]",
            "rules: [home-update]\n    near_misses:\n      - {name: back, steps: [back]}\n"
            "      - {name: back, steps: [back, back]}",
            "tasks/bili.yaml:9:16: duplicate near miss 'back'",
        ),
        ("tasks/bili.yaml", "rules: [home-update]", "rules: [home-updates]", "Did you mean 'home-update'?"),
    ],
)
def test_an_unknown_or_duplicate_name_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, message: str
) -> None:
    assert_reported(write(file, old, new), message)
