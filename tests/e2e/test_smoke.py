"""Smoke tests of devices and runs over the real wire: adb, adbutils, uiautomator2, virtual phones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.core.action import OpenApp, Tap, Type
from garabench.core.clock import SystemClock
from garabench.core.observation import TreeSource
from garabench.core.selector import Selector, find
from garabench.device.device import Device
from garabench.errors import DeviceUnreachableError
from garabench.records.fsck import check_run
from garabench.records.reader import load_run
from garabench.virtual.phone_process import VirtualPhone
from tests.bundled import bundled_suite
from tests.phones import PhonePool

BILIBILI = "tv.danmaku.bili"


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool) -> Iterator[VirtualPhone]:
    with phone_pool.borrow() as running:
        yield running


@pytest.fixture
def device(phone: VirtualPhone) -> Iterator[Device]:
    connected = Device.connect(phone.serial, SystemClock())
    yield connected
    connected.close()


def test_device_reports_its_properties(device: Device) -> None:
    assert (device.info.sdk, device.info.language, str(device.info.size)) == (34, "zh", "1080x2400")
    assert device.adb.shell(["nope"]).exit_code == 127
    assert device.adb.shell(["echo", "a'b $X", "中文"]).stdout == "a'b $X 中文\n"


def test_observation_has_tree_screenshot_and_focus(device: Device) -> None:
    assert device.perform(OpenApp(package=BILIBILI), device.screen).ok
    settled = device.settle()
    assert settled.still
    observation = device.observe(1, settled=settled)
    assert observation.focus.package == BILIBILI
    assert observation.source is TreeSource.U2
    assert observation.tree is settled.reading.tree
    assert observation.screenshot.size == observation.screen
    assert not device.perform(OpenApp(package="no.such.app"), device.screen).ok
    assert not device.perform(Tap(x=5000, y=1), device.screen).ok


def test_chinese_text_is_typed(device: Device) -> None:
    device.apps.force_stop(BILIBILI)
    device.apps.open(BILIBILI)
    tree = device.settle().reading.tree
    (bar, *_) = find(tree, Selector(id="search_bar")) or find(tree, Selector(id="expand_search"))
    at = bar.bounds.center
    device.perform(Tap(x=at.x, y=at.y), device.screen)
    device.settle()
    assert device.perform(Type(text="周杰伦 live 稻香", clear=True), device.screen).ok
    assert any(node.text == "周杰伦 live 稻香" for node in device.settle().reading.tree.nodes)


def test_tree_falls_back_to_uiautomator_dump_with_a_reason(
    phone: VirtualPhone,
) -> None:
    plain = Device.connect(phone.serial, SystemClock(), use_u2=False)
    observation = plain.observe(0)
    assert observation.source is TreeSource.UIAUTOMATOR_DUMP
    assert "switched off" in observation.source_reason
    assert observation.tree.nodes


def test_missing_device_is_reported() -> None:
    with pytest.raises(DeviceUnreachableError, match=r"device 127\.0\.0\.1:1 is not connected"):
        Device.connect("127.0.0.1:1", SystemClock())


def run_cli(out: Path, *more: str) -> dict[str, str]:
    shortest = min(bundled_suite().select("bilibili"), key=lambda each: len(each.task.solution))
    argv = ["run", "--tasks", shortest.task.id, "--agents", "dismiss,ignore", "--out", str(out), *more]
    result = CliRunner().invoke(main, argv)
    assert result.exit_code == 0, result.output
    logs = {}
    for path in sorted(out.glob("episodes/*/*/*/*/events.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for row in rows:
            row.pop("t", None)
            row.pop("crc", None)
            row.pop("seconds", None)
        logs[str(path.relative_to(out))] = json.dumps(rows, ensure_ascii=False)
    return logs


def test_run_is_reproducible_and_compared_by_condition(tmp_path: Path) -> None:
    one, two = run_cli(tmp_path / "one", "--jobs", "1"), run_cli(tmp_path / "two", "--jobs", "2")
    assert len(one) == 6
    assert one == two  # regardless of the number of phones
    runs = [load_run(tmp_path / name) for name in ("one", "two")]
    stored = [[(file.sha256, file.kind) for file in run.store.files()] for run in runs]
    assert stored[0]
    assert stored[0] == stored[1]
    assert [found for run in runs for found in check_run(run)] == []
    result = CliRunner().invoke(main, ["compare", str(tmp_path / "one"), "--json"])
    rows = {(row["agent"], row["condition"]): row for row in json.loads(result.output)["conditions"]}
    for agent in ("dismiss", "ignore"):
        assert rows[agent, "clean"]["success"] == {"successes": 1, "trials": 1}
    assert rows["dismiss", "dual"]["success"]["successes"] == 1
    assert rows["dismiss", "dual"]["triggered"] == {"successes": 1, "trials": 1}
    assert rows["ignore", "dual"]["success"]["successes"] == 0


def test_existing_run_can_only_be_resumed_with_the_same_plan(tmp_path: Path) -> None:
    before = run_cli(tmp_path / "run", "--conditions", "clean")
    assert run_cli(tmp_path / "run", "--conditions", "clean", "--resume") == before
    again = CliRunner().invoke(main, ["run", "--tasks", "all", "--out", str(tmp_path / "run")])
    assert again.exit_code == 2
    assert "already holds a run" in again.output
    other = CliRunner().invoke(main, ["run", "--tasks", "all", "--out", str(tmp_path / "run"), "--resume"])
    assert other.exit_code == 2
    assert "planned with different tasks" in other.output
