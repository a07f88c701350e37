from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from garabench.campaign.live_state import LiveState, after_all
from garabench.cli.live_table import device_table, progress_line
from garabench.cli.main import main
from garabench.cli.runs_watch import event_lines, wait_until_begun
from garabench.core import campaign_events as ev
from garabench.core.clock import FakeClock
from garabench.errors import InputError
from garabench.records.campaign_log import CampaignLog
from garabench.records.lock import locked
from garabench.records.plan import Plan
from garabench.records.run_layout import CAMPAIGN
from garabench.records.run_writer import RunWriter
from tests.campaign.test_live_state import ATTEMPT, BEGUN, at, ended
from tests.core.test_campaign_events import ALL
from tests.small_suite import run_file

END = ev.RunEnded(time=at(30), ended=3, remaining=9, detail="no device is left")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    RunWriter.create(tmp_path / "run", run_file(Plan(tasks=("a",), agents=("ignore",))))
    return tmp_path / "run"


def test_a_run_that_has_ended_is_printed_with_its_reason(folder: Path) -> None:
    for event in (BEGUN, ATTEMPT, ended("one", 10), END):
        CampaignLog(folder).append(event)
    result = CliRunner().invoke(main, ["runs", "watch", str(folder)])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "3/12 episodes, 1 success, stopped: no device is left",
        f"Resume: garabench run --out {folder} --resume",
    ]
    data = json.loads(CliRunner().invoke(main, ["runs", "watch", str(folder), "--json"]).stdout)
    assert (data["ended"], data["devices"]["one"]["ended"]) == (3, 1)
    assert "one" in CliRunner().invoke(main, ["runs", "watch", str(folder), "--once"]).stdout


@pytest.mark.parametrize("words", [("watch", "--once"), ("watch", "--json"), ("predict", "--json")])
def test_damaged_lines_are_counted(folder: Path, words: tuple[str, str]) -> None:
    command, option = words
    for event in (BEGUN, ATTEMPT, ended("one", 10), END):
        CampaignLog(folder).append(event)
    whole = CliRunner().invoke(main, ["runs", command, str(folder), option])
    assert (whole.exit_code, whole.stderr) == (0, "")
    with (folder / CAMPAIGN).open("ab") as log:
        log.write(b"{\n[1]\n")
    damaged = CliRunner().invoke(main, ["runs", command, str(folder), option])
    assert (damaged.exit_code, damaged.stdout) == (0, whole.stdout)
    assert damaged.stderr == f"2 damaged lines were ignored; see garabench runs fsck {folder}\n"


@pytest.mark.parametrize("option", ["--once", "--json", "--wait=0.01"])
def test_a_run_that_does_not_begin_is_bad_input(tmp_path: Path, option: str) -> None:
    for folder in (tmp_path, tmp_path / "run"):
        result = CliRunner().invoke(main, ["runs", "watch", str(folder), option])
        assert (result.exit_code, result.stdout) == (2, "")
        assert "has not begun" in result.stderr and "--wait SECONDS waits longer" in result.stderr
        assert ("waiting up to 0.01 s" in result.stderr) == (option == "--wait=0.01")


def test_a_run_that_is_starting_is_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    class Starting(FakeClock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            if len(self.slept) == 3:
                RunWriter.create(folder, run_file(Plan(tasks=("a",), agents=("ignore",))))

    clock = Starting()
    wait_until_begun(folder, 60, clock)
    assert len(clock.slept) == 3
    assert (folder / "run.json").is_file()


def test_only_a_starting_run_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no run")
    clock = FakeClock()
    wait_until_begun(tmp_path, 60, clock)
    assert not clock.slept
    with locked(tmp_path), pytest.raises(InputError, match="has not begun within 60 s"):
        wait_until_begun(tmp_path, 60, clock)
    assert sum(clock.slept) == 60


@pytest.mark.parametrize("option", [(), ("--once",)], ids=["lines", "once"])
def test_an_older_run_has_no_campaign(folder: Path, option: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["runs", "watch", str(folder), *option])
    assert "No campaign is recorded" in result.stdout


def test_a_run_that_no_process_performs_was_killed(folder: Path) -> None:
    for event in (BEGUN, ATTEMPT, ended("one", 10), ATTEMPT):
        CampaignLog(folder).append(event)
    result = CliRunner().invoke(main, ["runs", "watch", str(folder)])
    assert result.stdout.startswith("3/12 episodes, 1 success, stopped: killed\nResume: garabench run --out")
    once = CliRunner().invoke(main, ["runs", "watch", str(folder), "--once"]).stdout
    assert "running" not in once
    with locked(folder):
        data = json.loads(CliRunner().invoke(main, ["runs", "watch", str(folder), "--json"]).stdout)
    assert (data["finished"], data["resume"], data["devices"]["one"]["activity"]) == (False, None, "running")
    data = json.loads(CliRunner().invoke(main, ["runs", "watch", str(folder), "--json"]).stdout)
    assert (data["finished"], data["resume"]) == (True, f"garabench run --out {folder} --resume")


def test_the_table_has_a_row_per_device_and_texts_are_no_markup() -> None:
    paused = ev.DevicePaused(time=at(9), device="two", seconds=15, total=15, reason="[bold]lost[/]\nnow")
    state = after_all(LiveState(), [BEGUN, ATTEMPT, paused])
    out = io.StringIO()
    Console(file=out, width=150).print(device_table(state, at(61)))
    rows = out.getvalue().splitlines()
    assert rows[1].split()[:3] == ["one", "running", "60"]
    assert "[bold]lost[/] now" in rows[2]
    assert progress_line(state) == "2/12 episodes"


def test_an_unknown_outcome_is_not_a_failure() -> None:
    unread = ended("one", 9, outcome="failure").model_copy(update={"unknown": "the tree could not be read"})
    state = after_all(LiveState(), [BEGUN, ended("two", 5), unread])
    assert progress_line(state).startswith("4/12 episodes, 1 success, 1 unknown")
    assert list(event_lines(unread)) == ["one: a/b/clean/1: unknown (the tree could not be read)"]


def test_what_needs_attention_has_a_line() -> None:
    assert sum(1 for event in ALL for _ in event_lines(event)) == 6
