"""A virtual phone fails during a run, and every episode ends without an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.agents.registry import resolve_all
from garabench.campaign.device_care import DeviceCare
from garabench.campaign.device_kind import kind_of
from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.campaign.devices import VirtualLease
from garabench.campaign.executor import perform_episodes
from garabench.campaign.planner import make_plan, recorded_agents
from garabench.core import campaign_events as ev
from garabench.core.clock import SystemClock
from garabench.device.adb import Adb
from garabench.device.device import Device
from garabench.errors import HarnessError
from garabench.records.campaign_log import read_campaign
from garabench.records.device_environment import Environment
from garabench.records.reader import load_run
from garabench.records.run_file import RunFile
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone
from tests.virtual.test_phone_process import install_app

pytestmark = pytest.mark.e2e
POLICY = DeviceRecoveryPolicy(waits=(0.05, 0.05, 0.05, 0.05, 0.05), after_measure=0.05, retry_pause=0.05)


def begin(folder: Path, phone: VirtualPhone, suite: Suite) -> RunWriter:
    plan = make_plan(suite.select("bilibili")[:4], ("accept",), conditions=("clean",))
    with Device.connect(phone.serial, SystemClock()) as device:
        environment = Environment(kind=kind_of(device.info), model=device.info.model)
    file = RunFile(
        garabench="0",
        plan=plan,
        agents=recorded_agents(plan, resolve_all(plan.agents)),
        suite_hash=suite.digest,
        device=environment,
    )
    return RunWriter.create(folder / "run", file)


def test_empty_trees_for_a_while_end_no_episode_in_error(phone: VirtualPhone, tmp_path: Path) -> None:
    """They begin during the second episode, and last for four looks at the device."""
    suite, events = Suite.load(), list[ev.CampaignEvent]()
    writer = begin(tmp_path, phone, suite)

    def on_event(event: ev.CampaignEvent) -> None:
        events.append(event)
        if isinstance(event, ev.AttemptBegun) and sum(isinstance(e, ev.AttemptBegun) for e in events) == 2:
            phone.fault("null-root")
        if isinstance(event, ev.RungPerformed) and event.number == 4:
            phone.fault("null-root", on=False)

    clock = SystemClock()
    lease = VirtualLease(phone, clock)
    perform_episodes(
        writer,
        suite,
        resolve_all(writer.file.plan.agents),
        [lease],
        clock,
        device_recovery=POLICY,
        on_event=on_event,
    )
    lease.release()
    run = load_run(writer.folder)
    assert [summary.outcome for summary in run.summaries] == ["success"] * 4
    failed = [e for e in events if isinstance(e, ev.AttemptEnded) and e.outcome == "error"]
    assert [(e.at_fault, e.last) for e in failed] == [("device", False)]
    assert [len(episode.earlier_attempts) for episode in run.episodes] == [0, 1, 0, 0]
    rungs = [(e.rung, e.remaining) for e in events if isinstance(e, ev.RungPerformed)]
    assert [rung for rung, _ in rungs] == [ev.Rung.WAIT] * 5
    assert rungs[-1][1] == ()
    assert read_campaign(writer.folder) == tuple(events)
    assert events[-1] == ev.RunEnded(time=events[-1].time, ended=4, remaining=0)


class ObservedLease(VirtualLease):
    """Notes the phone's boots: a reset between episodes restores the first one."""

    def boot(self) -> str:
        return Adb(self.phone.serial, self.clock).shell(["cat", "/proc/sys/kernel/random/boot_id"]).stdout

    def reboot(self) -> None:
        before = self.boot()
        VirtualLease.reboot(self)
        assert self.boot() != before


def test_a_reboot_brings_a_device_back(phone: VirtualPhone) -> None:
    """The connection drops during the reboot, as that of every device does."""
    events = list[ev.RungPerformed]()
    clock = SystemClock()

    def on_event(event: ev.CampaignEvent) -> None:
        if isinstance(event, ev.RungPerformed):
            events.append(event)
            if event.rung is ev.Rung.RESTART_APP:  # the last one before the reboot
                phone.fault("null-root", on=False)

    policy = DeviceRecoveryPolicy(waits=(), after_measure=0.0)
    lease = ObservedLease(phone, clock)
    care = DeviceCare("one", lease, clock, policy, on_event, clock.sleep)
    phone.fault("null-root")
    care.ready("tv.danmaku.bili", "e", lambda: None)
    care.close()
    lease.release()
    assert [each.rung for each in events][-2:] == [ev.Rung.RESTART_APP, ev.Rung.REBOOT]
    assert (events[-1].ok, events[-1].detail, events[-1].remaining) == (True, "", ())


def test_the_restart_of_an_ended_phone_is_recorded() -> None:
    events, clock = list[ev.CampaignEvent](), SystemClock()
    with VirtualPhone("android-34:720x1280") as phone:
        lease = VirtualLease(phone, clock)
        care = DeviceCare("one", lease, clock, POLICY, events.append, clock.sleep)
        care.ready("tv.danmaku.bili", "first", lambda: None)
        assert events == []
        assert phone._process is not None
        phone._process.kill()
        phone._process.wait()
        care.ready("tv.danmaku.bili", "second", lambda: None)
        care.close()
        lease.release()
    checked, restarted = events
    assert isinstance(checked, ev.HealthChecked)
    assert [each.symptom for each in checked.problems] == [ev.Symptom.UNREACHABLE]
    assert isinstance(restarted, ev.RungPerformed)
    assert (restarted.rung, restarted.number, restarted.ok) == (ev.Rung.RESTART_EMULATOR, 1, True)
    assert (restarted.remaining, restarted.episode) == ((), "second")


def test_a_phone_that_does_not_start_again_for_a_while_is_recovered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An app of an installed package fails in new processes, until the phone has been waited for twice."""
    events, clock = list[ev.RungPerformed](), SystemClock()
    broken = tmp_path / "broken"

    def on_event(event: ev.CampaignEvent) -> None:
        if isinstance(event, ev.RungPerformed):
            events.append(event)
            if event.number == 2:
                broken.unlink()

    install_app(
        tmp_path,
        monkeypatch,
        f"""
import pathlib
import garabench

def make():
    if pathlib.Path({str(broken)!r}).exists():
        raise RuntimeError("the licence has expired")
    return garabench.read_app(pathlib.Path(__file__).parent / "app.yaml")
""",
    )
    screens = "screens: {main: {title: Odd, body: []}}"
    (tmp_path / "app.yaml").write_text(f"package: org.example.odd\nname: Odd\n{screens}\n", "utf-8")
    with VirtualPhone("android-34:720x1280") as phone:
        lease = VirtualLease(phone, clock)
        care = DeviceCare("one", lease, clock, POLICY, on_event, clock.sleep)
        broken.touch()
        assert phone._process is not None
        phone._process.kill()
        phone._process.wait()
        with pytest.raises(HarnessError, match=r"did not start again: the app 'odd' .* licence has expired"):
            lease.restart()
        care.ready("tv.danmaku.bili", "e", lambda: None)
        care.close()
        lease.release()
    assert [each.remaining for each in events[:2]] == [(ev.Symptom.UNREACHABLE,)] * 2
    assert events[-1].remaining == ()
