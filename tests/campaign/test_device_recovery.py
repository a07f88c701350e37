from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.campaign.device_recovery import (
    LADDER,
    TOLERABLE,
    DeviceRecovery,
    DeviceRecoveryPolicy,
    DeviceRecoveryStep,
    due_for_recycling,
    is_recovered,
)
from garabench.core.campaign_events import Rung, Symptom

POLICY = DeviceRecoveryPolicy()
EVERY = frozenset(Rung)
PHONE = frozenset({Rung.WAIT, Rung.RECONNECT, Rung.RESTART_U2, Rung.RESTART_APP, Rung.REBOOT})


def climb(*symptoms: Symptom, possible: frozenset[Rung] = EVERY) -> list[str]:
    """Return the rungs against symptoms that stay, with the pauses of those that wait."""
    recovery, found = DeviceRecovery(POLICY, possible), []
    while (step := recovery.next_step(symptoms)) is not None:
        found.append(f"{step.rung} {step.pause:g}" if step.rung is Rung.WAIT else step.rung.value)
        if step.rung is Rung.RETIRE:
            break
        recovery = recovery.performed(step.rung)
    return found


WAITS = ["wait 0.25", "wait 0.5", "wait 1", "wait 2", "wait 4"]
LAST = ["reboot", "load_snapshot", "restart_emulator", "retire"]


@pytest.mark.parametrize(
    ("symptoms", "expected"),
    [
        ([Symptom.UNREACHABLE], [*WAITS, "reconnect", *LAST]),
        ([Symptom.EMPTY_TREE], [*WAITS, "restart_u2", "restart_app", *LAST]),
        ([Symptom.DIALOG], ["restart_app", *WAITS, *LAST]),
        ([Symptom.LOW_STORAGE], [*WAITS, "load_snapshot", "restart_emulator", "retire"]),
        ([Symptom.LOCKED], [*WAITS, "load_snapshot", "restart_emulator", "retire"]),
        ([Symptom.U2_FAILED], [*WAITS, "restart_u2"]),
        ([Symptom.SLOW_ADB], [*WAITS, "reconnect"]),
        ([Symptom.SLOW_ADB, Symptom.U2_FAILED], [*WAITS, "reconnect", "restart_u2"]),
        ([Symptom.DIALOG, Symptom.EMPTY_TREE], ["restart_app", *WAITS, "restart_u2", *LAST]),
        ([], []),
    ],
)
def test_rungs_go_from_the_mildest_to_the_last(symptoms: list[Symptom], expected: list[str]) -> None:
    assert climb(*symptoms) == expected


def test_a_phone_is_not_restarted_and_has_no_snapshot() -> None:
    assert climb(Symptom.NO_FOCUS, possible=PHONE) == [*WAITS, "restart_app", "reboot", "retire"]


def test_a_recovered_device_needs_nothing_more() -> None:
    recovery = DeviceRecovery(POLICY, EVERY).performed(Rung.WAIT)
    assert recovery.next_step([]) is None
    assert recovery.next_step([Symptom.EMPTY_TREE]) == DeviceRecoveryStep(Rung.WAIT, 0.5)
    assert is_recovered([Symptom.U2_FAILED])
    assert not is_recovered([Symptom.U2_FAILED, Symptom.LOCKED])


@settings(max_examples=50)
@given(
    st.lists(st.frozensets(st.sampled_from(Symptom), min_size=1), min_size=12, max_size=12),
    st.frozensets(st.sampled_from([each for each in Rung if each is not Rung.RETIRE])),
)
def test_every_recovery_ends_and_performs_only_what_is_possible_and_can_help(
    checks: list[frozenset[Symptom]], possible: frozenset[Rung]
) -> None:
    recovery = DeviceRecovery(POLICY, possible)
    for number, symptoms in enumerate(checks, start=1):
        step = recovery.next_step(symptoms)
        if step is None or step.rung is Rung.RETIRE:
            assert (step is None) == (symptoms <= TOLERABLE)
            return
        assert number < len(checks), "five waits and each of the six other rungs once"
        assert step.rung in possible
        assert any(step.rung in LADDER[symptom] for symptom in symptoms)
        assert step.rung is Rung.WAIT or step.rung not in recovery.tried
        recovery = recovery.performed(step.rung)


def test_retries_and_devices_pause_longer_each_time_up_to_a_limit() -> None:
    assert [POLICY.pause_before_retry(failed) for failed in (1, 2, 3, 6, 9)] == [3, 9, 27, 30, 30]
    pauses: list[float] = []
    while (pause := POLICY.pause_of_device(pauses)) is not None:
        pauses.append(pause)
    assert pauses == [15, 30, 60, 120, 240, 135]
    assert sum(pauses) == POLICY.wait_limit


@given(st.floats(min_value=0, max_value=1e5))
def test_no_device_pauses_longer_than_the_limit(limit: float) -> None:
    policy, pauses = POLICY.limited(limit), list[float]()
    assert sum(policy.waits) <= limit
    while (pause := policy.pause_of_device(pauses)) is not None and len(pauses) < 1000:
        assert pause <= POLICY.longest_device_pause
        pauses.append(pause)
    assert sum(pauses) == pytest.approx(limit)


def test_emulators_are_recycled_after_a_number_of_loads() -> None:
    assert [due_for_recycling(loads, POLICY) for loads in (0, 49, 50, 51)] == [False, False, True, True]
    assert not due_for_recycling(10_000, DeviceRecoveryPolicy(recycle_after=0))
