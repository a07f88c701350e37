from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import garabench
from tests.cases import every_case

PUBLIC = [
    "Agent",
    "AgentError",
    "Brief",
    "Budget",
    "BudgetExceededError",
    "Comparison",
    "ComputedReplies",
    "Condition",
    "Decision",
    "Device",
    "DeviceError",
    "Episode",
    "FakeModelServer",
    "FaultKind",
    "GaraError",
    "InputError",
    "ModelError",
    "ModelOptions",
    "Observation",
    "Plan",
    "PlannedFault",
    "Proof",
    "RecordError",
    "Run",
    "ScriptedReplies",
    "Selector",
    "Suite",
    "Turn",
    "UiTree",
    "Usage",
    "VirtualPhone",
    "actions",
    "check",
    "compare",
    "find",
    "load_run",
    "make_plan",
    "prove",
    "read_script",
    "run",
    "run_episode",
]


def test_the_public_interface_is_this_list() -> None:
    assert garabench.__all__ == PUBLIC
    assert dir(garabench) == PUBLIC


@every_case("name", PUBLIC)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(garabench, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        garabench.nope  # noqa: B018


def test_importing_it_loads_neither_devices_nor_pictures() -> None:
    heavy = ("adbutils", "uiautomator2", "PIL", "lxml", "yaml", "click")
    code = f"import sys, garabench; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_its_types_are_for_others_too() -> None:
    assert (Path(garabench.__file__).parent / "py.typed").is_file()


def test_a_folder_may_be_given_as_a_string(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    folder = str(tmp_path / "empty")
    plan = garabench.make_plan(garabench.Suite.load().select("jd"), ("dismiss",), limit=1)
    calls = [
        lambda: garabench.Suite.load(folder),
        lambda: garabench.check(folder),
        lambda: garabench.load_run(folder),
        lambda: garabench.compare(folder),
        lambda: garabench.run(plan, folder, resume=True),
    ]
    for call in calls:
        with pytest.raises(garabench.InputError):
            call()
