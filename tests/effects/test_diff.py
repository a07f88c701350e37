from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from garabench.core.app_state import AppEffects, ChangedRecord, StateRecord
from garabench.effects.diff import state_changes
from garabench.effects.state import State, UnknownState, state_of
from tests.effects.test_parse import RECORDS

PACKAGE = "com.example"


def state(*records: StateRecord) -> State:
    return state_of(records)


@given(RECORDS)
def test_the_same_state_has_no_effects(records: list[StateRecord]) -> None:
    assert state_changes(PACKAGE, state(*records), state(*reversed(records))).none


@given(RECORDS, RECORDS)
def test_the_effects_lead_from_one_state_to_the_other(
    before: list[StateRecord], after: list[StateRecord]
) -> None:
    effects = state_changes(PACKAGE, state(*before), state(*after))
    old, new = ({record.key: record.fields for record in records} for records in (before, after))
    result = dict(old)
    for record in effects.removed:
        assert result.pop(record.key) == record.fields
    for record in effects.added:
        assert record.key not in result
        result[record.key] = record.fields
    for change in effects.changed:
        fields = dict(result[change.kind, change.object])
        assert {name: fields.pop(name) for name in change.before} == change.before
        result[change.kind, change.object] = fields | change.after
    assert result == new


@given(RECORDS, RECORDS)
def test_undoing_has_the_opposite_effects(before: list[StateRecord], after: list[StateRecord]) -> None:
    done, undone = (
        state_changes(PACKAGE, state(*before), state(*after)),
        state_changes(PACKAGE, state(*after), state(*before)),
    )
    assert (done.added, done.removed) == (undone.removed, undone.added)
    assert [(each.before, each.after) for each in done.changed] == [
        (each.after, each.before) for each in undone.changed
    ]


@given(st.permutations(list(range(4))))
def test_effects_do_not_depend_on_the_order_of_records(order: list[int]) -> None:
    records = [StateRecord(kind="like", object=str(number)) for number in range(4)]
    effects = state_changes(PACKAGE, state(), state(*(records[number] for number in order)))
    assert [record.object for record in effects.added] == ["0", "1", "2", "3"]


def test_only_the_changed_fields_are_in_a_change() -> None:
    before = StateRecord(kind="cart-line", object="tea", fields={"count": 1, "option": "green", "old": 1})
    after = StateRecord(kind="cart-line", object="tea", fields={"count": 2, "option": "green", "new": True})
    assert state_changes(PACKAGE, state(before), state(after)).changed == (
        ChangedRecord(
            kind="cart-line", object="tea", before={"count": 1, "old": 1}, after={"count": 2, "new": True}
        ),
    )


def test_true_is_not_one() -> None:
    records = [StateRecord(kind="setting", object="x", fields={"value": value}) for value in (True, 1)]
    assert len(state_changes(PACKAGE, state(records[0]), state(records[1])).changed) == 1


def test_another_sentence_is_no_change() -> None:
    records = [StateRecord(kind="like", object="x", text={"en": text}) for text in ("a", "b")]
    assert state_changes(PACKAGE, state(records[0]), state(records[1])).none


def test_an_unknown_state_has_unknown_effects() -> None:
    unknown, known = UnknownState("it was late"), state()
    assert state_changes(PACKAGE, unknown, known) == AppEffects(
        package=PACKAGE, unknown="before the first step: it was late"
    )
    assert state_changes(PACKAGE, known, unknown).unknown == "after the last step: it was late"
