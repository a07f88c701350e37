"""Fixtures of a small suite and its records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from garabench.agents.registry import resolve_all
from garabench.campaign.planner import recorded_agents
from garabench.core import events as ev
from garabench.episode.spec import EpisodeSpec
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.plan import Plan
from garabench.records.run_file import RunFile
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.suite.written_suite import FILES, Write

VIRTUAL = Environment(kind=DeviceKind.VIRTUAL)
_TASK = """
  - id: like-{name}
    instruction: {{en: Like {name}}}
    goal: {{use: liked, with: {{title: {name}}}}}
    rules: [battery]
    max_steps: 5
    solution:
      - tap: {{id: like}}
"""
_GOALS = """
app: com.example.reader
goals:
  - id: liked
    description: The page is liked
    params: {title: {description: Which page}}
    holds: {exists: {text: "{title}"}}
"""
_RULES = """
app: com.example.reader
rules:
  - id: battery
    description: On every page
    when: {all: [{exists: {id: like}}]}
    inject: low-battery
"""
_INTERRUPTIONS = """
interruptions:
  - id: low-battery
    description: The battery runs low
    category: resource
    title: {en: Low battery}
    message: {en: Save power}
    buttons:
      - {key: accept, role: accept, label: {en: Save}}
"""


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Four tasks of one app with one rule."""
    root = tmp_path_factory.mktemp("suite")
    tasks = "app: com.example.reader\ntasks:" + "".join(_TASK.format(name=name) for name in "abcd")
    files = {
        "tasks/reader.yaml": tasks,
        "goal_schemas/reader.yaml": _GOALS,
        "rules/reader.yaml": _RULES,
        "rules/interruptions.yaml": _INTERRUPTIONS,
    }
    for name, text in files.items():
        path: Path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Suite.load(root)


@pytest.fixture
def plan(suite: Suite) -> Plan:
    """A plan of every task, once clean and once interrupted."""
    return Plan(tasks=tuple(suite.tasks), agents=("dismiss",), conditions=("clean", "dual"), retries=1)


def run_file(
    plan: Plan, suite_hash: str = "s" * 64, device: Environment = VIRTUAL, garabench: str = "0.1.0"
) -> RunFile:
    """Make the run file of a plan, with its agents resolved."""
    return RunFile(
        garabench=garabench,
        plan=plan,
        agents=recorded_agents(plan, resolve_all(plan.agents)),
        suite_hash=suite_hash,
        device=device,
    )


@pytest.fixture
def writer(tmp_path: Path, plan: Plan, suite: Suite) -> RunWriter:
    """The writer of a new run."""
    return RunWriter.create(tmp_path / "run", run_file(plan, suite.digest))


Outcome = Literal["success", "failure", "error"]
Record = Callable[[Path, EpisodeSpec, Outcome], ev.EpisodeEnded]


@pytest.fixture(scope="session")
def record() -> Record:
    """Return a function that writes the record of an episode with an outcome."""
    reasons = {"success": "goal_met", "failure": "step_limit", "error": "fault"}

    def write(
        folder: Path, spec: EpisodeSpec, outcome: Outcome, device: dict[str, object] | None = None
    ) -> ev.EpisodeEnded:
        start = ev.EpisodeStarted(
            step=0,
            t=0,
            task=spec.task.id,
            agent=spec.agent,
            condition=spec.condition,
            seed=spec.seed,
            suite_hash=spec.suite_hash,
            instruction="Like it",
            device=device or {},
        )
        end = ev.EpisodeEnded.model_validate(
            {"step": 1, "t": 9, "outcome": outcome, "reason": reasons[outcome], "steps": 2}
        )
        with EpisodeWriter(folder / spec.folder) as recorder:
            recorder.append([start, end])
        return end

    return write


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return a function that writes the small suite, with one text replaced in one file."""
    monkeypatch.chdir(tmp_path)

    def to_disk(file: str = "", old: str = "", new: str = "") -> Path:
        for name, text in FILES.items():
            assert name != file or text.count(old) >= 1
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text.replace(old, new, 1) if name == file else text, "utf-8")
        return tmp_path

    return to_disk
