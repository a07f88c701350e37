"""On Android 4.4 each command of the framework starts a virtual machine: how many a run's parts need.

The counts hold on any machine; the seconds are measured by ``python -m benchmarks device-time``.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from garabench.campaign.devices import inspect, open_devices
from garabench.campaign.planner import make_plan
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.core.observation import Observation
from garabench.core.selector import Selector, find
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.episode.spec import EpisodeSpec
from garabench.virtual.phone_process import VirtualPhone
from tests.e2e.scripted import SUITE, TASK, Move, always, events_of, make_spec, outcome, run_scripted
from tests.e2e.test_system_interruptions import make_interrupted_spec
from tests.phones import PhonePool
from tests.planned import episodes

pytestmark = pytest.mark.e2e

VM_COMMANDS = frozenset(
    ("am", "content", "ime", "input", "monkey", "pm", "screencap", "settings", "svc", "uiautomator", "wm")
)
TEXT = "稻香"
NEVER_SET = ("low_power", "user_rotation")
"""Settings that no table has: each is read by itself."""


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow("android-19:720x1280") as running:
        yield running


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the lines that the device's shell runs."""
    collected: list[str] = []
    plain = Adb._open

    def open_service(adb: Adb, service: str, limit: float) -> Any:
        collected.append(service.partition(":")[2].partition(";")[0])
        return plain(adb, service, limit)

    monkeypatch.setattr(Adb, "_open", open_service)
    return collected


def clean_spec() -> EpisodeSpec:
    """Return an episode without interruptions."""
    (spec,) = episodes(make_plan(SUITE.select(TASK), ("ignore",), conditions=("clean",)), SUITE)
    return dataclasses.replace(spec, agent="scripted")


def started(lines: Sequence[str]) -> Counter[str]:
    """Count the commands that start a virtual machine, by name."""
    names = [line.split()[0] for line in lines if line.strip()]
    return Counter(name for name in names if name in VM_COMMANDS)


def noting(move: Move, lines: list[str], marks: list[int]) -> Move:
    """Note how many lines had been run when the agent decided."""

    def noted(observation: Observation) -> act.Action:
        marks.append(len(lines))
        return move(observation)

    return noted


def test_a_step_needs_one_dump_and_so_does_the_end(device: Device, lines: list[str], tmp_path: Path) -> None:
    marks: list[int] = []
    moves = [*[always(act.Tap(x=2, y=2))] * 2, always(act.Done())]
    log, _ = run_scripted(device, tmp_path, clean_spec(), *(noting(move, lines, marks) for move in moves))
    assert outcome(log) == ("failure", "false_done")
    first, second, last = marks
    for step in (lines[first:second], lines[second:last]):
        assert started(step) == {"input": 1, "uiautomator": 1, "screencap": 1}, step
    end = lines[last:]
    assert started(end) == {"uiautomator": 1, "screencap": 1, "content": 1}, end
    commands = [line.split()[0] for line in end]
    assert commands.index("content") < commands.index("uiautomator")  # both run at the same time


def test_typing_installs_nothing_and_presses_keys_at_once(
    device: Device, lines: list[str], tmp_path: Path
) -> None:
    marks: list[int] = []

    def tap_field(observation: Observation) -> act.Action:
        at = find(observation.tree, Selector(id="expand_search"))[0].bounds.center
        return act.Tap(x=at.x, y=at.y)

    typed: list[act.Action] = [
        act.Type(text="abc"),
        act.Type(text=TEXT, clear=True),
        act.Type(text=" x", submit=True),
    ]
    moves = [tap_field, *(always(each) for each in (*typed, act.Done()))]
    log, agent = run_scripted(device, tmp_path, clean_spec(), *(noting(move, lines, marks) for move in moves))
    assert outcome(log) == ("failure", "false_done")
    assert TEXT in {node.text for node in agent.observations[-2].tree.app_nodes}
    assert f"{TEXT} x" in {node.text for node in agent.observations[-1].tree.app_nodes}
    ascii_step, unicode_step = lines[marks[1] : marks[2]], lines[marks[2] : marks[3]]
    # The tree before is that of the observation, as the same window has the focus.
    assert started(ascii_step) == {"uiautomator": 1, "input": 1, "screencap": 1}, ascii_step
    assert started(unicode_step) == {
        "uiautomator": 1,
        "input": 1,  # empties the field
        "ime": 4,  # enable and set; set back and disable at the same time
        "am": 1,
        "screencap": 1,
    }, unicode_step
    submitted = lines[marks[3] : marks[4]]
    assert started(submitted) == {"uiautomator": 2, "input": 2, "screencap": 1}, submitted


