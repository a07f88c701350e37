"""GaraBench measures how well GUI agents on Android cope with interruptions.

The names in ``__all__`` are the public API. Each is loaded on first use: importing the package opens nothing
and starts nothing.
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from garabench.agents.interface import Agent, Brief, Decision, Turn
    from garabench.agents.models.budget import Budget
    from garabench.agents.models.session import ModelOptions
    from garabench.agents.spec import AgentSpec
    from garabench.authoring.goal_proposal import propose_goal
    from garabench.authoring.rule_proposal import propose_rule
    from garabench.authoring.rule_replay import recorded_screens, replay_rules
    from garabench.campaign.device_recovery import DeviceRecoveryPolicy
    from garabench.campaign.episode_queue import Shard
    from garabench.campaign.planner import make_plan
    from garabench.campaign.run import run
    from garabench.campaign.single_episode import run_episode
    from garabench.core import action as actions
    from garabench.core.clock import Clock
    from garabench.core.condition import Condition
    from garabench.core.events import EpisodeEnded
    from garabench.core.observation import Observation
    from garabench.core.progress import Progress
    from garabench.core.selector import Selector, find
    from garabench.core.tree import UiTree
    from garabench.core.usage import Usage
    from garabench.device.device import Device
    from garabench.diagnosis.case_diagnosis import Diagnosis
    from garabench.diagnosis.loop import DiagnosisSettings
    from garabench.diagnosis.probe import Continuation
    from garabench.errors import (
        AgentError,
        BudgetExceededError,
        DeviceError,
        GaraError,
        InputError,
        ModelError,
        RecordError,
    )
    from garabench.export.export_run import ExportFormat, export_run
    from garabench.graph.analysis import GraphAnalysis, build_graphs
    from garabench.graph.consensus import GraphOptions
    from garabench.lint.suite_check import check_suite as check
    from garabench.probing.diagnose_run import DiagnosisBudget, RunDiagnosis
    from garabench.probing.diagnose_run import diagnose_run as diagnose
    from garabench.proof.findings import Proof
    from garabench.proof.prove import prove
    from garabench.records.bundle import BundledStore, open_bundle, write_bundle
    from garabench.records.episode import Episode
    from garabench.records.plan import Plan
    from garabench.records.reader import Run, load_run
    from garabench.records.results import Summary
    from garabench.records.run_merge import merge_runs
    from garabench.report.html_report import write_report
    from garabench.stats.comparison import Comparison, compare
    from garabench.suite.suite import Suite
    from garabench.testing.behaviour import ComputedReplies, ScriptedReplies, read_script
    from garabench.testing.faults import FaultKind, PlannedFault
    from garabench.testing.server import FakeModelServer
    from garabench.verifier.imports.imported_run import import_run
    from garabench.verifier.judge_budget import JudgeLimits
    from garabench.verifier.judge_runner import JudgeOptions, JudgeResult
    from garabench.verifier.pipeline import PipelineOptions
    from garabench.verifier.verdict import TrajectoryVerdict
    from garabench.verifier.verification import verify
    from garabench.virtual.app_files.app_loader import read_app
    from garabench.virtual.phone_process import VirtualPhone

logging.getLogger(__name__).addHandler(logging.NullHandler())

_MODULES = {
    "Agent": "agents.interface",
    "AgentError": "errors",
    "AgentSpec": "agents.spec",
    "Brief": "agents.interface",
    "Budget": "agents.models.budget",
    "BudgetExceededError": "errors",
    "BundledStore": "records.bundle",
    "Clock": "core.clock",
    "Comparison": "stats.comparison",
    "ComputedReplies": "testing.behaviour",
    "Condition": "core.condition",
    "Continuation": "diagnosis.probe",
    "Decision": "agents.interface",
    "Device": "device.device",
    "DeviceError": "errors",
    "DeviceRecoveryPolicy": "campaign.device_recovery",
    "Diagnosis": "diagnosis.case_diagnosis",
    "DiagnosisBudget": "probing.diagnose_run",
    "DiagnosisSettings": "diagnosis.loop",
    "Episode": "records.episode",
    "EpisodeEnded": "core.events",
    "ExportFormat": "export.export_run",
    "FakeModelServer": "testing.server",
    "FaultKind": "testing.faults",
    "GaraError": "errors",
    "GraphAnalysis": "graph.analysis",
    "GraphOptions": "graph.consensus",
    "InputError": "errors",
    "JudgeLimits": "verifier.judge_budget",
    "JudgeOptions": "verifier.judge_runner",
    "JudgeResult": "verifier.judge_runner",
    "ModelError": "errors",
    "ModelOptions": "agents.models.session",
    "Observation": "core.observation",
    "PipelineOptions": "verifier.pipeline",
    "Plan": "records.plan",
    "PlannedFault": "testing.faults",
    "Progress": "core.progress",
    "Proof": "proof.findings",
    "RecordError": "errors",
    "Run": "records.reader",
    "RunDiagnosis": "probing.diagnose_run",
    "ScriptedReplies": "testing.behaviour",
    "Selector": "core.selector",
    "Shard": "campaign.episode_queue",
    "Suite": "suite.suite",
    "Summary": "records.results",
    "TrajectoryVerdict": "verifier.verdict",
    "Turn": "agents.interface",
    "UiTree": "core.tree",
    "Usage": "core.usage",
    "VirtualPhone": "virtual.phone_process",
    "actions": "core.action:",
    "build_graphs": "graph.analysis",
    "check": "lint.suite_check:check_suite",
    "compare": "stats.comparison",
    "diagnose": "probing.diagnose_run:diagnose_run",
    "export_run": "export.export_run",
    "find": "core.selector",
    "import_run": "verifier.imports.imported_run",
    "load_run": "records.reader",
    "make_plan": "campaign.planner",
    "merge_runs": "records.run_merge",
    "open_bundle": "records.bundle",
    "propose_goal": "authoring.goal_proposal",
    "propose_rule": "authoring.rule_proposal",
    "prove": "proof.prove",
    "read_app": "virtual.app_files.app_loader",
    "read_script": "testing.behaviour",
    "recorded_screens": "authoring.rule_replay",
    "replay_rules": "authoring.rule_replay",
    "run": "campaign.run",
    "run_episode": "campaign.single_episode",
    "verify": "verifier.verification",
    "write_bundle": "records.bundle",
    "write_report": "report.html_report",
}
"""Module of each public name below `garabench`; ``module:name`` if its name differs there, ``module:`` if it
is the module itself."""

__all__ = [
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


def __getattr__(name: str) -> Any:
    target = _MODULES.get(name)
    if target is None:
        raise AttributeError(f"module 'garabench' has no attribute {name!r}")
    module_name, separator, original = target.partition(":")
    module = importlib.import_module(f"garabench.{module_name}")
    return module if separator and not original else getattr(module, original or name)


def __dir__() -> list[str]:
    return sorted(__all__)
