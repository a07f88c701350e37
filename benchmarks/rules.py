"""A thousand rules against one screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.report import Measure, median_ms
from garabench.core.condition import fold
from garabench.core.observation import Focus
from garabench.core.rule import BoundRule, Rule
from garabench.core.tree import UiNode, UiTree
from garabench.rules.engine import RuleEngine

APP = "com.example.app"


class Screen:
    """Facts of one screen."""

    answer = None

    def __init__(self, nodes: int) -> None:
        """Build a screen with this number of nodes, each with a distinct text."""
        children = tuple(
            UiNode(text=f"第 {i} 行 item {i} of the list", resource_id=f"{APP}:id/item_{i}", package=APP)
            for i in range(nodes - 1)
        )
        self.tree = UiTree((UiNode(package=APP, children=children),))
        self.focus = Focus(APP, f"{APP}.Main")

    def setting(self, namespace: str, key: str) -> str | None:
        """Return None: unknown."""
        return None

    def package_state(self, package: str, state: str) -> bool | None:
        """Return None: unknown."""
        return None

    def content(self, uri: str) -> str | None:
        """Return None: unknown."""
        return None


def _keywords(*words: str) -> dict[str, Any]:
    return {"keywords": {"of": list(words), "threshold": 0.5}}


def _four_words(i: int) -> list[dict[str, Any]]:
    return [_keywords("list", f"absent {i}", f"missing {i}", f"不在 {i}")]


# By kind: the conditions of a rule, the last of which always fails, and the limit of a decision in ms.
_KINDS: dict[str, tuple[Callable[[int], list[dict[str, Any]]], float | None]] = {
    "keywords that hold, then an id": (
        lambda i: [_keywords("list", f"absent {i}"), {"exists": {"id": f"none_{i}"}}],
        10,
    ),
    "ids": (lambda i: [{"exists": {"id": f"none_{i}"}}], 10),
    "texts": (lambda i: [{"exists": {"text": f"none {i}"}}], 10),
    "nested keywords": (lambda i: [{"any": _four_words(i)}], 10),
    "40 keywords": (lambda i: [_keywords(*(f"absent {i} {k}" for k in range(40)))], 10),
    "parts of texts": (lambda i: [{"exists": {"text_contains": f"none {i}"}}], 50),
    "XPath": (lambda i: [{"exists": {"xpath": f"//node[@text='none {i}']"}}], None),
}


def rules(count: int, parts: Callable[[int], list[dict[str, Any]]] = _four_words) -> list[BoundRule]:
    """Return rules none of which fires.

    Args:
        count: Number of rules.
        parts: Returns the conditions of the rule with this number; four keywords by default.
    """
    bound = []
    for i in range(count):
        data = {
            "id": f"rule-{i}",
            "description": "never fires here",
            "inject": "x",
            "when": {"all": parts(i)},
        }
        bound.append(BoundRule(Rule.model_validate(data), APP))
    return bound


def decision_ms(bound: list[BoundRule], nodes: int, times: int) -> float:
    """Return the milliseconds of a decision on a new screen, as at each step of an episode."""
    engine = RuleEngine(bound, seed=0, episode="bench")
    screens = [Screen(nodes) for _ in range(times)]
    for screen in screens:
        len(screen.tree.nodes)  # the runner has walked the tree before to settle
    if engine.decide(Screen(nodes), 0) is not None:
        raise AssertionError("a rule fired; the benchmark must evaluate the whole set")
    remaining = iter(screens)
    return median_ms(lambda: engine.decide(next(remaining), 0), times)


def scan(bound: list[BoundRule], screen: Screen) -> int:
    """Search for each keyword of each rule in each text: the naive algorithm."""
    texts = [fold(node.text) for node in screen.tree.nodes if node.text]
    hits = 0
    for each in bound:
        for part in each.rule.when.all:
            words = part.keywords.of  # type: ignore[union-attr]
            hits += sum(any(fold(word) in text for text in texts) for word in words) >= len(words) / 2
    return hits


def measure_matching(*, count: int = 1000, nodes: int = 400, times: int = 20) -> list[Measure]:
    """Measure the engine's decision and the naive scan."""
    bound, screen = rules(count), Screen(nodes)
    if scan(bound, screen):
        raise AssertionError("a rule fired; the benchmark must evaluate the whole set")
    indexed = decision_ms(bound, nodes, times)
    scanned = median_ms(lambda: scan(bound, screen), max(1, times // 10))
    return [
        Measure(f"{count} rules, {nodes} nodes", indexed, "ms", 10),
        Measure("naive scan over the index", scanned / indexed, "x", note=f"{scanned:.0f} ms"),
        *(
            Measure(
                f"{count} rules of {kind}",
                decision_ms(rules(count, parts), nodes, max(3, times // 4)),
                "ms",
                limit,
            )
            for kind, (parts, limit) in _KINDS.items()
        ),
    ]
