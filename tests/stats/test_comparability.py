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
        compare(runs, strict=True)
    assert caught.value.hint
    if difference.refused:
        with pytest.raises(InputError, match=message):
            compare(runs)
    else:
        (warning,) = compare(runs).warnings
        assert warning.difference is difference


@pytest.mark.parametrize(
    ("difference", "one", "two", "message"),
    [
        (Difference.DEVICE, {"sdk": 34}, {"sdk": 19}, "ran on different devices: sdk 34 and 19"),
        (Difference.DEVICE, {"companion": ""}, {"companion": "ab"}, "companion built in and ab"),
        (Difference.RULES, {"left_out": {}}, {"left_out": {"no-wifi": "none"}}, "different rules: no-wifi"),
        (Difference.APP_FILES, {"app_files": ""}, {"app_files": "ab"}, "different app files (none and ab)"),
        (None, {"sdk": None, "app_files": None}, {"sdk": 19, "app_files": "ab"}, ""),
    ],
)
def test_devices_are_compared_by_what_both_runs_recorded(
    tmp_path: Path,
    difference: Difference | None,
    one: dict[str, object],
    two: dict[str, object],
    message: str,
) -> None:
    runs = [
        run(tmp_path / str(seed), seed, device=VIRTUAL.model_copy(update=device))
        for seed, device in enumerate((one, two))
    ]
    reasons = incomparable_reasons(runs)
    assert [reason.difference for reason in reasons] == ([difference] if difference else [])
    assert all(message in reason.message for reason in reasons)


def test_another_model_of_the_same_name_is_a_warning(tmp_path: Path) -> None:
    one = run(tmp_path / "one", 1)
    file = one.file.model_copy(
        update={"agents": tuple(agent.model_copy(update={"profile": "other"}) for agent in one.agents)}
    )
    (reason,) = incomparable_reasons([one, Run(run(tmp_path / "two", 2).folder, file)])
    assert (reason.difference, reason.difference.refused) == (Difference.MODEL, False)


def test_a_difference_from_any_earlier_run_is_stated(tmp_path: Path) -> None:
    unrecorded = run(tmp_path / "none", 1, device=VIRTUAL.model_copy(update={"sdk": None}))
    one = run(tmp_path / "one", 2, device=VIRTUAL.model_copy(update={"sdk": 34}))
    two = run(tmp_path / "two", 3, device=VIRTUAL.model_copy(update={"sdk": 19}))
    for runs in ([unrecorded, one, two], [one, unrecorded, two]):
        (reason,) = incomparable_reasons(runs)
        assert reason.difference is Difference.DEVICE
        assert "sdk 34 and 19" in reason.message


def test_other_step_limits_are_a_warning(tmp_path: Path) -> None:
    runs = []
    for name, limit in (("one", 15), ("two", 20)):
        writer = RunWriter.create(tmp_path / name, run_file(PLAN))
        writer.append_result(
            Summary("a", "ignore", "clean", limit, "success", "goal_met", 3, step_limit=limit)
        )
        runs.append(Run(tmp_path / name, writer.file))
    (reason,) = incomparable_reasons(runs)
    assert reason.difference is Difference.STEP_LIMITS
    assert "step limits for 1 of their tasks, such as a: 15 and 20" in reason.message


def test_the_same_episode_in_two_runs_makes_them_incomparable(tmp_path: Path) -> None:
    runs = [run(tmp_path / "one"), run(tmp_path / "two")]
    assert {reason.difference for reason in incomparable_reasons(runs)} == {Difference.SAME_EPISODE}
    with pytest.raises(InputError, match="ignore on a, clean, is in more than one of these runs"):
        compare(runs)


def test_runs_with_names_may_have_the_same_episodes(tmp_path: Path) -> None:
    found = compare({"before": run(tmp_path / "one"), "after": run(tmp_path / "two")}, strict=True)
    assert found.warnings == ()
    assert list(dict.fromkeys(item.agent for item in found.summaries)) == ["before/ignore", "after/ignore"]
    assert [(each.first, each.second) for each in found.comparisons if each.condition == "clean"] == [
        ("before/ignore", "after/ignore")
    ]


def test_every_reason_is_given(tmp_path: Path) -> None:
    other = run(tmp_path / "two", device=Environment(), suite_hash="t" * 64)
    reasons = incomparable_reasons([run(tmp_path / "one"), other])
    assert [reason.difference for reason in reasons][:2] == [Difference.DEVICE_KIND, Difference.SUITE]
