"""Records that change by themselves are found by two readings."""

from __future__ import annotations

from garabench.core.clock import SystemClock
from garabench.effects.stability import read_twice
from garabench.effects.state import AppState
from tests.effects.test_episode_states import APP, FakePhone


def test_a_record_that_appears_by_itself_is_found() -> None:
    phone = FakePhone()
    found = read_twice(phone, APP, SystemClock(), lambda: phone.likes[APP].append("b"))
    assert not found.stable
    assert [record.object for record in found.changes.added] == ["b"]
    assert isinstance(found.state, AppState)
    assert [key for key, _ in found.state.records.items()] == [("like", "a")]


def test_a_state_that_waits_for_actions_is_stable() -> None:
    found = read_twice(FakePhone(), APP, SystemClock(), lambda: None)
    assert found.stable
    assert found.milliseconds >= 0


def test_a_state_that_cannot_be_read_is_not_stable() -> None:
    phone = FakePhone()
    found = read_twice(phone, APP, SystemClock(), lambda: phone.hanging.add(APP))
    assert not found.stable
    assert found.changes.unknown == "after the last step: it was not read within 10 s"
