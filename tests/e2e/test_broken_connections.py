"""Agents that break the phone's connection, on purpose or not: each costs its own episode alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import adbutils
import pytest

import garabench
from garabench.core import events as ev
from garabench.core.clock import SystemClock
from garabench.device.adb import Adb
from garabench.device.reconnect import ServerWatch, reconnect, restarted_on_request, set_boot_mark
from garabench.records.event_reader import read_events
from tests.bundled import bundled_suite

pytestmark = pytest.mark.e2e
TASK = "amap-satellite-with-traffic"
ONCE = """#!/bin/sh
[ -e "{name}-was-here" ] && exit 10
touch "{name}-was-here"
{misdeed}
sleep 60
"""
ENDED = "killed the adb server; the device itself works"
FORGOT = "disconnected the device from the adb server; the device itself works"


def perform(here: Path, misdeeds: dict[str, str], *, jobs: int = 1, seconds: float = 600) -> garabench.Run:
    """Run an agent for each misdeed in two episodes; in the second one it gives up at once."""
    agents = []
    for name, misdeed in misdeeds.items():
        file = here / f"{name}.sh"
        file.write_text(ONCE.format(name=name, misdeed=misdeed), encoding="utf-8")
        file.chmod(0o755)
        agents.append(f"{name}=autonomous:./{name}.sh")
    plan = garabench.make_plan(bundled_suite().select(TASK), tuple(agents), conditions=("clean",), seeds=2)
    return garabench.run(plan.model_copy(update={"seconds": seconds}), here / "run", jobs=jobs)


def told(run: garabench.Run) -> list[tuple[str, str, str]]:
    return [(each.agent, each.outcome, each.reason) for each in run.summaries]


def faults(run: garabench.Run) -> list[tuple[str, str]]:
    """Return the party at fault and the message of each fault."""
    found: list[tuple[str, str]] = []
    for each in run.summaries:
        log = read_events(run.folder / "episodes" / TASK / each.agent / "clean" / str(each.seed))
        found += [(event.at_fault, event.message) for event in log if isinstance(event, ev.FaultEvent)]
    return found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_who_breaks_the_connection_fails_and_the_next_episode_has_a_device(
    here: Path, own_adb_server: int
) -> None:
    run = perform(
        here,
        {
            "killer": f"adb -P {own_adb_server} kill-server",  # the real server, past the proxy
            "leaver": f"adb -P {own_adb_server} disconnect",
            "rebooter": "adb reboot",
        },
    )
    assert told(run) == [
        (name, "failure", reason)
        for name in ("killer", "leaver", "rebooter")
        for reason in ("agent_failed", "gave_up")
    ]
    assert faults(run) == [
        ("agent", f"killer {ENDED}"),
        ("agent", f"leaver {FORGOT}"),
        ("agent", "rebooter restarted the device"),
    ]


def test_what_many_projects_begin_with_harms_nobody(here: Path) -> None:
    """Two agents on two phones at once: neither is disturbed."""
    begin = (
        "adb kill-server; adb start-server; adb disconnect; adb uninstall com.github.uiautomator\n"
        "adb shell rm -rf /data/local/tmp/u2.jar; adb shell am force-stop com.github.uiautomator\n"
        "adb shell pkill -f com.wetest.uia2.Main; adb shell settings put global airplane_mode_on 1\n"
        "adb shell svc wifi disable; adb shell input keyevent 4 || exit 3; exit 10"
    )
    run = perform(here, {"one": begin, "other": begin}, jobs=2)
    assert (told(run), faults(run)) == (
        [(name, "failure", "gave_up") for name in ("one", "one", "other", "other")],
        [],
    )


def test_a_device_comes_back_and_tells_what_has_become_of_it(here: Path, own_adb_server: int) -> None:
    def adb_program(*words: str) -> None:
        argv = [adbutils.adb_path(), "-P", str(own_adb_server), *words]
        subprocess.run(argv, check=True, capture_output=True, timeout=120)

    with garabench.VirtualPhone() as phone:
        adb = Adb(phone.serial, SystemClock())
        set_boot_mark(adb)
        watch = ServerWatch(adb)
        assert (watch.ended, restarted_on_request(adb), reconnect(adb, 1)) == (False, False, True)
        adb_program("disconnect", phone.serial)
        assert (watch.ended, adb.listed()) == (False, None)
        assert reconnect(adb, 10)
        adb_program("-s", phone.serial, "reboot")
        assert reconnect(adb, 10)
        assert restarted_on_request(adb)
        set_boot_mark(adb)
        adb_program("kill-server")
        assert reconnect(adb, 10)
        assert watch.ended
        assert not restarted_on_request(adb)
        watch.close()
    assert not reconnect(adb, 60)  # nothing listens there any more, which is known at once
