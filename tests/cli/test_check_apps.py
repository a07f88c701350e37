"""``garabench check`` on a suite with app files."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import CliRunner

from garabench.cli.main import main
from garabench.suite.files import display_path

TEA_SHOP = Path(__file__).parents[2] / "docs" / "examples" / "tea-shop"


def test_app_files_of_a_suite_are_checked(tmp_path: Path) -> None:
    suite = shutil.copytree(TEA_SHOP, tmp_path / "tea")
    runner = CliRunner()
    assert runner.invoke(main, ["check", str(suite)]).exit_code == 0
    app = suite / "apps" / "tea-shop.yaml"
    app.write_text(app.read_text(encoding="utf-8").replace("go: cart}", "go: card}"), encoding="utf-8")
    result = runner.invoke(main, ["check", str(suite)])
    assert result.exit_code == 2
    assert "unknown screen 'card'" in result.output
    assert "Did you mean 'cart'?" in result.output


def test_an_app_file_is_checked_by_itself(tmp_path: Path) -> None:
    runner = CliRunner()
    app = TEA_SHOP / "apps" / "tea-shop.yaml"
    result = runner.invoke(main, ["check", str(app)])
    assert (result.exit_code, result.output) == (0, f"{display_path(app)}: app OK\n")
    wrong = tmp_path / "tea.yaml"
    wrong.write_text(app.read_text(encoding="utf-8").replace("go: cart}", "go: card}"), encoding="utf-8")
    result = runner.invoke(main, ["check", str(tmp_path), "--format", "json"])
    assert result.exit_code == 2
    assert "unknown screen 'card'" in result.output
    assert '"code": "invalid-file"' in result.output
