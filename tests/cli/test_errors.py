from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tasks", "list", "nonsense"], "unknown task, app or tag 'nonsense'"),
        (["run", "--agents", "dismis"], "Did you mean 'dismiss'?"),
        (["run", "--conditions", "dul"], "Did you mean 'dual'?"),
        (["run", "--device", "virtual:android-33"], "Did you mean 'android-3"),
        (["compare", "nowhere"], "nowhere is not a run"),
    ],
)
def test_wrong_input_is_told_plainly_with_status_2(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output


def test_a_broken_suite_is_told_with_its_place(tmp_path: Path) -> None:
    for folder in ("tasks", "goal_schemas", "rules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tasks" / "x.yaml").write_text("app: a.b\ntaks: []\n")
    result = CliRunner().invoke(main, ["check", str(tmp_path)])
    assert result.exit_code == 2
    assert "x.yaml:2:1: unknown key 'taks'" in result.output
    assert "Did you mean 'tasks'?" in result.output


def test_the_suite_of_the_project_is_in_order() -> None:
    result = CliRunner().invoke(main, ["check"])
    assert result.exit_code == 0, result.output
