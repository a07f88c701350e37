"""The five checks on the virtual phone, with agents that make one mistake each."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from garabench.agentcheck.board import PACKAGE
from garabench.agentcheck.check_agent import check_agent, checkable
from garabench.agentcheck.check_results import (
    AgentCheckReport,
    BoardCheckGrade,
    BoardCheckKind,
    BoardCheckResult,
)
from garabench.agentcheck.coordinate_diagnosis import CoordinateConfusion
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.errors import CommandError, InputError
from garabench.suite.suite import Suite
from tests.agentcheck import board_agents as agents
from tests.bundled import bundled_suite
from tests.phones import PhonePool

pytestmark = pytest.mark.e2e
SMALL = "android-34:720x1280"


@pytest.fixture(scope="module")
def device(phone_pool: PhonePool) -> Iterator[Device]:
    with phone_pool.borrow(SMALL) as phone:
        connected = Device.connect(phone.serial, SystemClock())
        yield connected
        connected.close()


@pytest.fixture(scope="module")
def suite() -> Suite:
    return bundled_suite()


def run(
    device: Device,
    suite: Suite,
    folder: Path,
    agent: type[agents.BoardAgent],
    *only: BoardCheckKind,
    taps: int = 40,
    language: str = "en",
) -> AgentCheckReport:
    interruption = suite.interruptions["low-battery"]
    return check_agent(
        device,
        agent,
        agent.name,
        folder,
        interruption,
        only=only or tuple(BoardCheckKind),
        taps=taps,
        language=language,
    )


def one(checked: AgentCheckReport) -> BoardCheckResult:
    (finding,) = checked.findings
    return finding


@pytest.mark.parametrize(("language", "taps"), [("en", 40), ("zh", 6)])
def test_a_good_agent_passes_all_five(
    device: Device, suite: Suite, tmp_path: Path, language: str, taps: int
) -> None:
    expected: list[BoardCheckResult] = []
    checked = check_agent(
        device,
        agents.BoardAgent,
        "good",
        tmp_path,
        suite.interruptions["low-battery"],
        language=language,
        taps=taps,
        on_result=expected.append,
    )
    assert [finding.grade for finding in checked.findings] == [BoardCheckGrade.PASSED] * 5
    assert tuple(expected) == checked.findings
    assert checked.passed
    assert len({pair.number for pair in checked.pairs}) == len(checked.pairs) == taps
    assert max(pair.error for pair in checked.pairs) <= 1
    assert checked.picture is not None
    assert Image.open(io.BytesIO(checked.picture.read_bytes())).format == "PNG"
    assert checked.as_json()["passed"] is True
    assert PACKAGE not in device.observe(0).tree.packages


@pytest.mark.parametrize(
    ("agent", "confusion", "words"),
    [
        (agents.Thousandths, CoordinateConfusion.THOUSANDTHS_AS_PIXELS, "0-1000 used as pixels"),
        (agents.Swapped, CoordinateConfusion.SWAPPED, "x and y are swapped"),
        (agents.Shrunk, CoordinateConfusion.SCALED, "resized by 0.52"),
        (agents.BelowTheBar, CoordinateConfusion.OFFSET_TOP, "status bar"),
    ],
)
def test_confused_coordinates_are_named(
    device: Device,
    suite: Suite,
    tmp_path: Path,
    agent: type[agents.BoardAgent],
    confusion: CoordinateConfusion,
    words: str,
) -> None:
    checked = run(device, suite, tmp_path, agent, BoardCheckKind.TAPS, taps=9)
    assert checked.diagnosis is not None
    assert checked.diagnosis.confusion is confusion
    assert words in one(checked).text
    assert not checked.passed
    assert (tmp_path / "taps.png").is_file()


def test_text_that_does_not_arrive_is_reported_by_kind(device: Device, suite: Suite, tmp_path: Path) -> None:
    finding = one(run(device, suite, tmp_path, agents.Clumsy, BoardCheckKind.TEXT))
    assert finding.grade is BoardCheckGrade.FAILED
    assert [detail.partition(":")[0] for detail in finding.details] == [
        "Chinese",
        "spaces and an emoji",
        "a line break",
    ]
    assert "the field contains 'two  words '" in finding.details[1]


def test_scrolling_the_wrong_way_fails(device: Device, suite: Suite, tmp_path: Path) -> None:
    finding = one(run(device, suite, tmp_path, agents.Inverse, BoardCheckKind.SCROLL))
    assert finding.grade is BoardCheckGrade.FAILED
    assert "wrong way" in finding.text


def test_an_agent_that_never_ends_fails(device: Device, suite: Suite, tmp_path: Path) -> None:
    finding = one(run(device, suite, tmp_path, agents.NeverDone, BoardCheckKind.DONE))
    assert finding.grade is BoardCheckGrade.FAILED
    assert finding.text == "never reports that it is done: its last action was wait"


def test_an_agent_that_ignores_the_interruption_fails(device: Device, suite: Suite, tmp_path: Path) -> None:
    finding = one(run(device, suite, tmp_path, agents.Blind, BoardCheckKind.INTERRUPTION))
    assert finding.grade is BoardCheckGrade.FAILED
    assert "not answered in 5 steps" in finding.text


@pytest.mark.parametrize(
    ("agent", "words"), [(agents.Broken, "ValueError: no such model"), (agents.Nonsense, "not Decision")]
)
def test_an_agent_that_raises_fails_each_episode(
    device: Device, suite: Suite, tmp_path: Path, agent: type[agents.BoardAgent], words: str
) -> None:
    checked = run(device, suite, tmp_path, agent, taps=1)
    assert {finding.grade for finding in checked.findings} == {BoardCheckGrade.FAILED}
    assert all(words in finding.text or words in " ".join(finding.details) for finding in checked.findings)
    assert checked.picture is None


def test_a_device_without_the_board_is_reported(device: Device, suite: Suite, tmp_path: Path) -> None:
    device.adb.shell(["pm", "uninstall", PACKAGE])
    with pytest.raises(CommandError, match=f"does not have the target board {PACKAGE}"):
        run(device, suite, tmp_path, agents.BoardAgent)


def test_a_reference_agent_has_no_wiring() -> None:
    with pytest.raises(InputError, match="follows a task's solution"):
        checkable("dismiss")
    with pytest.raises(InputError, match="unknown agent"):
        checkable("dismis")
