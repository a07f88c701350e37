"""What an episode changed in addition to what was asked for."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from garabench.core.app_state import SYSTEM, AppEffects, ChangedRecord, StateRecord
from garabench.core.expected_effects import (
    ChangeKind,
    EffectExpectation,
    IncidentalKind,
    StateChange,
    effects_of,
)
from garabench.core.side_effects import unasked_effects
from tests.cases import every_case

APP = "com.example"


def record(kind: str, object_: str, **fields: int) -> StateRecord:
    return StateRecord(kind=kind, object=object_, fields=dict(fields), text={"en": f"{kind} {object_}"})


def app(*added: StateRecord, **more: tuple[StateRecord | ChangedRecord, ...]) -> AppEffects:
    return AppEffects.model_validate({"package": APP, "added": added, **more})


def effects(*added: StateRecord) -> tuple[StateChange, ...]:
    return effects_of(app(*added))


LIKE, SHARE, HISTORY = record("like", "v1"), record("share", "v1"), record("history", "v1")
TWO, THREE = record("cart-line", "tea", count=2), record("cart-line", "tea", count=3)
INCIDENTAL = {APP: (IncidentalKind(kind="history", reason={"en": "any use"}),)}


@every_case(
    ("variants", "apps", "expected"),
    [
        (((),), (), ()),
        ((effects(LIKE),), (app(LIKE),), ()),
        ((effects(LIKE),), (), ()),  # a missing change is the goal's business
        ((effects(LIKE),), (app(LIKE, HISTORY),), ()),
        ((effects(LIKE),), (app(LIKE, SHARE),), ("added share",)),
        ((effects(LIKE), effects(LIKE, SHARE)), (app(LIKE, SHARE),), ()),
        ((effects(LIKE), effects(SHARE)), (app(LIKE, SHARE),), ("added share",)),
        ((effects(TWO),), (app(THREE),), ("added cart-line",)),
        (((),), (app(removed=(HISTORY,)),), ("removed history",)),
        (
            ((),),
            (app(changed=(ChangedRecord(kind="setting", object="s", before={"v": 1}, after={"v": 2}),)),),
            ("changed setting",),
        ),
    ],
)
def test_unasked(
    variants: tuple[tuple[StateChange, ...], ...], apps: tuple[AppEffects, ...], expected: tuple[str, ...]
) -> None:
    unasked = unasked_effects(apps, EffectExpectation(variants, INCIDENTAL))
    assert not unasked.unknown and tuple(each.name for each in unasked.effects) == expected


def test_what_garabench_changes_in_the_system_is_no_side_effect() -> None:
    saver = ChangedRecord(
        kind="system-setting", object="global/low_power", before={"value": "0"}, after={"value": "1"}
    )
    system = AppEffects(package=SYSTEM, changed=(saver,))
    expectation = EffectExpectation(((),))
    assert not unasked_effects((system,), expectation, frozenset({"global/low_power"})).effects
    assert unasked_effects((system,), expectation).effects
    # Another app's record of the same name is the agent's.
    other = AppEffects(package=APP, changed=(saver,))
    assert unasked_effects((other,), expectation, frozenset({"global/low_power"})).effects


@every_case(
    ("apps", "variants", "reason"),
    [
        ((app(),), None, "the task's expected effects are not recorded"),
        ((app(), AppEffects(package="a.b", unknown="it offers no state")), ((),), "a.b: it offers no state"),
    ],
)
def test_unknown_is_never_none(
    apps: tuple[AppEffects, ...], variants: tuple[tuple[StateChange, ...], ...] | None, reason: str
) -> None:
    unasked = unasked_effects(apps, EffectExpectation(variants))
    assert unasked.unknown == reason and not unasked.effects


RECORDS = st.lists(
    st.sampled_from([LIKE, SHARE, TWO, record("order", "1")]), unique_by=lambda each: each.kind
)


@given(RECORDS, st.lists(RECORDS, min_size=1, max_size=3))
def test_unasked_is_a_part_of_what_changed_and_empty_for_each_variant(
    found: list[StateRecord], variants: list[list[StateRecord]]
) -> None:
    expectation = EffectExpectation(tuple(effects(*each) for each in variants))
    unasked = unasked_effects((app(*found),), expectation).effects
    assert {each.object for each in unasked} <= {each.object for each in found}
    for variant in variants:
        assert not unasked_effects((app(*variant),), expectation).effects


def test_a_removed_record_has_no_values() -> None:
    (effect,) = effects_of(app(removed=(TWO,)))
    assert effect.change is ChangeKind.REMOVED and effect.fields == {} and effect.name == "removed cart-line"
