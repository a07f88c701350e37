"""The public API: its names, documentation, types and import time dependencies."""

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
    "Diagnosis",
    "Episode",
    "ExportFormat",
    "FakeModelServer",
    "FaultKind",
    "GaraError",
    "GraphAnalysis",
    "InputError",
    "JudgeOptions",
    "JudgeResult",
    "ModelError",
    "ModelOptions",
    "Observation",
    "Plan",
    "PlannedFault",
    "Proof",
    "RecordError",
    "RecoveryPolicy",
    "Run",
    "RunDiagnosis",
    "ScriptedReplies",
    "Selector",
    "Suite",
    "TrajectoryVerdict",
    "Turn",
    "UiTree",
    "Usage",
    "VirtualPhone",
    "actions",
    "build_graphs",
    "check",
    "compare",
    "diagnose",
    "export_run",
    "find",
    "import_run",
    "load_run",
    "make_plan",
    "merge_runs",
    "open_bundle",
    "propose_goal",
    "propose_rule",
    "prove",
    "read_app",
    "read_script",
    "recorded_screens",
    "replay_rules",
    "run",
    "run_episode",
    "verify",
    "write_bundle",
    "write_report",
]


def test_public_names_are_listed() -> None:
    assert garabench.__all__ == PUBLIC
    assert dir(garabench) == PUBLIC


@every_case("name", PUBLIC)
def test_public_names_are_documented(name: str) -> None:
    assert getattr(garabench, name).__doc__


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        garabench.nope  # noqa: B018


def test_import_loads_no_heavy_modules() -> None:
    heavy = ("adbutils", "uiautomator2", "PIL", "lxml", "yaml", "click")
    code = f"import sys, garabench; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_package_is_typed() -> None:
    assert (Path(garabench.__file__).parent / "py.typed").is_file()


def test_folders_can_be_strings(tmp_path: Path) -> None:
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
