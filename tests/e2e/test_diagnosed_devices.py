"""The failures of a run are probed on the devices of the run, which may be broken as no other device is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.device.emulators.emulator import running_avds
from garabench.device.emulators.sdk import AndroidSdk
from garabench.diagnosis.diagnosis_file import read_method
from garabench.diagnosis.loop import AttributedTo
from garabench.diagnosis.probe import ProbeOutcome
from garabench.errors import DeviceUnreachableError
from garabench.probing.diagnose_run import diagnose_run
from garabench.probing.probing_devices import device_names, episode_devices
from garabench.records.reader import load_run
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.stand_in_emulators import stand_in_emulators
from tests.waits import CLOCK

pytestmark = pytest.mark.e2e

PROFILE = "android-34:720x1280"


def test_a_broken_device_is_found_broken(tmp_path: Path) -> None:
    suite = bundled_suite()
    plan = make_plan(suite.select("bili-like-song-live"), ("dismiss",), conditions=("clean",))
    with VirtualPhone(PROFILE) as phone:
        phone.defect("bili-like-dead")
        run(plan, tmp_path, devices=(phone.serial,), wipe=True)
        recorded = load_run(tmp_path)
        assert device_names(recorded) == (phone.serial,)
        (found,) = diagnose_run(recorded, suite=suite, wipe=True).diagnoses.values()
        serial = phone.serial
    assert found.attributed_to is AttributedTo.ENVIRONMENT
    assert found.devices == (serial,)
    assert "The element did not react to" in found.reason
    method = read_method(recorded)
    assert method is not None
    assert method.devices == (serial,)
    for done in found.probes:
        assert done.result.outcome is ProbeOutcome.FAIL
        assert all(seen.before for seen in done.result.evidence)
        assert done.result.evidence[-1].label.startswith(("once more: ", "last action: "))

    messages: list[str] = []
    stored = diagnose_run(recorded, suite=suite, devices=("virtual",), on_message=messages.append)
    assert tuple(stored.diagnoses.values()) == (found,)
    assert messages == [
        f"The stored diagnoses of 1 failure are from {serial}, not from virtual; use --again to replace them"
    ]
    with pytest.raises(DeviceUnreachableError, match=f"performed on {serial}, which cannot be reached"):
        diagnose_run(recorded, suite=suite, again=True)
    assert tuple(diagnose_run(recorded, suite=suite).diagnoses.values()) == (found,), "nothing was discarded"


def test_devices_with_different_defects_are_diagnosed_at_once(tmp_path: Path) -> None:
    suite = bundled_suite()
    plan = make_plan(suite.select("bili-like-song-live"), ("dismiss",), conditions=("clean", "dual"))
    with VirtualPhone(PROFILE) as one, VirtualPhone(PROFILE) as other:
        one.defect("bili-like-dead")
        other.defect("bili-results-endless")
        run(plan, tmp_path, devices=(one.serial, other.serial), wipe=True)
        recorded = load_run(tmp_path)
        happened = episode_devices(recorded)
        found = diagnose_run(recorded, suite=suite, wipe=True).diagnoses
        dead, endless = one.serial, other.serial
    assert sorted(happened.values()) == sorted((dead, endless)), "an episode on each"
    for key, diagnosis in found.items():
        assert diagnosis.devices == (happened[str(key)],)
        assert diagnosis.attributed_to is AttributedTo.ENVIRONMENT
    steps = {diagnosis.devices[0]: diagnosis.wrong_step for diagnosis in found.values()}
    assert None not in steps.values()
    assert steps[endless] != steps[dead], "each looks wrong where its own phone is broken"


@pytest.fixture
def sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AndroidSdk]:
    yield from stand_in_emulators(tmp_path / "android", monkeypatch)


def test_failures_on_emulators_that_the_run_started_are_probed_on_such_emulators(
    sdk: AndroidSdk, tmp_path: Path
) -> None:
    sdk.create("garabench-1", sdk.choose_image())
    suite = bundled_suite()
    plan = make_plan(
        suite.select("bili-like-song-live"), ("faulty:gives-up-early:dismiss",), conditions=("clean",)
    )
    run(plan, tmp_path / "run", devices=("emulators:1",), wipe=True)
    recorded = load_run(tmp_path / "run")
    with pytest.raises(DeviceUnreachableError, match="such as emulators:1 if the run started"):
        diagnose_run(recorded, suite=suite, wipe=True)
    messages: list[str] = []
    found = diagnose_run(
        recorded, suite=suite, devices=("emulators:1",), wipe=True, on_message=messages.append
    )
    (diagnosis,) = found.diagnoses.values()
    assert diagnosis.attributed_to is AttributedTo.AGENT
    (device,) = diagnosis.devices
    assert device.startswith("emulator-")
    assert "starting garabench-1" in messages
    assert "garabench-1" not in {each.avd for each in running_avds(CLOCK)}, "it is stopped"
    stored = diagnose_run(recorded, suite=suite, devices=("emulators:1",), on_message=messages.append)
    assert stored.diagnoses == found.diagnoses
