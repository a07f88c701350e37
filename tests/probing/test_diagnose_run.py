"""Which failures of a run are diagnosed, and on which devices."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.core.campaign_events import AttemptBegun, RunBegun
from garabench.core.clock import FakeClock
from garabench.errors import DeviceUnreachableError, InputError
from garabench.probing.diagnose_run import DiagnosisBudget, diagnose_run, failures
from garabench.probing.probing_devices import (
    connected,
    device_names,
    episode_devices,
    is_one_of,
    take_failure,
)
from garabench.records.campaign_log import CampaignLog
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.episode_selection import EpisodeSelection
from garabench.records.plan import Plan
from garabench.records.reader import Run, load_run
from garabench.records.results import Summary
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from garabench.virtual.android.device_profile import PROFILES
from tests.small_suite import run_file

OUTCOMES = ("failure", "success", "error", "failure")


def recorded(folder: Path, device: Environment | None = None) -> Run:
    """Record a run without logs: a failure, a success, an error and another failure."""
    plan = Plan(tasks=("a", "b"), agents=("dismiss", "ignore"), conditions=("clean",))
    file = run_file(plan) if device is None else run_file(plan, device=device)
    writer = RunWriter.create(folder, file)
    for key, outcome in zip(file.episode_keys(), OUTCOMES, strict=True):
        writer.append_result(Summary(key.task, key.agent, key.condition, key.seed, outcome, "gave_up", 4))
    return load_run(folder)


def test_failures_are_selected_and_errors_are_not_failures(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run")
    keys = tuple(run.file.episode_keys())
    assert failures(run) == (keys[0], keys[3])
    assert failures(run, EpisodeSelection(agents=(keys[3].agent,))) == (keys[3],)
    assert failures(run, EpisodeSelection(episodes=("*/1",))) == ()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--agents", "dismiss,dismis"], "has no agent 'dismis'\nDid you mean 'dismiss'?"),
        (["--conditions", "claen"], "has no condition 'claen'\nDid you mean 'clean'?"),
        (["--episode", "a/dismis/clean/{seed}"], "Did you mean 'a/dismiss/clean/{seed}'?"),
        (["--episode", "z*"], "has no episode 'z*'"),
        (["--tasks", "c"], "has no task 'c'\nKnown: a, b"),
        (["--tasks", "a", "--agents", "ignore"], "no failed episode of"),
    ],
)
def test_a_name_that_selects_nothing_is_refused(tmp_path: Path, words: list[str], message: str) -> None:
    run = recorded(tmp_path / "run")
    seed = next(iter(run.file.episode_keys())).seed
    given = [each.format(seed=seed) for each in words]
    result = CliRunner().invoke(main, ["diagnose", str(run.folder), *given])
    assert (result.exit_code, message.format(seed=seed) in result.output) == (2, True), result.output


@pytest.mark.parametrize("text", [None, "# A page\n<!-- experiment -->\n"])
def test_the_page_is_checked_before_an_experiment(tmp_path: Path, text: str | None) -> None:
    page = tmp_path / "page.md"
    if text is not None:
        page.write_text(text)
    words = ["diagnose", "--experiment", str(tmp_path / "data"), "--page", str(page)]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, "page.md" in result.output) == (2, True), result.output
    assert not (tmp_path / "data").exists()


def test_an_unknown_outcome_is_not_a_failure_and_is_reported(tmp_path: Path) -> None:
    plan = Plan(tasks=("a",), agents=("dismiss",), conditions=("clean",))
    file = run_file(plan)
    (key,) = file.episode_keys()
    writer = RunWriter.create(tmp_path / "run", file)
    writer.append_result(
        Summary(*dataclasses.astuple(key), "failure", "step_limit", 4, unknown="the tree could not be read")
    )
    assert failures(load_run(tmp_path / "run")) == ()
    printed = CliRunner().invoke(main, ["diagnose", str(tmp_path / "run")])
    assert printed.exit_code == 0
    assert "no failures to diagnose" in printed.output
    assert f"1 episode with an unknown outcome, because the goal could not be read at the end: {key}" in (
        printed.output
    )
    as_json = CliRunner().invoke(main, ["diagnose", str(tmp_path / "run"), "--json", "--tasks", "a"])
    assert json.loads(as_json.stdout)["unknown"] == [str(key)]


PROFILE = next(iter(PROFILES.values()))


@pytest.mark.parametrize(
    ("device", "names"),
    [
        (Environment(kind=DeviceKind.REAL, serial="R58"), ("R58",)),
        (Environment(kind=DeviceKind.VIRTUAL), ("virtual",)),
        (
            Environment(kind=DeviceKind.VIRTUAL, fingerprint=PROFILE.fingerprint, size=str(PROFILE.size)),
            (f"virtual:{PROFILE.name}",),
        ),
        (
            Environment(kind=DeviceKind.VIRTUAL, fingerprint=PROFILE.fingerprint, size="1440x3120"),
            (f"virtual:{PROFILE.name}:1440x3120",),
        ),
    ],
)
def test_probes_run_on_a_device_like_the_recorded_one(
    tmp_path: Path, device: Environment, names: tuple[str, ...]
) -> None:
    assert device_names(recorded(tmp_path / "run", device)) == names


@pytest.mark.parametrize(
    ("begun", "names"),
    [
        ([("emulator-5556", "127.0.0.1:34509")], ("emulator-5556", "127.0.0.1:34509")),
        ([("phone-1", "phone-2")], ("virtual",)),
        ([("R58",), ("R58", "R59")], ("R58", "R59")),
        ([("R58#1", "R58#2")], ("R58",)),
        ([("virtual:android-34#1", "virtual")], ("virtual",)),
    ],
)
def test_the_devices_of_a_run_are_used_unless_it_started_them(
    tmp_path: Path, begun: list[tuple[str, ...]], names: tuple[str, ...]
) -> None:
    run = recorded(tmp_path / "run", Environment(kind=DeviceKind.VIRTUAL, serial="127.0.0.1:34509"))
    log = CampaignLog(run.folder)
    for labels in begun:
        log.append(RunBegun(time=dt.datetime(2026, 1, 2, tzinfo=dt.UTC), planned=4, devices=labels))
    assert device_names(run) == names


def test_emulators_that_are_gone_may_be_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("emulator-5584", "emulator-5586")
    monkeypatch.setattr("garabench.probing.probing_devices._responds", lambda name, clock: False)
    with pytest.raises(DeviceUnreachableError, match="such as emulators:2 if the run started"):
        connected(names, FakeClock(), lambda text: None)


def test_a_failure_is_probed_on_the_device_on_which_it_happened(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run")
    keys = tuple(run.file.episode_keys())
    log, time = CampaignLog(run.folder), dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    for key, label in zip(keys, ("R58#1", "R59", "phone-1", "R60"), strict=True):
        log.append(AttemptBegun(time=time, device="R61", episode=str(key), attempt=1))
        log.append(AttemptBegun(time=time, device=label, episode=str(key), attempt=2))
    happened_on = episode_devices(run)
    assert happened_on == {str(keys[0]): "R58", str(keys[1]): "R59", str(keys[3]): "R60"}
    pending, used = list(keys), {"R58", "R59"}
    assert [take_failure(pending, "R59", happened_on, used) for _ in range(4)] == [*keys[1:], None]
    assert [take_failure(pending, "R58", happened_on, used) for _ in range(2)] == [keys[0], None]


def test_virtual_phones_of_one_profile_are_one_device() -> None:
    assert is_one_of("virtual:android-34", ("virtual",))
    assert not is_one_of("virtual:android-30", ("virtual",))
    assert is_one_of("emulator-5554", ("emulators:2",))
    assert not is_one_of("emulator-5554", ("emulator-5556",))


def test_an_unknown_real_device_must_be_named(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run", Environment(kind=DeviceKind.REAL))
    with pytest.raises(InputError) as caught:
        device_names(run)
    assert caught.value.hint == "Name one with --device."


def test_what_a_budget_leaves_is_reported_and_opens_no_device(tmp_path: Path, suite: Suite) -> None:
    run = recorded(tmp_path / "run")
    selection = EpisodeSelection(tasks=("none",))
    nothing = diagnose_run(run, suite=suite, select=selection, budget=DiagnosisBudget(failures=1))
    assert (nothing.diagnoses, nothing.undiagnosed) == ({}, ())


def test_a_wrong_number_of_emulators_is_refused_even_if_nothing_is_left(tmp_path: Path) -> None:
    nothing = EpisodeSelection(episodes=("*/1",))
    for name in ("emulators:0", "emulators:99", "emulators:x"):
        with pytest.raises(InputError, match="emulators:"):
            diagnose_run(recorded(tmp_path / name.replace(":", "-")), devices=(name,), select=nothing)
