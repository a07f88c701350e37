"""What cannot be diagnosed ends as inconclusive with its reason, or is left for a later call."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.diagnosis.case_diagnosis import Diagnosis
from garabench.diagnosis.diagnosis_file import read_diagnoses, read_method
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings
from garabench.diagnosis.probe import DiagnosticProbeResult, ProbeOutcome
from garabench.diagnosis.procedure import ProbeTask
from garabench.errors import DeviceLostError, DeviceUnreachableError
from garabench.probing import diagnose_run as module
from garabench.probing import probed_device
from garabench.probing.diagnose_run import RunDiagnosis, diagnose_run
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.reader import Run, load_run
from garabench.suite.suite import Suite
from tests.graph.recorded_run import APP, record_run

FAIL = DiagnosticProbeResult(ProbeOutcome.FAIL, "step_limit", restore_quality=1.0)
GONE = DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE, "device: the device is gone")
RECORDED = Environment(kind=DeviceKind.VIRTUAL, apps={APP: "7.1"})


class Phones:
    """Stands for the devices; probes end as `perform` says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.version = "7.1"
        self.lost = False
        self.performed = 0
        self.perform: Callable[[FailedCase, ProbeTask], DiagnosticProbeResult] = lambda case, task: FAIL
        monkeypatch.setattr(module, "open_devices", self._open)
        monkeypatch.setattr(probed_device, "ready_device", self._ready)
        monkeypatch.setattr(probed_device, "is_lost", lambda device: True)
        monkeypatch.setattr(probed_device, "perform_probe", self._perform)

    @contextlib.contextmanager
    def _open(self, *names: object, **options: object) -> Iterator[list[object]]:
        yield [SimpleNamespace(snapshot_loads=0, rungs=frozenset())]

    def _ready(self, lease: object, device: object) -> Any:
        if self.lost:
            raise DeviceLostError("the device is gone")
        return SimpleNamespace(apps=SimpleNamespace(version=lambda package: self.version))

    def _perform(self, case: FailedCase, task: ProbeTask, *rest: object) -> DiagnosticProbeResult:
        self.performed += 1
        return self.perform(case, task)


@pytest.fixture
def phones(monkeypatch: pytest.MonkeyPatch) -> Phones:
    return Phones(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path, suite: Suite) -> Path:
    record_run(tmp_path / "run", suite.digest, RECORDED)
    return tmp_path / "run"


def the_diagnosis(run: Run, suite: Suite) -> Diagnosis:
    (diagnosis,) = diagnose_run(run, suite=suite).diagnoses.values()
    return diagnosis


def test_what_can_be_diagnosed_is(folder: Path, suite: Suite, phones: Phones) -> None:
    assert the_diagnosis(load_run(folder), suite).attributed_to is AttributedTo.ENVIRONMENT


def without_trees(folder: Path) -> None:
    for path in folder.glob("store/*/*.xml.gz"):
        path.unlink()


def without_log(folder: Path) -> None:
    shutil.rmtree(folder / "episodes")


def without_end(folder: Path) -> None:
    for path in folder.glob("episodes/**/events.jsonl"):
        path.write_bytes(path.read_bytes().rsplit(b"\n", 2)[0] + b"\n")


def without_beginning(folder: Path) -> None:
    for path in folder.glob("episodes/**/events.jsonl"):
        path.write_bytes(b"")


def of_other_suite(folder: Path) -> None:
    path = folder / "run.json"
    run = load_run(folder)
    path.write_text(path.read_text("utf-8").replace(run.file.suite_hash, "0" * 64), "utf-8")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without_trees, "The record has no readable UI tree of step 0"),
        (without_end, "The record is incomplete: the end of the episode is missing"),
        (without_beginning, "The record is incomplete: the beginning of the episode is missing"),
        (without_log, "The episode has no record"),
        (of_other_suite, "The run was performed with another version of the suite"),
    ],
)
def test_an_unusable_record_is_inconclusive(
    folder: Path, suite: Suite, phones: Phones, change: Callable[[Path], None], reason: str
) -> None:
    change(folder)
    found = the_diagnosis(load_run(folder), suite)
    assert (found.attributed_to, found.p, phones.performed) == (AttributedTo.INCONCLUSIVE, found.prior, 0)
    assert reason.casefold() in found.reason.casefold()


