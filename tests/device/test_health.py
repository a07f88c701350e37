from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from garabench.core.campaign_events import Symptom
from garabench.core.observation import Focus
from garabench.device.health import (
    HealthReading,
    dialog_package,
    find_problems,
    foreign_window,
    may_be_foreign,
    parse_health,
)

WINDOW = "  isKeyguardShowing=false\n  mCurrentFocus=Window{f96644 u0 com.a/com.a.Main}\n"
DF = "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/block/dm-5 112345678 1 {free} 56% /data\n"


def output(
    *, booted: str = "1", free: int = 1 << 20, now: str = "1716169260", built: str = "1700000000",
    window: str = WINDOW, route: str = "192.168.1.0/24 dev wlan0", settings: tuple[str, ...] = ("0", "1"),
) -> str:  # fmt: skip
    parts = (booted, DF.format(free=free), now, built, window, route, *settings)
    return "\n@garabench@\n".join(parts)


def symptoms(text: str, *, seconds: float = 0.01, had_network: bool = True) -> list[Symptom]:
    found = find_problems(parse_health(text, seconds), had_network=had_network)
    assert all(each.detail for each in found)
    return [each.symptom for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (output(), []),
        (output(settings=()), []),
        (output(booted=""), [Symptom.BOOTING]),
        (output(free=1000), [Symptom.LOW_STORAGE]),
        (output(now="1230768000"), [Symptom.WRONG_TIME]),
        (output(now="1650000000"), [Symptom.WRONG_TIME]),
        (output(now="1650000000", built=""), []),
        (output(now="date: bad"), []),
        (output(route=""), [Symptom.NO_NETWORK]),
        (output(route="", settings=("1", "1")), []),  # airplane mode: an episode's own doing
        (output(route="", settings=("0", "0")), []),
        (output(route="ip: not found"), []),
        (output(window="  mCurrentFocus=null\n"), [Symptom.NO_FOCUS]),
        (
            output(window="mCurrentFocus=Window{f u0 Application Not Responding: com.a}"),
            [Symptom.DIALOG],
        ),
        (output(window="mCurrentFocus=Window{f u0 Application Error: com.b}"), [Symptom.DIALOG]),
        (output(window="mCurrentFocus=Window{f u0 NotificationShade}"), []),
        (output(window="mCurrentFocus=null", free=1), [Symptom.NO_FOCUS, Symptom.LOW_STORAGE]),
    ],
)
def test_problems_are_found(text: str, expected: list[Symptom]) -> None:
    assert symptoms(text) == expected


def test_missing_network_counts_only_if_there_was_one() -> None:
    assert symptoms(output(route=""), had_network=False) == []


def test_slow_adb_is_a_problem() -> None:
    assert symptoms(output(), seconds=2.5) == [Symptom.SLOW_ADB]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("BiometricPrompt", [Symptom.COVERED]),
        ("com.android.settings/.ConfirmLockPassword", [Symptom.COVERED]),
        ("com.eg.android.AlipayGphone/.Pay", []),  # apps may be secure
    ],
)
def test_secure_windows_of_the_system_cover_the_screen(title: str, expected: list[Symptom]) -> None:
    assert [each.symptom for each in find_problems(HealthReading(title=title, secure=True))] == expected


def test_what_could_not_be_read_is_a_problem() -> None:
    well = HealthReading(title="a/.A")
    assert find_problems(well) == ()
    for field, symptom in (
        ("unreachable", Symptom.UNREACHABLE),
        ("lock", Symptom.LOCKED),
        ("tree", Symptom.EMPTY_TREE),
        ("u2", Symptom.U2_FAILED),
    ):
        (problem,) = find_problems(replace(well, **{field: "why"}))  # type: ignore[arg-type]
        assert (problem.symptom, problem.detail) == (symptom, "why")


def test_dialogs_name_the_app() -> None:
    assert dialog_package("Application Error: com.a.b") == "com.a.b"
    assert dialog_package("com.a/.Main") == ""


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (
            "mCurrentFocus=Window{f u0 Application Error: com.other}",
            "the dialog 'Application Error: com.other'",
        ),
        ("mCurrentFocus=Window{f u0 Application Error: com.own}", ""),
        ("mCurrentFocus=Window{f u0 Application Not Responding: com.own}", "the dialog 'Application Not Res"),
        ("isKeyguardShowing=true\nmCurrentFocus=Window{f u0 NotificationShade}", "the lock screen"),
        ("mCurrentFocus=Window{f u0 NotificationShade}", ""),
        (
            "mCurrentFocus=Window{f u0 BiometricPrompt}\n  Window #1 Window{f u0 BiometricPrompt}:\n"
            "    mAttrs={ fl=SECURE }\n",
            "the secure window 'BiometricPrompt'",
        ),
    ],
)
def test_windows_with_which_an_episode_has_nothing_to_do(window: str, expected: str) -> None:
    adb = SimpleNamespace()
    adb.shell = lambda argv: SimpleNamespace(stdout=window)
    found = foreign_window(SimpleNamespace(adb=adb), ("com.own",))  # type: ignore[arg-type]
    assert found.startswith(expected)
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("focus", "expected"),
    [
        (Focus("android", ""), True),
        (Focus("com.android.systemui", ""), True),
        (Focus("com.android.settings", "com.android.settings.ConfirmLockPassword"), True),
        (Focus("com.android.settings", "com.android.settings.Settings"), False),
        (Focus("com.a", "com.a.Main"), False),
    ],
)
def test_other_windows_cost_no_command(focus: Focus, expected: bool) -> None:
    assert may_be_foreign(focus) is expected
