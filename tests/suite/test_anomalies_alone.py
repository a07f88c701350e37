"""A suite with system anomalies only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.core.interruption import InterruptionFile
from garabench.core.yamlmodel import load_model
from garabench.errors import CombinedInputError
from garabench.lint.path_check import check_paths
from garabench.lint.suite_check import check_suite
from garabench.suite.suite import Suite

FILES = {
    "tasks/reader.yaml": """
app: com.example.reader
tasks:
  - id: like-it
    instruction: {en: Like it}
    goal: {use: liked}
    rules: [turns]
    max_steps: 5
    solution:
      - tap: {id: like}
""",
    "goal_schemas/reader.yaml": """
app: com.example.reader
goals:
  - id: liked
    description: The page is liked
    object: the page
    holds: {exists: {id: liked}}
""",
    "rules/reader.yaml": """
app: com.example.reader
rules:
  - id: turns
    description: On every page
    when: {all: [{exists: {id: like}}]}
    inject: it-turns
""",
    "rules/interruptions.yaml": """
anomalies:
  - {id: it-turns, description: It turns, system: rotation}
""",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_suite_with_only_anomalies_is_loaded_and_counted(root: Path) -> None:
    suite = Suite.load(root)
    assert (list(suite.interruptions), list(suite.anomalies)) == ([], ["it-turns"])
    assert check_paths([root / "rules" / "interruptions.yaml"])[0].summary.endswith(": 1 anomaly OK")
    result = CliRunner().invoke(main, ["check", str(root)])
    assert result.exit_code == 0, result.output
    assert "1 task, 1 goal, 1 rule and 1 anomaly are valid" in result.output
    counts = json.loads(CliRunner().invoke(main, ["check", str(root), "--json"]).output)
    assert (counts["interruptions"], counts["anomalies"]) == (0, 1)


def test_rules_and_anomalies_are_counted(root: Path) -> None:
    result = CliRunner().invoke(main, ["rules", "check", str(root)])
    assert (result.exit_code, result.output) == (0, "1 rule and 1 anomaly are valid.\n")
    counts = json.loads(CliRunner().invoke(main, ["rules", "check", str(root), "--json"]).output)
    assert counts == {
        "rules": 1,
        "interruptions": 0,
        "anomalies": 1,
        "unused": [],
        "silenced": 0,
        "findings": [],
    }


def test_an_unused_anomaly_is_a_mistake(root: Path) -> None:
    path = root / "rules" / "interruptions.yaml"
    path.write_text(
        path.read_text("utf-8") + "  - {id: it-locks, description: It locks, system: lock}\n", "utf-8"
    )
    with pytest.raises(CombinedInputError, match="unused interruption 'it-locks': no rule of a task uses it"):
        check_suite(root)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("interruptions: []\n", "x.yaml:1:1: interruptions: or anomalies: needs at least one entry"),
        ("interruptions: []\nanomalies: []\n", "x.yaml:1:1: interruptions: or anomalies: needs"),
        ("{}\n", "x.yaml:1:1: interruptions: or anomalies: needs at least one entry"),
        ("anomalies:\n  - {id: x, description: It turns}\n", "x.yaml:2:5: missing key 'system'"),
    ],
)
def test_an_empty_interruption_file_is_a_mistake(text: str, message: str) -> None:
    with pytest.raises(CombinedInputError) as caught:
        load_model(text, "x.yaml", InterruptionFile)
    (error,) = caught.value.errors
    assert str(error).startswith(message)
