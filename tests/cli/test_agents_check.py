"""``garabench agents check``: output, files and exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main

AGENTS = "tests.agentcheck.board_agents"


@pytest.fixture(autouse=True)
def _here(adb_server: None) -> None:
    pass


def check(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["agents", "check", "--device", "virtual:android-34:720x1280", *words])
    return result.exit_code, result.output


def test_failed_checks_are_named_and_end_with_status_1(tmp_path: Path) -> None:
    words = (
        f"bad={AGENTS}:Swapped",
        "--episode",
        "taps",
        "--episode",
        "done",
        "--taps",
        "8",
        "--out",
        str(tmp_path),
    )
    status, output = check(*words)
    assert status == 1
    assert "Coordinates: x and y are swapped" in output
    assert f"Plot: {tmp_path}/bad/taps.png" in output
    assert "ok   done" in output
    assert output.endswith("Some checks failed.\n")
    assert (tmp_path / "bad" / "taps.png").read_bytes().startswith(b"\x89PNG")


def test_traceback_of_an_agent_class_is_saved(tmp_path: Path) -> None:
    words = (f"bad={AGENTS}:Broken", "--episode", "done", "--episode", "scroll", "--out", str(tmp_path))
    fault_log = tmp_path / "bad" / "fault.log"
    fault_log.parent.mkdir()
    fault_log.write_text("an earlier check")
    status, output = check(*words)
    assert status == 1
    assert "raised an exception (ValueError: no such model); see fault.log" in output
    assert f"Traceback: {fault_log}" in output
    text = fault_log.read_text()
    assert text.count("ValueError: no such model") == 2
    assert "board_agents.py" in text
    assert "earlier" not in text


def test_json_output_has_the_same_results(tmp_path: Path) -> None:
    words = (
        f"good={AGENTS}:BoardAgent",
        "--episode",
        "taps",
        "--taps",
        "6",
        "--json",
        "--out",
        str(tmp_path),
    )
    status, output = check(*words)
    data = json.loads(output)
    assert status == 0
    assert data["passed"] is True
    assert data["coordinates"]["confusion"] == "none"
    assert data["fault_log"] is None
    assert len(data["taps"]) == 6
    assert all(tap["hit"] and tap["error_px"] <= 2 for tap in data["taps"])


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("nobody",), 2, "unknown agent 'nobody'"),
        (("dismiss",), 2, "dismiss is a reference agent"),
        (("heuristic", "--taps", "0"), 2, "0 is not in the range"),
        (("heuristic", "--episode", "dance"), 2, "'dance' is not one of"),
    ],
)
def test_wrong_arguments_start_no_phone(words: tuple[str, ...], status: int, message: str) -> None:
    exit_status, output = check(*words)
    assert exit_status == status
    assert message in output


def test_unknown_device_is_reported(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main, ["agents", "check", "heuristic", "--device", "nowhere-5554", "--out", str(tmp_path)]
    )
    assert result.exit_code == 3
    assert "nowhere-5554" in result.output
