"""The stored verdicts on a diagnosed failure: a second opinion, which the diagnosis itself does not use."""

from __future__ import annotations

from pathlib import Path

from garabench.records.run_layout import EpisodeKey
from garabench.verifier.verdict import TrajectoryVerdict
from garabench.verifier.verdict_store import VerdictStore, judges


def stored_verdicts(run: Path, key: EpisodeKey) -> tuple[TrajectoryVerdict, ...]:
    """Return the verdicts of all judges on an episode, in the order of the judges' names.

    Args:
        run: Folder of the run.
        key: The episode.

    Raises:
        InputError: A verdict is broken or of a newer version.
    """
    found = (VerdictStore.of_run(run, judge).read(str(key)) for judge in judges(run))
    return tuple(verdict for verdict in found if verdict is not None)


def failure_words(verdict: TrajectoryVerdict) -> str:
    """Return a line with a verdict's failure codes and its first failure step.

    Args:
        verdict: The verdict.
    """
    codes = dict.fromkeys(point.error_code for point in verdict.failure_points)
    titles = ", ".join(f"{code.value} {code.entry.title}" for code in codes) or "no failure point"
    step = verdict.first_failure_step
    return f"  verdict of {verdict.judge}: {titles}" + ("" if step is None else f"; first at step {step}")