def test_what_was_typed_meanwhile_is_read_before_typing_again(device: Device) -> None:
    device.apps.open(SUITE.select(TASK)[0].app)
    observation = device.observe(0, settled=device.settle())
    field = find(observation.tree, Selector(id="expand_search"))[0].bounds.center
    assert device.perform(act.Tap(x=field.x, y=field.y), observation.screen).ok
    device.observe(1, settled=device.settle())
    assert device.perform(act.Type(text="abc"), device.screen).ok
    assert device.perform(act.Type(text="def"), device.screen).ok  # there was no observation in between
    assert "abcdef" in {node.text for node in device.read_tree().tree.nodes}


def end_interrupted(
    device: Device, lines: list[str], folder: Path, *before_end: Move
) -> tuple[Sequence[ev.Event], list[str]]:
    """End an episode under an interruption; return its events and the lines since the last decision."""
    marks: list[int] = []
    spec = make_spec("wifi-check", goal={"exists": {"id": "expand_search"}})

    def end(observation: Observation) -> act.Action:
        for move in before_end:
            move(observation)
        marks.append(len(lines))
        return act.Done()

    log, _ = run_scripted(device, folder, spec, end)
    return log, lines[marks[0] :]


def test_an_interrupted_end_needs_one_dump_too(device: Device, lines: list[str], tmp_path: Path) -> None:
    log, end = end_interrupted(device, lines, tmp_path)
    assert outcome(log) == ("success", "goal_met")  # of the app, after the window was closed
    (ended,) = events_of(log, ev.InterruptionResolved)
    assert (ended.how, ended.exit) == ("open", "on screen")
    assert started(end) == {"content": 1, "am": 1, "uiautomator": 1, "screencap": 1}, end
    commands = [line.split()[0] for line in end]
    assert commands.index("am") < commands.index("uiautomator")  # both run at the same time


def test_an_interruption_that_lost_the_focus_before_the_end_is_read_again(
    device: Device, lines: list[str], tmp_path: Path
) -> None:
    def go_home(observation: Observation) -> act.Action:
        device.adb.shell(["input", "keyevent", "3"])
        return act.Home()

    log, end = end_interrupted(device, lines, tmp_path, go_home)
    assert outcome(log) == ("failure", "false_done")
    (ended,) = events_of(log, ev.InterruptionResolved)
    assert (ended.how, ended.exit) == ("left", "switched away")
    assert started(end)["uiautomator"] == 1, end


@pytest.mark.parametrize("before", ["null", "0"])
def test_a_turned_end_undoes_the_turn_during_its_second_dump(
    device: Device, lines: list[str], tmp_path: Path, before: str
) -> None:
    """The goal is not met on the turned screen, so it is checked on the upright one, too."""
    query = "settings get system user_rotation"
    if before != "null":
        device.adb.shell(["settings", "put", "system", "user_rotation", before])
    assert device.adb.shell(query.split()).stdout.strip() == before
    marks: list[int] = []
    spec = make_interrupted_spec(("rotation", "90"), task=TASK)
    log, _ = run_scripted(device, tmp_path, spec, noting(always(act.Done()), lines, marks))
    assert outcome(log) == ("failure", "false_done")
    assert len(events_of(log, ev.InterruptionShown)) == len(events_of(log, ev.FinalObserved)) == 1
    end = lines[marks[0] :]
    commands = [line.split()[0] for line in end if line.split()[0] in VM_COMMANDS]
    undo = "content" if before == "null" else "settings"
    # The state of the app is read during the first dump and not again; the last query verifies the undo.
    assert commands == ["content", "uiautomator", undo, "uiautomator", "screencap", "content", undo]
    assert device.adb.shell(query.split()).stdout.strip() == before


def test_a_run_reads_whole_tables_of_settings(phone: VirtualPhone, lines: list[str]) -> None:
    phone.reset()
    with open_devices((phone.serial,), SystemClock()) as (lease,):
        inspect(lease, SystemClock()).close()  # the checks before a run
        assert sum(line.startswith("sh -c") for line in lines) == 1, lines  # the device's identity
        lease.connect().close()
        assert sum(line.startswith("sh -c") for line in lines) == 1, lines
        assert (started(lines)["wm"], started(lines)["content"]) == (2, 7), lines
        gets = [line for line in lines if line.startswith("settings get")]
        assert gets == [line for line in gets if line.split()[3] in NEVER_SET], lines
        lines.clear()
        lease.connect().close()  # later connections read nothing again
        assert started(lines) == {}, lines
    puts = [line for line in lines if line.startswith(("settings put", "settings delete"))]
    reads = [line for line in lines if line.startswith("content")]
    assert (len(puts), len(reads)) == (4, 4), lines
    assert lines.index(reads[0]) < lines.index(puts[0])  # both run at the same time
    assert lines[-1] in reads  # it verifies
