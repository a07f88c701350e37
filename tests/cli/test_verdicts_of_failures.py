"""The verdicts that are printed under a diagnosed failure."""

from __future__ import annotations

from pathlib import Path

from garabench.cli.verdicts_of_failures import failure_words, stored_verdicts
from garabench.records.run_layout import EpisodeKey
from garabench.verifier.taxonomy import ErrorCode
from garabench.verifier.verdict import FailurePoint, TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VerdictStore

KEY = EpisodeKey("task", "agent", "clean", 1)


def _verdict(judge: str, *points: FailurePoint) -> TrajectoryVerdict:
    return TrajectoryVerdict(
        trajectory=str(KEY),
        digest="0",
        instruction="Like it",
        judge=judge,
        state=VerdictState.UNDECIDED,
        failure_points=points,
    )


def test_every_judge_is_quoted_with_codes_and_the_first_step(tmp_path: Path) -> None:
    """A run without verdicts has none."""
    assert stored_verdicts(tmp_path, KEY) == ()
    point = FailurePoint(step_numbers=(4, 2), error_code=ErrorCode.WRONG_VALUES, what_happened="x")
    for verdict in (_verdict("offline", point, point), _verdict("model")):
        VerdictStore.of_run(tmp_path, verdict.judge).write(verdict)
    assert [failure_words(each) for each in stored_verdicts(tmp_path, KEY)] == [
        "  verdict of model: no failure point",
        f"  verdict of offline: 1.4 {ErrorCode.WRONG_VALUES.entry.title}; first at step 2",
    ]
