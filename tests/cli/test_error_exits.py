from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tasks", "list", "nonsense"], "unknown task, app or tag 'nonsense'"),
        (["run", "--agents", "dismis"], "Did you mean 'dismiss'?"),
        (["run", "--conditions", "dul"], "Did you mean 'dual'?"),
        (["run", "--device", "virtual:android-33"], "Did you mean 'android-3"),
        (["compare", "nowhere"], "no such folder: nowhere"),
    ],
)
def test_wrong_input_ends_with_a_plain_message_and_status_2(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_mistakes_in_a_suite_are_reported_with_their_place(tmp_path: Path) -> None:
    for folder in ("tasks", "goal_schemas", "rules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tasks" / "x.yaml").write_text("app: a.b\ntaks: []\n")
    result = CliRunner().invoke(main, ["check", str(tmp_path)])
    assert result.exit_code == 2
    assert "x.yaml:2:1: unknown key 'taks'" in result.output
    assert "Did you mean 'tasks'?" in result.output


def test_bundled_suite_is_valid() -> None:
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == 0, result.output


def test_each_of_several_mistakes_is_marked_as_an_error() -> None:
    result = CliRunner().invoke(main, ["tasks", "prove", "bad1,bad2"])
    assert result.exit_code == 2
    for name in ("bad1", "bad2"):
        assert f"Error: unknown task, app or tag '{name}'\n" in result.output
