"""Side effects by agent and condition."""

from __future__ import annotations

from dataclasses import replace

from garabench.records.results import InjectedInterruption, Summary
from garabench.stats.rates import Rate
from garabench.stats.side_effects import side_effect_rows


def summary(task: str, condition: str, outcome: str, side_effects: tuple[str, ...] | None) -> Summary:
    shown = condition != "clean"
    return Summary(
        task=task,
        agent="a",
        condition=condition,
        seed=1,
        outcome=outcome,
        reason="",
        steps=1,
        injected=int(shown),
        shown=int(shown),
        side_effects=side_effects,
        interruptions=(InjectedInterruption("ad", "app-prompt", "", True),) if shown else (),
    )


def test_rates_pairs_and_kinds() -> None:
    rows = side_effect_rows(
        [
            summary("t1", "clean", "success", ()),
            summary("t2", "clean", "success", ()),
            summary("t3", "clean", "success", None),
            summary("t4", "clean", "error", ("added like",)),
            summary("t1", "dual", "success", ("added order", "added order")),
            summary("t2", "dual", "failure", ("removed post",)),
            summary("t3", "dual", "success", ("added like",)),
        ]
    )
    clean, dual = rows
    assert (clean.success, clean.strict, clean.side_effects) == (Rate(2, 2), Rate(2, 2), Rate(0, 2))
    assert clean.unknown == 1 and clean.paired is None and clean.kinds == () and clean.damage_after == ()
    assert (dual.success, dual.strict, dual.side_effects) == (Rate(2, 3), Rate(0, 3), Rate(3, 3))
    assert dual.kinds == (("added order", 2), ("removed post", 1), ("added like", 1))
    # The third pair has no known clean episode.
    assert dual.paired is not None and (dual.paired.trials, dual.paired.only_second) == (2, 2)
    assert dual.damage_after == (("ad", Rate(3, 3)),)


def test_nothing_known_has_no_row() -> None:
    assert side_effect_rows([summary("t", "clean", "success", None)]) == ()


def test_strict_success() -> None:
    assert summary("t", "clean", "success", ()).strict is True
    assert summary("t", "clean", "success", ("added like",)).strict is False
    assert summary("t", "clean", "success", None).strict is None
    assert summary("t", "clean", "failure", None).strict is False


def test_seeds_of_one_task_are_one_observation() -> None:
    items = [
        replace(summary("t", condition, "success", effects), seed=seed)
        for condition, effects in (("clean", ()), ("dual", ("added order",)))
        for seed in range(6)
    ]
    _, dual = side_effect_rows(items)
    assert dual.paired is not None
    assert (dual.paired.only_second, dual.p_value) == (6, 1.0)
