"""Goals of questions accept an answer in many phrasings, but not an evasive or negated one."""

from __future__ import annotations

from garabench.core.condition import AllOf, AnswerIs, AnyOf, Condition, Not
from garabench.core.evaluate import evaluate
from tests.bundled import bundled_suite
from tests.bundled_suite.right_answers import RIGHT
from tests.bundled_suite.wrong_answers import WRONG
from tests.cases import every_case
from tests.core.test_evaluate import FakeFacts

SUITE = bundled_suite()


def _answer_part(condition: Condition) -> Condition | None:
    """Return the part of a goal about the answer; None if there is none."""
    if isinstance(condition, AnswerIs):
        return condition
    if isinstance(condition, Not):
        part = _answer_part(condition.not_)
        return None if part is None else condition.model_copy(update={"not_": part})
    for kind, name in ((AllOf, "all"), (AnyOf, "any")):
        if isinstance(condition, kind):
            parts = [part for each in getattr(condition, name) if (part := _answer_part(each)) is not None]
            return condition.model_copy(update={name: tuple(parts)}) if parts else None
    return None


def _cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(name, answer) for name, answers in table.items() for answer in answers]


def _accepted(name: str, answer: str) -> bool | None:
    condition = _answer_part(SUITE.tasks[name].goal.condition)
    assert condition is not None
    return evaluate(condition, FakeFacts(answer=answer)).holds


def test_every_question_has_phrasings() -> None:
    asked = {name for name, item in SUITE.tasks.items() if _answer_part(item.goal.condition) is not None}
    assert asked == RIGHT.keys() == WRONG.keys()


@every_case(("name", "answer"), _cases(RIGHT))
def test_a_correct_answer_is_accepted_in_every_phrasing(name: str, answer: str) -> None:
    assert _accepted(name, answer) is True


@every_case(("name", "answer"), _cases(WRONG))
def test_a_wrong_or_evasive_answer_is_rejected(name: str, answer: str) -> None:
    assert _accepted(name, answer) is False
