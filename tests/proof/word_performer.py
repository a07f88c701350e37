"""A fake performer: each screen is one word, and a tap on a word leads to its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from garabench.core.app_state import AppEffects
from garabench.core.goal import Goal, GoalSchema
from garabench.core.interruption import SystemInterruption
from garabench.core.observation import Focus
from garabench.core.rule import BoundRule, Rule
from garabench.core.steps import AnswerStep, DeviceStep, SolutionStep, TapStep
from garabench.core.task import Task
from garabench.core.tree import UiNode, UiTree
from garabench.errors import CommandError, DeviceLostError
from garabench.proof.findings import Proof, ProofCheck, Variant
from garabench.proof.path_performer import SOLUTION
from garabench.proof.prove_task import ProofResult, prove_task
from garabench.suite.suite import Suite, SuiteTask
from tests.suite.suites import interruption

APP = "com.example.reader"
NUMBERS = (ProofCheck.NEAR_MISS_KINDS, ProofCheck.RULE_KINDS)
ANOMALIES = {
    name: SystemInterruption(id=name, description="for a test", system=name)
    for name in ("battery-low", "rotation")
}


@dataclass
class Screen:
    """Facts of a screen with one text."""

    text: str
    answer: str | None
    focus: Focus | None = None

    @property
    def tree(self) -> UiTree:
        return UiTree((UiNode(package=APP, children=(UiNode(text=self.text, package=APP),)),))

    def setting(self, namespace: str, key: str) -> str | None:
        return None

    def package_state(self, package: str, state: str) -> bool | None:
        return None

    def content(self, uri: str) -> str | None:
        return None


@dataclass
class WordPerformer:
    """A fake performer; a tap on a word leads to the screen of that word."""

    first: str = "home"
    started_apps: list[str] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    changed: Mapping[str, tuple[AppEffects, ...]] = field(default_factory=dict)
    here: str = ""

    def begin(self, app: str, setup: Sequence[DeviceStep], path: str = SOLUTION) -> None:
        self.here = self.first
        self.started_apps.append(app)

    def facts(self, answer: str | None) -> Screen:
        return Screen(self.here, answer)

    def perform(self, step: SolutionStep) -> str:
        if isinstance(step, AnswerStep):
            return ""
        assert isinstance(step, TapStep)
        word = str(step.tap.text)
        if word == "refused":
            raise CommandError("the device refuses it")
        if word == "lost":
            raise DeviceLostError("it vanished")
        if word == "absent":
            return "text=absent is not on the screen"
        self.here = word
        return ""

    def height_dp(self) -> int | None:
        return 640

    def effects(self) -> tuple[AppEffects, ...]:
        return self.changed.get(self.here, ())

    def save_evidence(self, name: str) -> str:
        self.saved.append(f"{name}@{self.here}")
        return f"saved/{name}.png"


def taps(*words: str) -> list[dict[str, Any]]:
    return [{"answer": word[1:]} if word.startswith("=") else {"tap": {"text": word}} for word in words]


def prove(
    *solution: str,
    goal: dict[str, Any] | None = None,
    misses: Mapping[str, Sequence[str] | str] | None = None,
    rules: dict[str, dict[str, Any]] | None = None,
    performer: WordPerformer | None = None,
    **more: Any,
) -> Proof:
    return proved(*solution, goal=goal, misses=misses, rules=rules, performer=performer, **more).proof


def proved(
    *solution: str,
    goal: dict[str, Any] | None = None,
    misses: Mapping[str, Sequence[str] | str] | None = None,
    rules: dict[str, dict[str, Any]] | None = None,
    performer: WordPerformer | None = None,
    setup: Sequence[dict[str, Any]] = (),
    kinds: Sequence[str] = (),
    others: Mapping[str, Sequence[str] | str] | None = None,
    guards: Sequence[dict[str, Any]] = (),
    performers: Sequence[tuple[Variant, WordPerformer]] = (),
    task: Mapping[str, Any] | None = None,
) -> ProofResult:
    bound = {
        name: BoundRule(
            Rule.model_validate({"id": name, "description": "a rule", "inject": "x", **rule}), APP
        )
        for name, rule in (rules or {}).items()
    }
    data = {
        **(task or {}),
        "id": "task",
        "instruction": {"en": "do it"},
        "goal": {"use": "goal"},
        "rules": list(bound),
        "solution": taps(*solution),
        "setup": setup,
        "alternatives": [
            {"name": name, "answer": way} if isinstance(way, str) else {"name": name, "steps": taps(*way)}
            for name, way in (others or {}).items()
        ],
        "near_misses": [
            {
                "name": name,
                **({"answer": way} if isinstance(way, str) else {"steps": taps(*way)}),
                **({"kind": kinds[place]} if kinds else {}),
            }
            for place, (name, way) in enumerate((misses or {}).items())
        ],
    }
    condition = goal or {"exists": {"text": "end"}}
    item = SuiteTask(
        Task.model_validate(data), APP, "reader", Goal.model_validate({"id": "goal", "condition": condition})
    )
    schema = GoalSchema.model_validate(
        {
            "id": "goal",
            "description": "The goal",
            "holds": condition,
            "object": "the screen",
            "guards": guards,
        }
    )
    windows = {"x": interruption("x", category="network"), "y": interruption("y", category="resource")}
    suite = Suite({"task": item}, {"goal": schema}, bound, windows, "digest", None, anomalies=ANOMALIES)  # type: ignore[arg-type]
    return prove_task(item, suite, performers or [(Variant(), performer or WordPerformer())])


def bad(proof: Proof) -> list[tuple[ProofCheck, str, int | None, str]]:
    """Return the failures, except those about the number of near misses and rules."""
    return [(f.check, f.subject, f.step, f.reason) for f in proof.failures if f.check not in NUMBERS]


def when(word: str, **more: Any) -> dict[str, Any]:
    return {"when": {"all": [{"exists": {"text": word}}], **more.pop("when", {})}, **more}
