"""The verdicts on episodes with a turned screen are compared with the apps' state, in both directions."""

from __future__ import annotations

import pytest

from benchmarks.rotation import TurnedEpisode, TurnedVerdict, compare_state
from garabench.core import events as ev
from garabench.core.app_state import AppEffects, StateRecord
from garabench.core.expected_effects import ChangeKind, EffectExpectation, StateChange

APP = "com.example.reader"
SONG, BOOK = (StateRecord(kind="like", object=name) for name in ("song", "book"))
EXPECTED = EffectExpectation(
    variants=((StateChange(package=APP, change=ChangeKind.ADDED, kind="like", object="song"),),)
)


@pytest.mark.parametrize(
    ("app", "success", "false_done"),
    [
        (AppEffects(package=APP, added=(SONG,)), TurnedVerdict.SUCCEEDED, TurnedVerdict.MISSCORED),
        (AppEffects(package=APP, added=(SONG, BOOK)), TurnedVerdict.SUCCEEDED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP, added=(BOOK,)), TurnedVerdict.MISSCORED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP), TurnedVerdict.MISSCORED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP, unknown="lost"), TurnedVerdict.SUCCEEDED, TurnedVerdict.MISSCORED),
    ],
)
def test_a_verdict_that_the_state_contradicts_is_wrong(
    app: AppEffects, success: TurnedVerdict, false_done: TurnedVerdict
) -> None:
    as_expected, lacking = compare_state(EXPECTED, [ev.Effects(step=1, t=1, apps=(app,))])

    def verdict(outcome: str, reason: str) -> TurnedVerdict:
        return TurnedEpisode("a", True, outcome, reason, 3, as_expected=as_expected, lacking=lacking).verdict

    assert (verdict("success", "goal"), verdict("failure", "false_done")) == (success, false_done)


def test_a_state_that_was_not_read_contradicts_nothing() -> None:
    assert compare_state(EXPECTED, []) == (True, False)
    read = [ev.Effects(step=1, t=1, apps=(AppEffects(package=APP),))]
    assert compare_state(EffectExpectation(), read) == (True, False)
