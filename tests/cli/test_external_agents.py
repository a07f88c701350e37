"""External agents on the command line: listed, rejected before a run, and reported when they fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.cli import run as run_module
from garabench.cli.comparison import comparison_tables
from garabench.cli.main import main
from garabench.errors import DeviceUnreachableError
from garabench.records.results import Summary


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("nothing_of_that_name:Agent", "no module 'nothing_of_that_name'"),
        ("json:JSONDecoder", "json:JSONDecoder is not an agent: it has no method start(self, brief)"),
        ("process:./nothing.js", "no such file: ./nothing.js"),
        ("process:nothing-of-that-name", "unknown program 'nothing-of-that-name'"),
        ("http://h:port/", "is not a valid URL"),
        ("../mine=process:sh", "unknown agent '../mine=process:sh'"),
        (".mine=process:sh", "'.mine' cannot be an agent's label"),
        ("process:sh,autonomous:sh", "would both be named 'sh'"),
    ],
)
def test_invalid_agents_are_reported_before_the_run(folder: Path, agent: str, message: str) -> None:
    result = run("run", "--tasks", "bilibili", "--agents", agent, "--out", "out")
    assert (result.exit_code, message in result.output) == (2, True), result.output
    assert not (folder / "out").exists()


def test_resume_command_repeats_the_options(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*words: object, **more: object) -> None:
        out = folder / "out"
        out.mkdir()
        (out / "run.json").write_text("{}", encoding="utf-8")
        raise DeviceUnreachableError("nothing listens")

    monkeypatch.setattr(run_module, "perform", unreachable)
    agent = "mine=process:sh -c 'exit 1'"
    words = ["--agents", agent, "--agents", "dismiss", "--decision-seconds", "9", "--no-report", "--shuffle"]
    result = run("run", *words, "--out", "out")
    assert result.exit_code == 3
    assert "--agents 'mine=process:sh -c '\"'\"'exit 1'\"'\"'' --agents dismiss" in result.output
    assert "--decision-seconds 9.0" in result.output
    assert "--shuffle --no-report --out out --resume" in result.output


def test_forms_of_agent_names_are_listed() -> None:
    rows = {row["name"]: row["kind"] for row in json.loads(run("agents", "list", "--json").output)}
    assert rows["module:Class"] == "class"
    assert rows["process:COMMAND"] == "process"
    assert rows["http://ADDRESS"] == rows["https://ADDRESS"] == "http"
    assert rows["autonomous:COMMAND"] == "autonomous"
    assert rows["dismiss"] == "reference"


def test_agent_faults_are_listed() -> None:
    fine = Summary(
        task="a", agent="mine", condition="clean", seed=1, outcome="success", reason="goal_met", steps=3
    )
    crashed = Summary(
        task="b",
        agent="mine",
        condition="clean",
        seed=1,
        outcome="failure",
        reason="agent_failed",
        steps=1,
        fault="agent: mine exited with status 1",
    )
    output = comparison_tables([fine, crashed], "virtual")
    assert "1/2 50.0%" in output  # it counts
    assert "Agent faults, counted as failures (1):\n  b mine clean: agent: mine exited with" in output
    assert "Ended in error" not in output
    assert "Agent faults" not in comparison_tables([fine], "virtual")
