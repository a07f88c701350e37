from __future__ import annotations

import datetime as dt

import pytest

from garabench.campaign.episode_queue import WHOLE, Shard
from garabench.campaign.resume import check_environment, check_plan, resumed_shard
from garabench.core.campaign_events import RunBegun
from garabench.errors import InputError
from garabench.records.campaign_log import CampaignLog
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.plan import Plan
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.small_suite import VIRTUAL, run_file


def recorded_on(writer: RunWriter, device: Environment, plan: Plan | None = None) -> RunWriter:
    """Return the run as if it had been started on this device."""
    return RunWriter(writer.folder, run_file(plan or writer.file.plan, writer.file.suite_hash, device))


def test_run_can_be_resumed_with_the_same_plan_and_suite(writer: RunWriter, plan: Plan, suite: Suite) -> None:
    check_plan(RunWriter.open(writer.folder), plan, suite)


def test_run_cannot_be_resumed_with_another_suite(writer: RunWriter, plan: Plan, suite: Suite) -> None:
    other = RunWriter(writer.folder, run_file(plan, "0" * 64))
    with pytest.raises(InputError) as caught:
        check_plan(other, plan, suite)
    assert "was recorded with another version of the suite (000000000000, now " in caught.value.message
    assert suite.digest[:12] in caught.value.message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seeds", 2),
        ("seed", 7),
        ("conditions", ("clean",)),
        ("tasks", ("like-a",)),
        ("retries", 3),
        ("interruptions", 2),
    ],
)
def test_run_cannot_be_resumed_with_another_plan_and_the_difference_is_named(
    writer: RunWriter, plan: Plan, suite: Suite, name: str, value: object
) -> None:
    with pytest.raises(InputError, match=f"was planned with different {name}: "):
        check_plan(writer, plan.model_copy(update={name: value}), suite)


def test_results_of_virtual_and_real_devices_are_never_mixed(writer: RunWriter) -> None:
    check_environment(writer, VIRTUAL)
    with pytest.raises(InputError, match="was recorded on a virtual device, and this one is real"):
        check_environment(writer, Environment(kind=DeviceKind.REAL))


def test_run_is_only_resumed_on_a_matching_device(writer: RunWriter) -> None:
    device = Environment(kind=DeviceKind.VIRTUAL, model="Pixel 8", size="1080x2400", fingerprint="a/b")
    started = recorded_on(writer, device)
    check_environment(started, device.model_copy(update={"serial": "another"}))
    with pytest.raises(InputError, match="with another size: 1080x2400, now 720x1280"):
        check_environment(started, device.model_copy(update={"size": "720x1280"}))
    with_apps = recorded_on(writer, device.model_copy(update={"app_files": "aa11"}))
    with pytest.raises(InputError, match="was started with other app files"):
        check_environment(with_apps, device.model_copy(update={"app_files": ""}))


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        ("aa11", "bb22", "an APK with the SHA-256 aa11, now an APK with the SHA-256 bb22"),
        ("", "bb22", "the one in virtual phones, now an APK with the SHA-256 bb22"),
        ("aa11", "", "an APK with the SHA-256 aa11, now the one in virtual phones"),
    ],
)
def test_run_with_interruptions_is_only_resumed_with_the_same_companion_app(
    writer: RunWriter, plan: Plan, before: str, now: str, message: str
) -> None:
    device = Environment(companion=before)
    other = Environment(companion=now)
    started = recorded_on(writer, device)
    check_environment(started, device)
    with pytest.raises(InputError, match=f"another build of the companion app: {message}") as caught:
        check_environment(started, other)
    assert "Resume it with GaraBench 0.1.0, which started it," in caught.value.hint
    clean = plan.model_copy(update={"conditions": ("clean",)})
    check_environment(recorded_on(writer, device, clean), other)  # no interruptions, no companion app


def test_run_that_does_not_record_the_companion_app_is_resumed(writer: RunWriter) -> None:
    check_environment(recorded_on(writer, Environment()), Environment(companion="aa11"))


def test_run_is_resumed_with_the_shard_with_which_it_began(writer: RunWriter) -> None:
    assert resumed_shard(writer, None) == WHOLE
    assert resumed_shard(writer, Shard(2, 3)) == Shard(2, 3)  # an older version recorded none
    now = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    log = CampaignLog(writer.folder)
    log.append(RunBegun(time=now, planned=4, shard="3/4", worker="merged"))
    log.append(RunBegun(time=now, planned=4, shard="1/2"))
    assert resumed_shard(writer, None) == resumed_shard(writer, Shard(1, 2)) == Shard(1, 2)
    for other in (Shard(2, 2), WHOLE):
        with pytest.raises(InputError, match=f"was started with --shard 1/2, not {other}"):
            resumed_shard(writer, other)
