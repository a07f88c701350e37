"""What is checked before a run starts, over the real wire: apps, companion app, app store, Wi-Fi."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import garabench
from garabench.agents.reference.agent import ReferenceAgent
from garabench.agents.reference.exit_choice import Policy
from garabench.campaign import consent
from garabench.campaign.planner import episodes
from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.core.companion_app import PACKAGE
from garabench.core.events import EpisodeStarted
from garabench.core.steps import WifiStep
from garabench.device.adb import Adb, ShellResult
from garabench.device.adb_command import adb_command
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.errors import InputError, NotReadyError
from garabench.interruptions.capabilities import (
    ActivityQuery,
    read_capabilities,
)
from garabench.interruptions.feasibility import STORE_PAGE
from garabench.interruptions.follow_up import perform_follow_up
from garabench.records.device_environment import DeviceKind
from garabench.records.event_reader import read_events
from garabench.records.results import summarize
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e

STORE = "com.android.vending"
APP = "com.sina.weibo"
TASK = "weibo-pass-on-first-of-the-week"
RULE = "weibo-home-app-update"
WHY = "app-update: store_page: no app store opens market:// links"


@pytest.fixture(scope="module", params=["android-19", "android-34"])
def phone(phone_pool: PhonePool, request: pytest.FixtureRequest) -> Iterator[VirtualPhone]:
    with phone_pool.borrow(request.param) as running:
        yield running


@pytest.fixture
def adb(phone: VirtualPhone) -> Iterator[Adb]:
    phone.reset()
    adb = Adb(phone.serial, SystemClock())
    yield adb
    for package in (STORE, APP, PACKAGE):
        adb.shell(["pm", "enable", package])
    for fault in ("no-wifi", "credential-lock", "no-space"):
        phone.fault(fault, on=False)


def run(phone: VirtualPhone, out: Path, conditions: str, *more: str) -> Result:
    words = ["--device", phone.serial, "--tasks", TASK, "--agents", "dismiss", "--out", str(out)]
    return CliRunner().invoke(main, ["run", *words, "--conditions", conditions, *more])


def test_what_a_device_can_do_is_read_by_a_few_commands(
    phone: VirtualPhone, adb: Adb, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[Sequence[str]] = []
    original = Adb.shell

    def counted(self: Adb, argv: Sequence[str], *, timeout: float | None = None) -> ShellResult:
        commands.append(argv)
        return original(self, argv, timeout=timeout)

    queries = [
        STORE_PAGE,
        ActivityQuery("android.settings.WIFI_SETTINGS"),
        ActivityQuery("com.example.NOTHING"),
    ]
    with Device.connect(phone.serial, SystemClock()) as device:
        found = read_capabilities(device, queries=queries, app=APP, wifi=True)
        assert {APP, STORE, PACKAGE} <= found.packages
        assert found.unresolved == {ActivityQuery("com.example.NOTHING")}
        assert found.wifi
        assert (found.free_bytes or 0) > 10**9
        adb.shell(["pm", "disable", STORE])
        phone.fault("no-wifi")
        monkeypatch.setattr(Adb, "shell", counted)
        found = read_capabilities(device, queries=queries, app=APP, wifi=True, root=True)
    assert found.unresolved == {STORE_PAGE, ActivityQuery("com.example.NOTHING")}
    assert len(commands) <= 4 + len(queries)
    assert STORE not in found.packages
    assert not found.wifi


@pytest.mark.parametrize("on", [False, True])
def test_a_wifi_step_fails_on_a_device_without_wifi(phone: VirtualPhone, adb: Adb, on: bool) -> None:
    phone.fault("no-wifi")
    with Device.connect(phone.serial, SystemClock()) as device:
        (result,) = perform_follow_up(device, [WifiStep(wifi=on)], app=APP)
        assert (result.ok, result.detail) == (False, f"{phone.serial} has no Wi-Fi")
        phone.fault("no-wifi", on=False)
        (result,) = perform_follow_up(device, [WifiStep(wifi=on)], app=APP)
        assert result.ok


def test_missing_apps_are_refused_in_one_line_each_before_the_question(
    phone: VirtualPhone, adb: Adb, tmp_path: Path
) -> None:
    adb.shell(["pm", "disable-user", APP])
    result = run(phone, tmp_path / "run", "clean,dual")
    assert result.exit_code == 3
    assert result.stderr.splitlines() == [
        f"Error: {phone.serial}: {APP} is disabled: enable it ({adb_command()} -s {phone.serial} shell pm "
        f"enable {APP})"
    ]
    assert not (tmp_path / "run").exists()


def test_a_locked_screen_is_refused_before_the_question(
    phone: VirtualPhone, adb: Adb, tmp_path: Path
) -> None:
    phone.fault("credential-lock", secret="pin")
    result = run(phone, tmp_path / "run", "clean")
    assert result.exit_code == 3
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"Error: the screen of {phone.serial} is locked with a PIN: unlock it")
    phone.fault("credential-lock", on=False)
    adb.shell(["input", "keyevent", "26"])  # to sleep
    result = run(phone, tmp_path / "run", "clean", "--yes")
    assert result.exit_code == 0, result.output


def test_full_storage_is_refused_before_the_question(phone: VirtualPhone, adb: Adb, tmp_path: Path) -> None:
    phone.fault("no-space")
    result = run(phone, tmp_path / "run", "clean")
    assert result.exit_code == 3, result.output
    (line,) = [line for line in result.stderr.splitlines() if phone.serial in line]
    assert line.endswith(f"{adb_command()} -s {phone.serial} shell pm trim-caches 1G")
    assert not (tmp_path / "run").exists()


def test_rules_that_the_device_cannot_follow_up_are_left_out(
    phone: VirtualPhone, adb: Adb, tmp_path: Path
) -> None:
    adb.shell(["pm", "disable", STORE])
    result = run(phone, tmp_path / "run", "dual", "--yes")
    assert result.exit_code == 0, result.output
    assert f"{phone.serial}: left out: {WHY} (rules {RULE})\n" in result.stderr
    recorded = garabench.load_run(tmp_path / "run")
    assert recorded.file.device.left_out == {RULE: WHY}
    (episode,) = recorded.episodes
    assert episode.interruptions
    assert all(each.injected.rule != RULE for each in episode.interruptions)
    compared = CliRunner().invoke(main, ["compare", str(tmp_path / "run")]).output
    assert f"Left out, since the device could not perform them: {RULE} ({WHY})" in compared
    adb.shell(["pm", "enable", STORE])
    resumed = run(phone, tmp_path / "run", "dual", "--yes", "--resume")
    assert resumed.exit_code == 2
    assert f"was started without the rules {RULE}; now those left out are none" in resumed.stderr


def test_an_instruction_is_in_the_devices_language(phone: VirtualPhone, adb: Adb, tmp_path: Path) -> None:
    phone.set_language("en")
    with Device.connect(phone.serial, SystemClock()) as device:
        garabench.run_episode(TASK, "dismiss", device, out=tmp_path)
    phone.set_language("zh")
    (folder,) = tmp_path.glob("episodes/*/*/*/*")
    (start, *_) = read_events(folder)
    assert isinstance(start, EpisodeStarted)
    assert start.language == "en"
    assert start.instruction == garabench.Suite.load().tasks[TASK].task.instruction["en"]


def test_an_accept_without_a_store_is_an_incomplete_exit(
    phone: VirtualPhone, adb: Adb, tmp_path: Path
) -> None:
    adb.shell(["pm", "disable", STORE])
    suite = garabench.Suite.load()
    plan = garabench.make_plan(suite.select(TASK), ["accept"], conditions=("forced",))
    (spec,) = episodes(plan, suite, ("accept",))  # with the rule that the check before a run leaves out
    agent = ReferenceAgent(spec.task.solution, Policy.ACCEPT)
    with Device.connect(phone.serial, SystemClock()) as device:
        perform_episode(spec, device, agent, tmp_path, SystemClock())
    (folder,) = tmp_path.glob("episodes/*/*/*/*")
    summary = summarize(read_events(folder))
    assert summary is not None
    assert "accept_incomplete" in summary.exits
    (update,) = (each for each in summary.interruptions if each.interruption == "app-update")
    assert update.incomplete.startswith("store_page: ")


def test_the_library_asks_for_the_same_consent_as_the_command(
    phone: VirtualPhone, adb: Adb, tmp_path: Path
) -> None:
    plan = garabench.make_plan(garabench.Suite.load().select(TASK), ["dismiss"], conditions=("clean",))
    with pytest.raises(InputError, match=f"wipes all data of {APP} on {phone.serial}") as caught:
        garabench.run(plan, tmp_path / "run", devices=(phone.serial,))
    assert caught.value.hint == "Pass wipe=True to agree."
    assert not (tmp_path / "run").exists()
    asked: list[tuple[str, ...]] = []
    adb.shell(["pm", "disable", APP])
    with pytest.raises(NotReadyError):
        garabench.run(plan, tmp_path / "run", devices=(phone.serial,), wipe=asked.append)
    assert not asked
    adb.shell(["pm", "enable", APP])
    done = garabench.run(plan, tmp_path / "run", devices=(phone.serial,), wipe=asked.append)
    assert asked == [(phone.serial,)]
    assert [item.outcome for item in done.summaries] == ["success"]


def test_a_disabled_companion_app_is_refused(phone: VirtualPhone, adb: Adb, tmp_path: Path) -> None:
    adb.shell(["pm", "disable", PACKAGE])
    result = run(phone, tmp_path / "run", "dual", "--yes")
    assert result.exit_code == 3, result.output
    assert f"pm enable {PACKAGE}" in result.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("more", [(), ("--write-effects",)])
def test_proofs_need_consent_and_enabled_apps(phone: VirtualPhone, adb: Adb, more: tuple[str, ...]) -> None:
    words = ["tasks", "prove", TASK, "--device", phone.serial, *more]
    adb.shell(["am", "start", "-W", "-n", f"{APP}/.MainTabActivity"])
    before = adb.shell(["ls", "-l", f"/data/data/{APP}"]).stdout
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2, result.output
    assert f"wipes all data of {APP} on {phone.serial}" in result.stderr
    assert "Add --yes" in result.stderr
    adb.shell(["pm", "disable", APP])
    result = CliRunner().invoke(main, [*words, "--yes"])
    assert result.exit_code == 3, result.output
    assert f"{APP} is disabled: enable it" in result.stderr
    assert adb.shell(["ls", "-l", f"/data/data/{APP}"]).stdout == before


@pytest.mark.parametrize(
    ("fault", "options", "refusal"),
    [
        (
            "credential-lock",
            {"secret": "pin"},
            "Error: the screen of {serial} is locked with a PIN: unlock it",
        ),
        ("no-space", {}, "Error: {serial}: only 2 MB are free on /data, 50 MB are needed: "),
    ],
)
@pytest.mark.parametrize("more", [(), ("--write-effects",)])
def test_a_proof_on_a_device_that_is_not_ready_is_refused_before_any_output(
    phone: VirtualPhone, adb: Adb, fault: str, options: dict[str, Any], refusal: str, more: tuple[str, ...]
) -> None:
    phone.fault(fault, **options)
    result = CliRunner().invoke(main, ["tasks", "prove", TASK, "--device", phone.serial, "--yes", *more])
    assert (result.exit_code, result.stdout) == (3, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(refusal.format(serial=phone.serial))


def test_a_proof_without_the_companion_app_is_refused(phone: VirtualPhone, adb: Adb) -> None:
    adb.shell(["pm", "disable", PACKAGE])
    result = CliRunner().invoke(main, ["tasks", "prove", TASK, "--device", phone.serial, "--yes"])
    assert (result.exit_code, result.stdout) == (3, "")
    assert f"pm enable {PACKAGE}" in result.stderr
    assert "path 1 of" not in result.stderr


def test_an_episode_on_a_real_device_needs_consent(
    phone: VirtualPhone, adb: Adb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consent, "kind_of", lambda info: DeviceKind.REAL)
    with Device.connect(phone.serial, SystemClock()) as device:
        with pytest.raises(InputError, match=f"wipes all data of {APP} on {phone.serial}"):
            garabench.run_episode(TASK, "dismiss", device, out=tmp_path)
        adb.shell(["pm", "disable", APP])
        with pytest.raises(NotReadyError, match="is disabled"):
            garabench.run_episode(TASK, "dismiss", device, out=tmp_path, wipe=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("disabled", "fault", "options", "refusal"),
    [
        ("", "credential-lock", {"secret": "pin"}, "is locked with a PIN: unlock it"),
        ("", "no-space", {}, "only 2 MB are free on /data"),
        (PACKAGE, "", {}, f"pm enable {PACKAGE}"),
    ],
    ids=["locked", "full", "no-companion"],
)
def test_the_library_refuses_an_episode_as_a_run(
    phone: VirtualPhone,
    adb: Adb,
    tmp_path: Path,
    disabled: str,
    fault: str,
    options: dict[str, Any],
    refusal: str,
) -> None:
    adb.shell(["am", "start", "-W", "-n", f"{APP}/.MainTabActivity"])
    before = adb.shell(["ls", "-l", f"/data/data/{APP}"]).stdout
    with Device.connect(phone.serial, SystemClock()) as device:
        if disabled:
            adb.shell(["pm", "disable", disabled]).check("disable it")
        if fault:
            phone.fault(fault, **options)
        with pytest.raises(NotReadyError, match=refusal):
            garabench.run_episode(TASK, "dismiss", device, out=tmp_path, condition="dual")
    assert not list(tmp_path.iterdir())
    assert adb.shell(["ls", "-l", f"/data/data/{APP}"]).stdout == before


def test_the_library_leaves_out_what_needs_a_missing_store(
    phone: VirtualPhone, adb: Adb, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    adb.shell(["pm", "disable", STORE])
    with Device.connect(phone.serial, SystemClock()) as device, caplog.at_level(logging.WARNING):
        garabench.run_episode(TASK, "accept", device, out=tmp_path, condition="forced")
    (folder,) = tmp_path.glob("episodes/*/*/*/*")
    summary = summarize(read_events(folder))
    assert summary is not None
    assert "app-update" not in {each.interruption for each in summary.interruptions}
    assert f"{phone.serial}: left out: {WHY} (rules {RULE})" in caplog.messages
