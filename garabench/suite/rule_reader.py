"""Read the rules of a suite, and resolve what they inject and which tasks name them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from garabench.core.anomalies.catalog import ANOMALIES, NOT_OFFERED
from garabench.core.rule import BoundRule, Rule, RuleFile
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.suite.borrowing import Borrowed
from garabench.suite.files import ParsedFile, SuiteFiles, holds_interruptions
from garabench.suite.symbols import SymbolTable


def rule_files(files: SuiteFiles) -> Sequence[ParsedFile[Rule]]:
    """Return the usable content of the files with rules."""
    return files.each("rules", RuleFile, "rules", Rule, lambda path: not holds_interruptions(path))


def read_rules(
    names: SymbolTable, borrowed: Borrowed, interruptions: set[str] | None = None
) -> dict[str, BoundRule]:
    """Read the rules.

    Args:
        names: Where they are registered; collects the mistakes.
        borrowed: What is used of the built-in suite, which the result contains.
        interruptions: The interruptions that they may inject; None to accept any.
    """
    rules: dict[str, BoundRule] = dict(borrowed.rules)
    for file in rule_files(names.files):
        for place, rule in file.entries:
            if names.register("rule", rule.id, file.doc, ("rules", place)):
                rules[rule.id] = BoundRule(rule, names.app(rule.app or file.app))
                _resolve_injected(names, rule.inject, interruptions, file.doc, place)
        names.register_faulty("rule", "rules", file)
        for place, entry in file.faulty:
            named = entry.get("inject")
            _resolve_injected(
                names, [named] if isinstance(named, str) else named, interruptions, file.doc, place
            )
    return rules


def _resolve_injected(
    symbols: SymbolTable, names: Any, interruptions: set[str] | None, doc: YamlDoc, rule: int
) -> None:
    """Resolve the interruptions that a rule injects."""
    if interruptions is None:
        return
    for number, name in enumerate(names if isinstance(names, list | tuple) else ()):
        if isinstance(name, str):
            at = ("rules", rule, "inject", number)
            symbols.resolve("interruption", name, interruptions, doc, at, hint=_declaration_hint(name))


def resolve_rules_of_task(
    symbols: SymbolTable, names: Any, app: str, rules: Mapping[str, BoundRule], doc: YamlDoc, at: DocPath
) -> None:
    """Resolve the rules that a task names.

    Args:
        symbols: Collects the mistakes.
        names: The names as written.
        app: The task's app.
        rules: The suite's rules.
        doc: The document.
        at: Location of the task.
    """
    for number, name in enumerate(names if isinstance(names, list | tuple) else ()):
        where = (*at, "rules", number)
        if isinstance(name, str) and symbols.resolve("rule", name, rules, doc, where):
            owner = rules[name].app
            if app and owner not in (app, "any"):
                symbols.errors.append(
                    doc.error(where, f"the rule {name!r} is for {owner}, the task for {app}")
                )


def _declaration_hint(name: str) -> str:
    """Return a hint at how to declare a system anomaly that a rule names directly; empty for other names."""
    if name in NOT_OFFERED:
        return f"There is no system anomaly {name}: {NOT_OFFERED[name]}."
    if name not in ANOMALIES:
        return ""
    described = json.dumps(ANOMALIES[name].description)
    return (
        f"{name} is a system anomaly. Declare it first, in rules/interruptions.yaml:\n"
        f"  anomalies: [{{id: {name}, description: {described}, system: {name}}}]"
    )
