"""The catalog: every anomaly is complete, and the journal can undo each of its changes."""

from __future__ import annotations

import re

import pytest

from garabench.core.anomalies.anomaly import (
    Aftermath,
    Anomaly,
    AnomalyRequest,
    AnsweredWhen,
    ClockShift,
    HangPart,
    Precondition,
    SplitScreenPart,
    SupportedDevices,
    TextFieldTap,
    Verification,
)
from garabench.core.anomalies.catalog import ANOMALIES, NOT_OFFERED
from garabench.core.device_changes import Choice, Setting, Switch
from garabench.device.undo.entry import Scope, UndoEntry

LASTING = ("crash", "app-not-responding")
"""Anomalies that are undone although they count as answered when the app is in the foreground."""
EACH = pytest.mark.parametrize("anomaly", ANOMALIES.values(), ids=list(ANOMALIES))


def request(anomaly: Anomaly, sdk: int = 34) -> AnomalyRequest:
    value = anomaly.parameter.default if anomaly.parameter else ""
    return AnomalyRequest("com.example.app", value, "en", sdk)


@EACH
def test_every_anomaly_has_a_description_and_a_notice(anomaly: Anomaly) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", anomaly.id)
    assert set(anomaly.notice) == {"zh", "en"}
    assert anomaly.description[0].isupper()
    assert re.match(r"(4\.4|\d+) (and newer|to \d+)", anomaly.versions)
    assert anomaly.value_problem("") == ""
    assert anomaly.value_problem("\n; reboot") != ""


@EACH
def test_every_change_can_be_undone_by_the_journal(anomaly: Anomaly) -> None:
    readings = {Setting: "null", Choice: "Europe/Berlin"}
    changes = [
        part.change
        if isinstance(part, Precondition)
        else part.effect
        if isinstance(part, TextFieldTap | Aftermath)
        else part
        for sdk in (19, 34)
        for part in anomaly.parts(request(anomaly, sdk))
        if isinstance(part, Precondition | TextFieldTap | Aftermath | Setting | Switch | Choice)
    ]
    moves = [
        part
        for part in anomaly.parts(request(anomaly))
        if isinstance(part, ClockShift | SplitScreenPart | HangPart)
    ]
    for change in changes:
        reading = readings.get(type(change), "")
        if isinstance(change, Switch):
            reading = next(state.readings[0] for name, state in change.states.items() if name != change.to)
        back, expected = change.undo(reading, 34)
        entry = UndoEntry(change.subject, anomaly.id, Scope.EPISODE, back, change.query, expected)
        assert UndoEntry.from_json(entry.to_json()) == entry
        assert not change.is_in_effect(reading)
        assert back != change.commands
    assert bool(changes or moves) is (anomaly.answered_when is AnsweredWhen.REVERTED or anomaly.id in LASTING)
    assert changes or anomaly.verification is not Verification.STATE


@EACH
def test_an_unsupported_anomaly_is_refused_by_name(anomaly: Anomaly) -> None:
    def refusal(sdk: int = 34, *, emulator: bool = True, over_network: bool = False) -> str:
        return anomaly.unsupported_reason(sdk=sdk, emulator=emulator, over_network=over_network)

    first = anomaly.sdk_ranges[0][0]
    assert refusal() == refusal(first) == ""
    assert anomaly.id in refusal(first - 1)
    assert bool(refusal(emulator=False)) is (anomaly.devices is SupportedDevices.EMULATOR)
    assert bool(refusal(over_network=True)) is (anomaly.devices is SupportedDevices.NOT_OVER_THE_NETWORK)


def test_airplane_mode_is_unsupported_where_no_command_works() -> None:
    anomaly = ANOMALIES["airplane-mode"]
    message = anomaly.unsupported_reason(sdk=26, emulator=True, over_network=False)
    assert message == "airplane-mode requires Android 4.4 to 6, 11 and newer; this device has API level 26"


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("rotation", ("90", "270"), ("0", "45", "90;")),
        ("font-scale", ("0.85", "1.3", "2.0"), ("0.5", "3", "1.3 ")),
        ("battery-low", ("1", "15", "50"), ("0", "51", "100")),
        ("incoming-call", ("112", "5551234"), ("+1", "1 2", "12\n34567")),
        ("network-delay", ("100", "9999"), ("0", "none", "10000")),
        ("time-zone", ("Asia/Tokyo",), ("UTC", "../etc")),
        ("time", ("+1d", "-1h", "+90m", "-999d"), ("1d", "+0d", "+1", "+1w", "+1000d", "-1h;")),
        ("language", ("fr-FR", "de", "zh-Hans-CN"), ("french", "fr_FR")),
    ],
)
def test_parameter_values_are_checked(name: str, good: tuple[str, ...], bad: tuple[str, ...]) -> None:
    assert [ANOMALIES[name].value_problem(value) for value in good] == [""] * len(good)
    assert all(ANOMALIES[name].value_problem(value) for value in bad)


@pytest.mark.parametrize(
    ("value", "seconds"), [("+1d", 86_400), ("-1h", -3600), ("+90m", 5400), ("-2d", -172_800)]
)
def test_the_clock_shifts_by_the_requested_time(value: str, seconds: int) -> None:
    held, moved = ANOMALIES["time"].parts(AnomalyRequest("com.example.app", value, "en", 34))
    assert held == Precondition(Setting("global", "auto_time", "0"))
    assert moved == ClockShift(seconds)


def test_anomalies_that_are_not_offered_have_a_reason() -> None:
    assert not set(NOT_OFFERED) & set(ANOMALIES)
    assert all(len(reason) > 30 for reason in NOT_OFFERED.values())
