"""Agents that break the device's connection fail only their own episode."""

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
MISBEHAVE_ONCE = """#!/bin/sh
[ -e "{name}-was-here" ] && exit 10
touch "{name}-was-here"
{misdeed}
sleep 60
"""
SERVER_KILLED = "killed the adb server; the device itself works"
DISCONNECTED = "disconnected the device from the adb server; the device itself works"


def run_agents(
    folder: Path, commands: dict[str, str], *, jobs: int = 1, seconds: float = 600
) -> garabench.Run:
    """Run one agent per command for two episodes: it runs the command, and in the second one gives up."""
    agents = []
    for name, command in commands.items():
        file = folder / f"{name}.sh"
        file.write_text(MISBEHAVE_ONCE.format(name=name, misdeed=command), encoding="utf-8")
        file.chmod(0o755)
        agents.append(f"{name}=autonomous:./{name}.sh")
    plan = garabench.make_plan(bundled_suite().select(TASK), tuple(agents), conditions=("clean",), seeds=2)
    return garabench.run(plan.model_copy(update={"seconds": seconds}), folder / "run", jobs=jobs)


def outcomes(run: garabench.Run) -> list[tuple[str, str, str]]:
    return [(each.agent, each.outcome, each.reason) for each in run.summaries]


def faults(run: garabench.Run) -> list[tuple[str, str]]:
    """Return the party at fault and the message of each recorded fault."""
    found: list[tuple[str, str]] = []
    for each in run.summaries:
        log = read_events(run.folder / "episodes" / TASK / each.agent / "clean" / str(each.seed))
        found += [(event.at_fault, event.message) for event in log if isinstance(event, ev.FaultEvent)]
    return found


@pytest.fixture
def tmp_cwd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_agent_that_breaks_the_connection_fails_only_its_episode(tmp_cwd: Path, adb_server_port: int) -> None:
    run = run_agents(
        tmp_cwd,
        {
            "killer": f"adb -P {adb_server_port} kill-server",  # the real server, past the proxy
            "leaver": f"adb -P {adb_server_port} disconnect",
            "rebooter": "adb reboot",
        },
    )
    assert outcomes(run) == [
        (name, "failure", reason)
        for name in ("killer", "leaver", "rebooter")
        for reason in ("agent_failed", "gave_up")
    ]
    assert faults(run) == [
        ("agent", f"killer {SERVER_KILLED}"),
        ("agent", f"leaver {DISCONNECTED}"),
        ("agent", "rebooter restarted the device"),
    ]


def test_common_setup_commands_do_not_disturb_other_agents(tmp_cwd: Path) -> None:
    """Two agents run on two phones at once, and both begin with these commands."""
    setup = (
        "adb kill-server; adb start-server; adb disconnect; adb uninstall com.github.uiautomator\n"
        "adb shell rm -rf /data/local/tmp/u2.jar; adb shell am force-stop com.github.uiautomator\n"
        "adb shell pkill -f com.wetest.uia2.Main; adb shell settings put global airplane_mode_on 1\n"
        "adb shell svc wifi disable; adb shell input keyevent 4 || exit 3; exit 10"
    )
    run = run_agents(tmp_cwd, {"one": setup, "other": setup}, jobs=2)
    assert (outcomes(run), faults(run)) == (
        [(name, "failure", "gave_up") for name in ("one", "one", "other", "other")],
        [],
    )


def test_reconnect_reports_why_the_connection_broke(tmp_cwd: Path, adb_server_port: int) -> None:
    def adb_program(*words: str) -> None:
        argv = [adbutils.adb_path(), "-P", str(adb_server_port), *words]
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
    assert not reconnect(adb, 60)  # fails at once: nothing listens on the port
