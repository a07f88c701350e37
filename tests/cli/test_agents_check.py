"""``garabench agents check``: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own

AGENTS = "tests.agentcheck.board_agents"


@pytest.fixture(autouse=True)
def _here(adb_server: None) -> None:  # noqa: F811
    pass


def check(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["agents", "check", "--device", "virtual:android-34:720x1280", *words])
    return result.exit_code, result.output


def test_what_is_wrong_is_named_and_ends_with_status_1(tmp_path: Path) -> None:
    words = (
        f"bad={AGENTS}:Swapped",
        "--only",
        "taps",
        "--only",
        "done",
        "--taps",
        "8",
        "--out",
        str(tmp_path),
    )
    status, output = check(*words)
    assert status == 1
    assert "Coordinates: x and y are exchanged" in output
    assert f"Picture: {tmp_path}/bad/taps.png" in output
    assert "ok   done" in output
    assert output.endswith("Some checks failed.\n")
    assert (tmp_path / "bad" / "taps.png").read_bytes().startswith(b"\x89PNG")


def test_the_traceback_of_a_class_that_raises_is_kept(tmp_path: Path) -> None:
    words = (f"bad={AGENTS}:Broken", "--only", "done", "--only", "scroll", "--out", str(tmp_path))
    kept = tmp_path / "bad" / "fault.log"
    kept.parent.mkdir()
    kept.write_text("of an earlier check")
    status, output = check(*words)
    assert status == 1
    assert "raised an exception (ValueError: no such model); see fault.log" in output
    assert f"Traceback: {kept}" in output
    told = kept.read_text()
    assert told.count("ValueError: no such model") == 2
    assert "board_agents.py" in told
    assert "earlier" not in told


def test_a_program_reads_the_same_as_json(tmp_path: Path) -> None:
    words = (f"good={AGENTS}:BoardAgent", "--only", "taps", "--taps", "6", "--json", "--out", str(tmp_path))
    status, output = check(*words)
    told = json.loads(output)
    assert status == 0
    assert told["passed"] is True
    assert told["coordinates"]["confusion"] == "none"
    assert told["fault_log"] is None
    assert len(told["taps"]) == 6
    assert all(tap["hit"] and tap["error_px"] <= 2 for tap in told["taps"])


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("nobody",), 2, "unknown agent 'nobody'"),
        (("dismiss",), 2, "dismiss is a reference agent"),
        (("heuristic", "--taps", "0"), 2, "0 is not in the range"),
        (("heuristic", "--only", "dance"), 2, "'dance' is not one of"),
    ],
)
def test_wrong_words_start_no_phone(words: tuple[str, ...], status: int, said: str) -> None:
    ended, output = check(*words)
    assert ended == status
    assert said in output


def test_an_unknown_device_is_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main, ["agents", "check", "heuristic", "--device", "nowhere-5554", "--out", str(tmp_path)]
    )
    assert result.exit_code == 3
    assert "nowhere-5554" in result.output
