"""A thousand rules against one screen."""

from __future__ import annotations

from benchmarks.report import Measure, median_ms
from garabench.core.condition import fold
from garabench.core.observation import Focus
from garabench.core.rule import Rule
from garabench.core.tree import UiNode, UiTree
from garabench.rules.engine import BoundRule, RuleEngine

APP = "com.example.app"


class Screen:
    """Facts of one screen."""

    answer = None

    def __init__(self, nodes: int) -> None:
        """A screen of so many nodes, each with a text of its own."""
        children = tuple(
            UiNode(text=f"第 {i} 行 item {i} of the list", package=APP) for i in range(nodes - 1)
        )
        self.tree = UiTree((UiNode(package=APP, children=children),))
        self.focus = Focus(APP, f"{APP}.Main")

    def setting(self, namespace: str, key: str) -> str | None:
        """Unknown."""
        return None

    def package_state(self, package: str, state: str) -> bool | None:
        """Unknown."""
        return None

    def content(self, uri: str) -> str | None:
        """Unknown."""
        return None


def rules(count: int) -> list[BoundRule]:
    """Rules of four keywords each, of which none fires."""
    made = []
    for i in range(count):
        words = ["list", f"absent {i}", f"missing {i}", f"不在 {i}"]
        data = {
            "id": f"rule-{i}",
            "description": "never fires here",
            "inject": "x",
            "when": {"all": [{"keywords": {"of": words, "threshold": 0.5}}]},
        }
        made.append(BoundRule(Rule.model_validate(data), APP))
    return made


def scan(bound: list[BoundRule], screen: Screen) -> int:
    """The plain way: each keyword of each rule is looked for in each text."""
    texts = [fold(node.text) for node in screen.tree.nodes if node.text]
    hits = 0
    for each in bound:
        for part in each.rule.when.all:
            words = part.keywords.of  # type: ignore[union-attr]
            hits += sum(any(fold(word) in text for text in texts) for word in words) >= len(words) / 2
    return hits


def matching(*, count: int = 1000, nodes: int = 400, times: int = 20) -> list[Measure]:
    """The engine's decision, and what a scan would take."""
    bound, screen = rules(count), Screen(nodes)
    engine = RuleEngine(bound, seed=0, episode="bench")
    if engine.decide(screen, 0) is not None or scan(bound, screen):
        raise AssertionError("no rule may fire: the whole set has to be asked")
    indexed = median_ms(lambda: engine.decide(screen, 0), times)
    scanned = median_ms(lambda: scan(bound, screen), max(1, times // 10))
    return [
        Measure(f"{count} rules, {nodes} nodes", indexed, "ms", 10),
        Measure("a scan takes longer by", scanned / indexed, "x", note=f"{scanned:.0f} ms"),
    ]
