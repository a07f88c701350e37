from __future__ import annotations

from pathlib import Path

import pytest

from garabench.core.end_criterion import EndCriterion
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.plan import Plan
from garabench.records.reader import Run
from garabench.records.results import Summary
from garabench.records.run_writer import RunWriter
from garabench.stats.comparability import Difference, incomparable_reasons
from garabench.stats.comparison import compare
from tests.small_suite import VIRTUAL, run_file

PLAN = Plan(tasks=("a",), agents=("ignore",), conditions=("clean", "dual"))


def run(folder: Path, seed: int = 0, plan: Plan = PLAN, **more: object) -> Run:
    """Return a run with one task, solved clean and failed under ``dual``."""
    writer = RunWriter.create(folder, run_file(plan, **more))  # type: ignore[arg-type]
    for condition, outcome in (("clean", "success"), ("dual", "failure")):
        writer.append_result(Summary("a", "ignore", condition, seed, outcome, "goal_met", 3, shown=1))
    return Run(folder, writer.file)


def test_runs_that_differ_only_in_their_seeds_are_comparable(tmp_path: Path) -> None:
    runs = [run(tmp_path / "one", 1), run(tmp_path / "two", 2)]
    assert incomparable_reasons(runs) == ()
    found = compare(runs)
    assert (found.kind, found.suite_hash, found.stress_level) == (DeviceKind.VIRTUAL, "s" * 64, None)
    assert len(found.summaries) == 4
    (drop,) = found.drops
    assert (drop.drop, drop.paired.trials) == (1.0, 2)
    assert [row.condition for row in found.conditions] == ["clean", "dual"]


@pytest.mark.parametrize(
    ("difference", "more", "message"),
    [
        (Difference.DEVICE_KIND, {"device": Environment()}, "virtual device and .*two on a real one"),
        (Difference.SUITE, {"suite_hash": "t" * 64}, "of different suites"),
        (Difference.VERSION, {"garabench": "0.2.0"}, "with GaraBench 0.1.0 and .*two with 0.2.0"),
        (
            Difference.STRESS_LEVEL,
            {"plan": PLAN.model_copy(update={"interruptions": 2})},
            "as many interruptions as the rules say and .*two --interruptions 2",
        ),
        (
            Difference.END,
            {"plan": PLAN.model_copy(update={"end": EndCriterion.DONE})},
            "ended with --end goal and those of .*two with --end done",
        ),
        (
            Difference.TIME_LIMITS,
            {"plan": PLAN.model_copy(update={"decision_seconds": 7.0})},
            "decision_seconds 120 and 7",
        ),
    ],
)
def test_runs_whose_figures_differ_in_meaning_are_not_comparable(
    tmp_path: Path, difference: Difference, more: dict[str, object], message: str
) -> None:
    runs = [run(tmp_path / "one", 1, device=VIRTUAL), run(tmp_path / "two", 2, **more)]  # type: ignore[arg-type]
    assert [reason.difference for reason in incomparable_reasons(runs)] == [difference]
    with pytest.raises(InputError, match=message) as caught:
        compare(runs)
    assert caught.value.hint


def test_the_same_episode_in_two_runs_makes_them_incomparable(tmp_path: Path) -> None:
    runs = [run(tmp_path / "one"), run(tmp_path / "two")]
    assert {reason.difference for reason in incomparable_reasons(runs)} == {Difference.SAME_EPISODE}
    with pytest.raises(InputError, match="ignore on a, clean, is in more than one of these runs"):
        compare(runs)


def test_every_reason_is_given(tmp_path: Path) -> None:
    other = run(tmp_path / "two", device=Environment(), suite_hash="t" * 64)
    reasons = incomparable_reasons([run(tmp_path / "one"), other])
    assert [reason.difference for reason in reasons][:2] == [Difference.DEVICE_KIND, Difference.SUITE]
