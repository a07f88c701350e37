"""`garabench interruptions list | show`: windows, a suite's anomalies, and all system anomalies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main
from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.interruption import Interruption, Severity
from garabench.core.steps import (
    ClearAppStep,
    ForceStopStep,
    ProgressStep,
    RelaunchStep,
    SettingsPageStep,
    ShowStep,
    StartStep,
    StorePageStep,
    WaitStep,
    WifiStep,
)
from tests.bundled import bundled_suite
from tests.cases import every_case

SUITE = bundled_suite()
LIBRARY = """
interruptions:
  - id: survey
    description: Asks for an opinion
    category: app-prompt
    severity: low
    title: {en: Happy?}
    message: {en: Tell us.}
    buttons: [{key: accept, role: accept, label: {en: "Yes"}}]
anomalies:
  - id: poem-turns
    description: The screen rotates while the user reads
    system: rotation
    value: "90"
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for folder in ("tasks", "goal_schemas", "rules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "rules" / "interruptions.yaml").write_text(LIBRARY, encoding="utf-8")
    return tmp_path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["interruptions", *map(str, words)])


def test_anomalies_of_a_suite_inherit_category_and_severity(suite: Path) -> None:
    rows: list[dict[str, Any]] = json.loads(run("list", "--suite", suite, "--json").output)
    assert [row["id"] for row in rows] == ["survey", "poem-turns", *ANOMALIES]
    turns = rows[1]
    rotation = ANOMALIES["rotation"]
    assert (turns["kind"], turns["system"], turns["value"]) == ("anomaly", "rotation", "90")
    assert (turns["category"], turns["severity"]) == (rotation.category.value, rotation.severity.value)
    assert turns["description"] == "The screen rotates while the user reads"
    output = run("list", "--suite", suite).output
    assert any(line.split()[:4] == ["poem-turns", "anomaly", "system", "low"] for line in output.splitlines())


def test_anomaly_of_a_suite_is_shown(suite: Path) -> None:
    output = run("show", "poem-turns", "--suite", suite).output
    assert "system       rotation" in output
    assert "value        90" in output
    assert "Did you mean 'poem-turns'?" in run("show", "poem-turn", "--suite", suite).output


def _with_follow_ups(interruption: Interruption) -> list[Interruption]:
    found = [interruption]
    for each in found:
        shown = [s.show for b in each.buttons for s in b.follow_up if isinstance(s, ShowStep)]
        found += [SUITE.interruptions[name] for name in shown if SUITE.interruptions[name] not in found]
    return found


@every_case("name", sorted(SUITE.interruptions))
def test_severity_matches_the_longest_exit(name: str) -> None:
    windows = _with_follow_ups(SUITE.interruptions[name])
    buttons = [button for window in windows for button in window.buttons]
    steps = [step for button in buttons for step in button.follow_up]
    away = (SettingsPageStep, StorePageStep, StartStep, ProgressStep, WaitStep)
    if any(isinstance(s, ForceStopStep | RelaunchStep | ClearAppStep | WifiStep) for s in steps):
        expected = Severity.HIGH
    elif any(isinstance(s, away) for s in steps) or any(b.after or b.gap is not None for b in buttons):
        expected = Severity.MEDIUM
    else:
        expected = Severity.LOW
    assert SUITE.interruptions[name].severity is expected
