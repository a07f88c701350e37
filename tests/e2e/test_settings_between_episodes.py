"""Settings that an agent changed on a device of the user are restored before the next episode."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy
from garabench.campaign.devices import open_devices
from garabench.campaign.planner import make_plan
from garabench.core.clock import SystemClock
from garabench.core.steps import SolutionStep
from garabench.device.adb import Adb
from garabench.device.undo.lease import leases_folder
from garabench.effects.system import SETTINGS, parse_system, system_command
from garabench.episode.reset import prepare
from garabench.episode.runner import perform_episode
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.phones import PhonePool
from tests.planned import episodes

CLOCK, SUITE, TASK, APP = SystemClock(), bundled_suite(), "jd-night-quiet", "com.jingdong.app.mall"
CHANGES = (
    "cmd uimode night yes",
    "svc bluetooth disable",
    "svc data enable",
    "cmd location set-location-enabled false",
    "cmd connectivity airplane-mode enable",
    "svc wifi disable",
    "settings delete system ringtone",
    "settings put secure enabled_input_methods a/.B",
    "settings put secure default_input_method a/.B",
    "settings put secure enabled_accessibility_services a/.C",
    "settings put global zen_mode 1",
)
PLAIN = {name: "7" for name in SETTINGS if not any(name[1] in line for line in CHANGES)}


@pytest.fixture
def emulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualPhone]:
    """A phone in another process, which a run reaches by the serial of an emulator and cannot reset."""
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path / "state"))
    with VirtualPhone("android-34:720x1280", emulator=True) as phone:
        yield phone


def settings_of(adb: Adb) -> dict[str, object]:
    state = parse_system(adb.shell(system_command()).check("read the settings").stdout)
    return {each.object: each.fields["value"] for each in state.records.values() if each.fields}


def change_all(adb: Adb) -> None:
    plain = [f"settings put {namespace} {key} {value}" for (namespace, key), value in PLAIN.items()]
    for line in (*plain, *CHANGES):
        adb.shell(shlex.split(line))


def test_every_compared_setting_is_restored_before_an_episode_and_after_the_run(
    emulator: VirtualPhone,
) -> None:
    adb = Adb(emulator.serial, CLOCK)
    original = settings_of(adb)
    with open_devices((emulator.serial,), CLOCK) as (lease,):
        device = lease.connect()
        prepare(device, APP, ())
        before, kept = settings_of(adb), len(device.journal.entries)
        change_all(adb)
        assert len(settings_of(adb).items() - before.items()) >= 22
        prepare(device, APP, ())
        assert settings_of(adb) == before
        assert len(device.journal.entries) == kept  # for the next episode
        change_all(adb)
        device.close()
    assert settings_of(adb) == original
    assert not list(leases_folder().glob("*.jsonl"))


def test_an_episode_does_not_succeed_by_what_an_earlier_one_switched_on(
    emulator: VirtualPhone, tmp_path: Path
) -> None:
    task = SUITE.select(TASK)[0].task
    (miss,) = (each for each in task.near_misses if each.name == "in-the-app-only")
    with open_devices((emulator.serial,), CLOCK) as (lease,):
        device = lease.connect()

        def outcome(name: str, steps: tuple[SolutionStep, ...]) -> str:
            plan = make_plan(SUITE.select(TASK), ("ignore",), conditions=("clean",))
            (spec,) = episodes(plan, SUITE)
            agent = ReferenceAgent(steps, Policy.IGNORE)
            return perform_episode(spec, device, agent, tmp_path / name, CLOCK).outcome

        assert outcome("done", task.solution) == "success"
        assert outcome("half", miss.steps) == "failure"
        device.close()


def test_an_old_phone_restores_what_it_has(
    phone_pool: PhonePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path / "state"))
    changes = ("system font_scale 1.3", "system time_12_24 24", "secure location_mode 0")
    with phone_pool.borrow("android-19") as phone, open_devices((phone.serial,), CLOCK) as (lease,):
        device = lease.connect()
        shell = device.adb.shell
        keys = [line.split()[:2] for line in changes]
        before = [shell(["settings", "get", *key]).stdout for key in keys]
        for line in changes:
            shell(["settings", "put", *line.split()])
        prepare(device, APP, ())
        assert [shell(["settings", "get", *key]).stdout for key in keys] == before
        device.close()
