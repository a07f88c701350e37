"""The number of entries that `check`, `rules check` and `goals check` name, in every form of path."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.suite.suite import Suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("suites") / "own"
    assert CliRunner().invoke(main, ["init", str(root)]).exit_code == 0
    return root


@pytest.mark.parametrize("kind", ["rules", "goals"])
@pytest.mark.parametrize("path", ["", "rules", "goal_schemas", "tasks"])
def test_the_entries_of_suites_folders_and_files_are_counted(suite: Path, kind: str, path: str) -> None:
    done = CliRunner().invoke(main, [kind, "check", str(suite / path), "--json"])
    own = {"rules": "rules", "goals": "goal_schemas"}[kind]
    expected = len(getattr(Suite.load(suite).own, kind)) if path in ("", own) else 0
    assert json.loads(done.output)[kind] == expected
    assert CliRunner().invoke(main, ["check", str(suite / path), "--json"]).output.count(f'"{kind}": ') == 1


def test_the_entries_of_a_faulty_file_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text("app: com.example.x\ngoals:\n  - {id: a}\n  - {id: b}\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["goals", "check", str(file), "--json"])
    assert (done.exit_code, json.loads(done.output)["goals"]) == (2, 2)
