"""The options that select episodes of a run."""

from __future__ import annotations

import pytest
from click import command, echo
from click.testing import CliRunner

from garabench.cli.episode_options import episode_options
from garabench.records.episode_selection import EpisodeSelection
from garabench.suite.suite import Suite
from tests.bundled import bundled_suite


@command
@episode_options
def show(selection: EpisodeSelection) -> None:
    echo("\n".join(selection.tasks))


def test_apps_and_tags_are_looked_up_in_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = bundled_suite()
    monkeypatch.setattr(Suite, "load", lambda root=None: suite)
    shown = CliRunner().invoke(show, ["--tasks", "bilibili,theirs-*,their-task"]).output.split()
    of_app = [item.task.id for item in suite.tasks.values() if item.group == "bilibili"]
    assert set(shown) == {*of_app, "bilibili", "theirs-*", "their-task"}
    assert not CliRunner().invoke(show, []).output.strip()


def test_a_folder_that_is_no_suite_is_a_clear_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("empty")
    result = CliRunner().invoke(show, ["--suite", str(folder), "--tasks", "a"])
    assert (result.exit_code, "is not a suite" in result.output) == (2, True)