def test_an_app_that_was_updated_since_is_inconclusive(folder: Path, suite: Suite, phones: Phones) -> None:
    phones.version = "8.0"
    found = the_diagnosis(load_run(folder), suite)
    assert (found.attributed_to, phones.performed) == (AttributedTo.INCONCLUSIVE, 0)
    assert found.reason.startswith(
        f"No probe showed anything: {APP} was updated since the run: 7.1, now 8.0."
    )


def test_devices_that_cannot_be_opened_leave_the_stored_diagnoses(
    folder: Path, suite: Suite, phones: Phones, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*names: object, **options: object) -> Iterator[list[object]]:
        raise DeviceUnreachableError("it cannot be reached")

    def unreachable(run: Run, settings: DiagnosisSettings, *, again: bool = False) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(module, "open_devices", refuse)
            with pytest.raises(DeviceUnreachableError):
                diagnose_run(run, suite=suite, settings=settings, again=again)

    run, two = load_run(folder), DiagnosisSettings(rounds=2)
    unreachable(run, two)
    assert read_method(run) is None
    diagnose_run(run, suite=suite)
    stored, before = read_method(run), dict(read_diagnoses(run))
    assert stored is not None
    assert before
    unreachable(run, two, again=True)
    assert (read_method(run), dict(read_diagnoses(run))) == (stored, before)
    phones.lost = True
    with pytest.raises(DeviceLostError):
        diagnose_run(run, suite=suite, settings=two, again=True)
    assert (read_method(run), dict(read_diagnoses(run))) == (stored, before)
    phones.lost = False
    diagnose_run(run, suite=suite, settings=two, again=True)
    replaced = read_method(run)
    assert replaced is not None
    assert replaced.settings == two


@pytest.mark.parametrize("diagnosed", [False, True])
def test_the_command_claims_stored_diagnoses_only_if_there_are(
    folder: Path, phones: Phones, suite: Suite, monkeypatch: pytest.MonkeyPatch, diagnosed: bool
) -> None:
    if diagnosed:
        diagnose_run(load_run(folder), suite=suite)

    def refuse(*names: object, **options: object) -> RunDiagnosis:
        raise DeviceUnreachableError("it cannot be reached")

    monkeypatch.setattr("garabench.cli.diagnose.diagnose_run", refuse)
    printed = CliRunner().invoke(main, ["diagnose", str(folder)])
    again = CliRunner().invoke(main, ["diagnose", str(folder), "--again"])
    said = "Finished diagnoses are stored" if diagnosed else "No diagnosis was finished"
    assert printed.exit_code == DeviceUnreachableError.exit_status
    assert f"{said}; repeat the command to resume: {folder}" in printed.stderr
    assert f"{said}; repeat the command without --again to resume: {folder}" in again.stderr


def test_a_device_that_is_lost_in_every_probe_is_inconclusive(
    folder: Path, suite: Suite, phones: Phones
) -> None:
    phones.perform = lambda case, task: GONE
    found = the_diagnosis(load_run(folder), suite)
    assert (found.attributed_to, found.p) == (AttributedTo.INCONCLUSIVE, found.prior)
    assert "the device is gone" in found.reason
    assert phones.performed == 2 * len(found.probes), "each probe is tried once more on a new connection"


def test_a_device_that_is_gone_leaves_the_failure_for_a_later_call(
    folder: Path, suite: Suite, phones: Phones
) -> None:
    def lose(case: FailedCase, task: ProbeTask) -> DiagnosticProbeResult:
        phones.lost = task.number == 2
        return GONE if phones.lost else FAIL

    phones.perform = lose
    with pytest.raises(DeviceLostError):
        diagnose_run(load_run(folder), suite=suite)
    assert not list(folder.glob("diagnosis/**/diagnosis.json"))
    phones.lost, phones.performed = False, 0
    phones.perform = lambda case, task: FAIL
    found = the_diagnosis(load_run(folder), suite)
    assert found.attributed_to is AttributedTo.ENVIRONMENT
    assert phones.performed == len(found.probes) - 1, "the first probe was stored before the device was lost"
