"""Your own suite on the command line: it is created, selected, checked and repaired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main

TEA_SHOP = Path(__file__).parents[2] / "docs" / "examples" / "tea-shop"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert run("init", "own").exit_code == 0
    return Path("own")


def test_a_new_suite_is_valid_and_is_not_replaced(suite: Path) -> None:
    assert (run("check", suite).exit_code, run("init", suite).exit_code) == (0, 2)
    assert (
        "rules.schema.json" in (suite / "rules" / "bilibili.yaml").read_text(encoding="utf-8").split("\n")[0]
    )
    assert run("check", suite / "rules", suite / "tasks" / "bilibili.yaml").output.count(" OK\n") == 3


def test_a_suite_and_the_template_are_not_mixed(suite: Path) -> None:
    for name in ("suite.yaml", "tasks/bilibili.yaml", "goal_schemas/bilibili.yaml", "rules/bilibili.yaml"):
        (suite / name).unlink()
    (suite / "rules" / "interruptions.yaml").rename(suite / "rules" / "mine_interruptions.yaml")
    before = sorted(suite.rglob("*"))
    refused = run("init", suite)
    assert (refused.exit_code, "the template's files would be mixed with its own" in refused.output) == (
        2,
        True,
    )
    assert sorted(suite.rglob("*")) == before


def test_files_of_a_suite_and_its_apps_name_schemas_that_are_there(suite: Path) -> None:
    (suite / "apps").mkdir()
    app = suite / "apps" / "tea-shop.yaml"
    line, _, text = (TEA_SHOP / "apps" / app.name).read_text(encoding="utf-8").partition("\n")
    app.write_text(text, encoding="utf-8")
    assert run("check", suite, "--fix").exit_code == 0
    assert app.read_text(encoding="utf-8") == f"{line}\n{text}"
    files = [path for folder in (suite, TEA_SHOP) for path in folder.glob("*/*.yaml")]
    assert len(files) == 9
    for path in files:
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        assert (path.parent / first.removeprefix("# yaml-language-server: $schema=")).is_file(), path


def test_the_project_selects_the_suite(suite: Path) -> None:
    listed = ["tasks", "list", "--json"]
    Path("pyproject.toml").write_text('[tool.garabench]\nsuite = "own"\n', encoding="utf-8")
    assert [row["id"] for row in json.loads(run(*listed).output)] == ["my-switch-off-auto-play"]
    assert len(json.loads(run(*listed, "--suite", "builtin").output)) > 100
    Path("pyproject.toml").write_text("[tool.garabench]\nsuit = 1\n", encoding="utf-8")
    wrong = run(*listed)
    assert (wrong.exit_code, "Did you mean 'suite'?" in wrong.output) == (2, True)


def test_warnings_have_codes_formats_and_repairs(suite: Path) -> None:
    rules = suite / "rules" / "bilibili.yaml"
    text = rules.read_text(encoding="utf-8").replace(
        "[播放设置, 离线设置,", "[播放设置, 离线设置, 离线设置, 不存在的字,"
    )
    rules.write_text(text, encoding="utf-8")
    assert run("check", suite).exit_code == 2
    fixed = run("check", suite, "--fix")
    assert (fixed.exit_code, "removed duplicate list items (1)" in fixed.output) == (1, True)
    assert "[unknown-text]" in fixed.output
    findings = json.loads(run("rules", "check", suite, "--json").output)["findings"]
    assert [(each["code"], each["severity"]) for each in findings] == [("unknown-text", "warning")]
    assert run("goals", "check", suite).exit_code == 0
    assert run("check", suite, "--format", "github").output.startswith(
        "::warning file=own/rules/bilibili.yaml,"
    )
    where = "        - keywords: {of: [播放"
    silence = f"        # garabench: ignore[unknown-text] shown to new users only\n{where}"
    rules.write_text(rules.read_text(encoding="utf-8").replace(where, silence), encoding="utf-8")
    done = run("check", suite)
    assert (done.exit_code, "1 warning is silenced by comments." in done.output) == (0, True)
