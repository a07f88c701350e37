"""An answer must contain the expected value as a whole, and no rival of it."""

from __future__ import annotations

from garabench.core.condition import AnswerIs, AnswerSpec
from garabench.core.evaluate import evaluate
from garabench.core.observation import Focus
from garabench.core.tree import UiTree, parse_tree
from tests.cases import every_case


class AnswerFacts:
    """Facts with an answer and an empty tree."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.tree: UiTree = parse_tree("<hierarchy rotation='0'></hierarchy>")
        self.focus: Focus | None = None


@every_case(
    ("wanted", "answer", "holds"),
    [
        ("2899", "2899", True),
        ("2899", "实付 2899 元", True),
        ("2899", "¥2899.", True),
        ("2899", "It was 2899 yuan for order 2.", True),
        ("2899", "12899", False),
        ("2899", "28990", False),
        ("2899", "2899.50", False),
        ("2899", "199 or 2899 or 59", False),
        ("2899", "2899, that is 2899 yuan", True),
        ("2899", "Price: 2899", True),
        ("2899", "价格:2899元", True),
        ("2899", "1,2899", False),
        ("1ZA85R27", "Tracking ID: 1ZA85R27", True),
        ("301.7万", "他有301.7万粉丝", True),
        ("301.7万", "1301.7万", False),
        ("24:10", "24:10", True),
        ("24:10", "不是 24:10, 是 5:00", False),
        ("24:10", "124:10", False),
        ("3", "3", True),
        ("3", "2 adults and 3 nights", True),
        ("3", "13", False),
        ("3", "Answer: 3", True),
        ("3", "It is 12:3", False),
        ("blue", "The Blue one", True),
        ("blue", "green", False),
    ],
)
def test_an_answer_contains_a_value(wanted: str, answer: str, holds: bool) -> None:
    condition = AnswerIs(answer=AnswerSpec(contains=wanted))
    assert evaluate(condition, AnswerFacts(answer)).holds is holds  # type: ignore[arg-type]
