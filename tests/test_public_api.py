"""The public API: its names, documentation, types and import time dependencies."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import garabench
from tests.cases import every_case
from tests.report.written_runs import FOUR, picture, write_log, write_run

PUBLIC = [
    "Agent",
    "AgentError",
    "AgentSpec",
    "Brief",
    "Budget",
    "BudgetExceededError",
    "BundledStore",
    "Clock",
    "Comparison",
    "ComputedReplies",
    "Condition",
    "Continuation",
    "Decision",
    "Device",
    "DeviceError",
    "DeviceRecoveryPolicy",
    "Diagnosis",
    "DiagnosisBudget",
    "DiagnosisSettings",
    "Episode",
    "EpisodeEnded",
    "ExportFormat",
    "FakeModelServer",
    "FaultKind",
    "GaraError",
    "GraphAnalysis",
    "GraphOptions",
    "InputError",
    "JudgeLimits",
    "JudgeOptions",
    "JudgeResult",
    "ModelError",
    "ModelOptions",
    "Observation",
    "PipelineOptions",
    "Plan",
    "PlannedFault",
    "Progress",
    "Proof",
    "RecordError",
    "Run",
    "RunDiagnosis",
    "ScriptedReplies",
    "Selector",
    "Shard",
    "Suite",
    "Summary",
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
    calls: list[Callable[[], object]] = [
        lambda: garabench.Suite.load(folder),
        lambda: garabench.check(folder),
        lambda: garabench.load_run(folder),
        lambda: garabench.compare(folder),
        lambda: garabench.run(plan, folder, resume=True),
    ]
    for call in calls:
        with pytest.raises(garabench.InputError):
            call()


@every_case("name", [name for name in PUBLIC if inspect.isroutine(getattr(garabench, name))])
def test_paths_of_public_functions_are_typed_as_strings_too(name: str) -> None:
    for parameter in inspect.signature(getattr(garabench, name)).parameters.values():
        assert "Path" not in str(parameter.annotation) or "str" in str(parameter.annotation), parameter


@pytest.fixture(scope="module")
def strings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Paths as strings: of a run, its bundle, an app file, a script and a tree."""
    root = tmp_path_factory.mktemp("strings")
    writer = write_run(root / "run", FOUR)
    for summary in FOUR:
        write_log(writer, summary, screen=picture())
    garabench.write_bundle(garabench.load_run(root / "run"), str(root / "run.zip"))
    (root / "app.yaml").write_text(
        "package: org.example.notes\nname: Notes\nscreens:\n  main:\n    body: [{text: hi}]\n"
    )
    (root / "script.json").write_text('["done"]')
    (root / "tree.xml").write_text(
        '<hierarchy><node class="android.widget.TextView" bounds="[0,0][9,9]"/></hierarchy>'
    )
    names = {
        "run": "run",
        "bundle": "run.zip",
        "app": "app.yaml",
        "script": "script.json",
        "tree": "tree.xml",
    }
    return {"root": str(root)} | {name: str(root / file) for name, file in names.items()}


@every_case(
    "name, call",
    [
        ("load_run", lambda at, out: garabench.load_run(at["run"]).summaries),
        ("compare", lambda at, out: garabench.compare(at["run"])),
        ("open_bundle", lambda at, out: garabench.open_bundle(at["bundle"], f"{out}/opened").summaries),
        ("merge_runs", lambda at, out: garabench.merge_runs([at["run"]], f"{out}/merged").ended),
        ("recorded_screens", lambda at, out: list(garabench.recorded_screens(at["tree"]))),
        ("export_run", lambda at, out: garabench.export_run(at["run"], "csv", f"{out}/run.csv")),
        ("write_report", lambda at, out: garabench.write_report(at["run"], f"{out}/report.html")),
        ("build_graphs", lambda at, out: garabench.build_graphs(at["run"])),
        ("read_app", lambda at, out: garabench.read_app(at["app"])),
        ("read_script", lambda at, out: garabench.read_script(at["script"])),
    ],
)
def test_paths_can_be_strings(
    name: str, call: Callable[[dict[str, str], str], object], strings: dict[str, str], tmp_path: Path
) -> None:
    assert call(strings, str(tmp_path / name)), name


@every_case(
    "source, message",
    [("androidworld", "has no trajectory"), ("androidwold", "unknown source"), ("garabench", "not imported")],
)
def test_trajectories_are_imported_by_the_name_of_their_tool(
    source: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(garabench.InputError, match=message):
        garabench.import_run(str(tmp_path), source, str(tmp_path / "run"))


def test_prove_reports_what_opening_the_device_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(names: list[str], *args: object, on_message: Callable[[str], None], **more: object) -> None:
        on_message(f"{names[0]}: undone")
        raise garabench.DeviceError("gone")

    monkeypatch.setattr("garabench.proof.devices.open_devices", lost)
    messages: list[str] = []
    with pytest.raises(garabench.DeviceError, match="gone"):
        garabench.prove("jd-*", device="R58M", on_message=messages.append)
    assert messages == ["R58M: undone"]
