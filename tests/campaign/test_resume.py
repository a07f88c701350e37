from __future__ import annotations

import pytest

from garabench.campaign.resume import check_environment, check_plan
from garabench.errors import InputError
from garabench.records.environment import DeviceKind, Environment
from garabench.records.plan import Plan
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.small_suite import VIRTUAL, run_file


def on(writer: RunWriter, device: Environment, plan: Plan | None = None) -> RunWriter:
    """The run, as if it had been begun on this device."""
    return RunWriter(writer.folder, run_file(plan or writer.file.plan, writer.file.suite_hash, device))


def test_the_same_plan_and_suite_may_be_resumed(writer: RunWriter, plan: Plan, suite: Suite) -> None:
    check_plan(RunWriter.open(writer.folder), plan, suite)


def test_another_suite_may_not(writer: RunWriter, plan: Plan, suite: Suite) -> None:
    other = RunWriter(writer.folder, run_file(plan, "0" * 64))
    with pytest.raises(InputError) as caught:
        check_plan(other, plan, suite)
    assert "was made with another version of the suite (000000000000, now " in caught.value.message
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
def test_another_plan_may_not_and_the_difference_is_named(
    writer: RunWriter, plan: Plan, suite: Suite, name: str, value: object
) -> None:
    with pytest.raises(InputError, match=f"was planned with different {name}: "):
        check_plan(writer, plan.model_copy(update={name: value}), suite)


def test_results_of_the_two_kinds_of_device_are_never_mixed(writer: RunWriter) -> None:
    check_environment(writer, VIRTUAL)
    with pytest.raises(InputError, match="was made on a virtual device, and this is a real one"):
        check_environment(writer, Environment(kind=DeviceKind.REAL))


def test_a_run_is_resumed_on_a_device_like_the_one_before(writer: RunWriter) -> None:
    device = Environment(kind=DeviceKind.VIRTUAL, model="Pixel 8", size="1080x2400", fingerprint="a/b")
    begun = on(writer, device)
    check_environment(begun, device.model_copy(update={"serial": "another"}))
    with pytest.raises(InputError, match="of another size: 1080x2400, now 720x1280"):
        check_environment(begun, device.model_copy(update={"size": "720x1280"}))


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("aa11", "bb22", "an APK with the SHA-256 aa11, now an APK with the SHA-256 bb22"),
        ("", "bb22", "the one built into a virtual phone, now an APK with the SHA-256 bb22"),
        ("aa11", "", "an APK with the SHA-256 aa11, now the one built into a virtual phone"),
    ],
)
def test_a_run_with_interruptions_is_resumed_with_the_same_companion_app_only(
    writer: RunWriter, plan: Plan, before: str, now: str, said: str
) -> None:
    device = Environment(companion=before)
    other = Environment(companion=now)
    begun = on(writer, device)
    check_environment(begun, device)
    with pytest.raises(InputError, match=f"another build of the companion app: {said}") as caught:
        check_environment(begun, other)
    assert "Resume it with the GaraBench that began it, 0.1.0," in caught.value.hint
    clean = plan.model_copy(update={"conditions": ("clean",)})
    check_environment(on(writer, device, clean), other)  # it shows none


def test_a_run_that_does_not_record_the_companion_app_is_resumed(writer: RunWriter) -> None:
    check_environment(on(writer, Environment()), Environment(companion="aa11"))
