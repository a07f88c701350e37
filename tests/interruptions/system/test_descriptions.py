"""Descriptions of anomalies: how each is verified and undone; the guide lists the same."""

from __future__ import annotations

import textwrap
from pathlib import Path

from garabench.core.anomalies.anomaly import Anomaly, AnsweredWhen
from garabench.core.anomalies.catalog import ANOMALIES, NOT_OFFERED
from garabench.interruptions.system.descriptions import undoing_commands, verifying_commands
from tests.cases import every_case

LASTING = ("crash", "app-not-responding")
GUIDE = (Path(__file__).parents[3] / "docs" / "emulators.md").read_text(encoding="utf-8")


@every_case("anomaly", ANOMALIES.values(), ids=list(ANOMALIES))
def test_an_anomaly_describes_how_it_is_verified_and_undone(anomaly: Anomaly) -> None:
    assert verifying_commands(anomaly)
    assert bool(undoing_commands(anomaly)) is (
        anomaly.answered_when is AnsweredWhen.REVERTED or anomaly.id in LASTING
    )


def test_a_reading_is_quoted_as_in_the_output() -> None:
    assert verifying_commands(ANOMALIES["battery-low"]) == (
        "`dumpsys battery` prints `(UPDATES STOPPED`",
        "`dumpsys battery` prints `level: 5`",
    )
    assert verifying_commands(ANOMALIES["process-kill"])[0] == "`pidof APP` prints nothing"
    assert verifying_commands(ANOMALIES["time"]) == (
        "`date` differs by +86400 s from the time expected by `/proc/uptime`",
    )
    assert undoing_commands(ANOMALIES["keyboard"]) == ("`input keyevent 4`",)
    assert undoing_commands(ANOMALIES["crash"]) == (
        "`am broadcast -a android.intent.action.CLOSE_SYSTEM_DIALOGS` and `am force-stop APP`",
    )
    assert undoing_commands(ANOMALIES["wifi-off"]) == ("`svc wifi enable`",)
    assert undoing_commands(ANOMALIES["font-scale"]) == (
        "`settings put system font_scale` with the original value (`delete` if it was not set)",
    )


def test_the_guide_lists_the_catalog() -> None:
    rows = [
        f"| `{each.id}` | {each.versions} | {each.devices.value} | {'; '.join(verifying_commands(each))} "
        f"| {'; '.join(undoing_commands(each)) or '–'} |"
        for each in ANOMALIES.values()
    ]
    assert "\n".join(rows) in GUIDE
    reasons = "; ".join(f"`{name}` ({reason})" for name, reason in NOT_OFFERED.items())
    sentence = f"Not offered, because ADB cannot produce them: {reasons}."
    assert textwrap.fill(sentence, 120, break_on_hyphens=False, break_long_words=False) in GUIDE
