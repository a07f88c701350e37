"""The goal's conditions and the task's rules on a recorded screen, each with what was found and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from pydantic import BaseModel

from garabench.core.condition import AllOf, AnyOf, Condition, Earlier, parts_of
from garabench.core.earlier_screens import EarlierScreens
from garabench.core.evaluate import EarlierVerdict, evaluate
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.tree import UiTree
from garabench.records.recorded_screen import RecordedScreen
from garabench.report.viewer.clipping import clip
from garabench.rules.explain import Clause, explain_rule
from garabench.suite.suite import Suite, SuiteTask

_MAX_EVIDENCE = 50
_STATES = (
    "clickable",
    "long_clickable",
    "checkable",
    "checked",
    "selected",
    "focused",
    "scrollable",
    "password",
)


def goal_conditions(
    item: SuiteTask, screen: RecordedScreen, answer: str | None, before: Sequence[RecordedScreen | None] = ()
) -> list[dict[str, Any]]:
    """Evaluate a task's goal, and its harm if it has one, on a recorded screen.

    Args:
        item: The task.
        screen: The screen.
        answer: The agent's answer, if it has been given on this screen.
        before: The screens before it; None for one that cannot be read.
    """
    facts = RecordedFacts(screen.tree, screen.focus, answer)
    earlier = _earlier_of_each(item, [*before, screen])[-1].verdict
    places = {id(node): place for place, node in enumerate(screen.tree.nodes)}
    goals = [("goal", item.goal)] + ([("harm", item.harm)] if item.harm is not None else [])
    return [
        {"role": role, "id": goal.id, **_condition(goal.condition, facts, places, earlier)}
        for role, goal in goals
    ]


def _earlier_of_each(item: SuiteTask, screens: Sequence[RecordedScreen | None]) -> list[EarlierScreens]:
    """Return for each screen of an episode what has held on the screens before; the first does not count."""
    conditions = [goal.condition for goal in (item.goal, item.harm) if goal is not None]
    found = [EarlierScreens.before(conditions)]
    for place, screen in enumerate(screens[:-1]):
        latest = found[-1]
        if place > 0 and screen is not None:
            # What an action led to is observed at the beginning of the next step.
            latest = latest.after(RecordedFacts(screen.tree, screen.focus), place - 1)
        found.append(latest)
    return found


def _condition(
    condition: Condition, facts: RecordedFacts, places: dict[int, int], earlier: EarlierVerdict
) -> dict[str, Any]:
    name = next(field.alias or key for key, field in type(condition).model_fields.items())
    if not facts.tree.nodes:
        reason = "the tree of the screen has no elements"
        return {"name": name, "holds": None, "reason": reason, "evidence": [], "parts": []}
    verdict = evaluate(condition, facts, earlier)
    # What is inside an `earlier` is not evaluated on this screen.
    parts = () if isinstance(condition, Earlier) else parts_of(condition)
    return {
        "name": name,
        "holds": verdict.holds,
        "reason": clip(verdict.reason),
        "evidence": [places[id(node)] for node in verdict.evidence[:_MAX_EVIDENCE] if id(node) in places],
        "parts": [_condition(each, facts, places, earlier) for each in parts],
    }


def goal_trace(
    item: SuiteTask, screens: Sequence[RecordedScreen | None], answer: str | None
) -> list[dict[str, Any]]:
    """Evaluate each single condition of a task's goal, and of its harm, on every screen of an episode.

    Args:
        item: The task.
        screens: The screens; None for one that cannot be read.
        answer: The agent's answer, which was given on the last screen.
    """
    facts = [
        None if screen is None else RecordedFacts(screen.tree, screen.focus, answer if last else None)
        for screen, last in zip(screens, [*[False] * (len(screens) - 1), True], strict=True)
    ]
    goals = [("goal", item.goal)] + ([("harm", item.harm)] if item.harm is not None else [])
    earlier = [each.verdict for each in _earlier_of_each(item, screens)]
    return [
        {
            "role": role,
            "condition": clip(_as_yaml(condition), 300),
            "holds": [
                None if each is None else evaluate(condition, each, before).holds
                for each, before in zip(facts, earlier, strict=True)
            ],
        }
        for role, goal in goals
        for condition in _single_conditions(goal.condition)
    ]


def _single_conditions(condition: Condition) -> Iterator[Condition]:
    match condition:
        case AllOf():
            parts: Sequence[Condition] = condition.all
        case AnyOf():
            parts = condition.any
        case _:  # a `not` or `earlier` is one line, as it is read
            yield condition
            return
    for part in parts:
        yield from _single_conditions(part)


def _as_yaml(condition: BaseModel) -> str:
    data = condition.model_dump(by_alias=True, exclude_unset=True, mode="json")
    text: str = yaml.safe_dump(
        data, default_flow_style=True, allow_unicode=True, sort_keys=False, width=1_000_000
    )
    return text.strip().removeprefix("{").removesuffix("}")


def rule_matches(item: SuiteTask, suite: Suite, screen: RecordedScreen) -> list[dict[str, Any]]:
    """Explain for each rule of a task whether it fires on a recorded screen, and why."""
    found = []
    for bound in suite.rules_of(item):
        name = bound.rule.id
        since = screen.actions_since(name)
        facts = RecordedFacts(screen.tree, screen.focus)
        result = explain_rule(bound, facts, screen.step, fired=name in screen.fired, actions=since)
        found.append(
            {
                "rule": name,
                "fires": result.fires,
                "probability": result.probability,
                "injected": screen.injected == name,
                "parts": [_clause(part) for part in result.parts],
            }
        )
    return found


def _clause(part: Clause) -> dict[str, Any]:
    text = part.reason
    if (share := part.keywords) is not None:
        missing = f"; missing: {', '.join(share.missing)}" if share.missing else ""
        text = f"{text}; {share.share:.0%} found, needs {share.threshold:.0%}{missing}"
    return {
        "name": part.name if part.needed == "all" else f"or {part.name}",
        "holds": part.holds,
        "reason": clip(text),
        "evidence": [],
        "parts": [_clause(each) for each in part.parts],
    }


def tree_data(tree: UiTree) -> list[dict[str, Any]]:
    """Return the nodes of a tree in its order, as JSON-compatible data without empty values."""
    depths: dict[int, int] = {}
    rows = []
    for node in tree.nodes:
        parent = tree.parent_of(node)
        depth = 0 if parent is None else depths[id(parent)] + 1
        depths[id(node)] = depth
        box = node.bounds
        row: dict[str, Any] = {
            "depth": depth,
            "class": clip(node.cls.rpartition(".")[2], 100),
            "bounds": [box.left, box.top, box.right, box.bottom],
        }
        texts = {"id": node.entry, "text": node.text, "desc": node.desc, "hint": node.hint}
        row |= {name: clip(text, 500) for name, text in texts.items() if text}
        if parent is None:
            row["package"] = clip(node.package, 200)
        states = (
            "clickable",
            "long_clickable",
            "checkable",
            "checked",
            "selected",
            "focused",
            "scrollable",
            "password",
        )
        flags = [state.replace("_", " ") for state in states if getattr(node, state)]
        flags += [text for text, on in (("disabled", node.enabled), ("invisible", node.visible)) if not on]
        if flags:
            row["flags"] = flags
        rows.append(row)
    return rows
