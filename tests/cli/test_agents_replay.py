from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from tests.cli.recorded_replies import record_reply


def replay(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["agents", "replay", *words])
    return done.exit_code, done.output


def test_unchanged_replies_are_counted(tmp_path: Path) -> None:
    record_reply(tmp_path / "run")
    assert replay(str(tmp_path / "run")) == (
        0,
        f"1 replies parsed, 0 of them differently than in {tmp_path / 'run'}\n",
    )


def test_reply_that_is_parsed_differently_is_shown(tmp_path: Path) -> None:
    record_reply(tmp_path / "run", action={"type": "tap", "x": 1, "y": 2})
    status, output = replay(str(tmp_path / "run"))
    assert status == 1
    assert "step 0" in output
    assert 'before: {"type": "tap", "x": 1, "y": 2}' in output
    assert 'now:    {"type": "tap", "x": 540, "y": 1200}' in output
    status, output = replay(str(tmp_path / "run"), "--json")
    data = json.loads(output)
    assert (status, data["replies"], data["changed"][0]["reparsed"]["action"]["x"]) == (1, 1, 540)


def test_replies_are_parsed_with_another_profile(tmp_path: Path) -> None:
    record_reply(tmp_path / "run")
    status, output = replay(str(tmp_path / "run"), "--as", "qwen2.5-vl")
    assert status == 1
    assert '"flaw": "no-action"' in output


@pytest.mark.parametrize(
    ("agent", "words", "message"),
    [
        ("dismiss", [], "no agent of .* is a model"),
        ("ui-tars", ["--as", "dismiss"], "'dismiss' is not a model"),
        ("ui-tars", ["--as", "ui-tras"], "unknown agent 'ui-tras'"),
    ],
)
def test_wrong_arguments_are_reported(tmp_path: Path, agent: str, words: list[str], message: str) -> None:
    record_reply(tmp_path / "run", agent=agent)
    status, output = replay(str(tmp_path / "run"), *words)
    assert status == 2
    assert re.search(message, output), output


def test_broken_record_is_reported_with_its_file_name(tmp_path: Path) -> None:
    record_reply(tmp_path / "run")
    (file,) = tmp_path.glob("run/episodes/**/requests/000.json")
    file.write_text("{")
    status, output = replay(str(tmp_path / "run"))
    assert (status, "000.json is broken" in output) == (2, True)
