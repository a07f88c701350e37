"""Which failures of a run are diagnosed, and on which devices."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.probing.diagnose_run import DiagnosisBudget, device_names, diagnose_run, failures
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
