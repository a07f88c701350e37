"""What goals of questions take for an answer: many ways to say it, none that leaves it open or denies it."""

from __future__ import annotations

from garabench.core.condition import AllOf, AnswerIs, AnyOf, Condition, Not
from garabench.core.evaluate import evaluate
from tests.bundled import bundled_suite
from tests.bundled_suite.right_answers import RIGHT
from tests.bundled_suite.wrong_answers import WRONG
from tests.cases import every_case
from tests.core.test_evaluate import Known

SUITE = bundled_suite()


def _said(condition: Condition) -> Condition | None:
    """The part of a goal that is about the answer; None where none is."""
    if isinstance(condition, AnswerIs):
        return condition
    if isinstance(condition, Not):
        part = _said(condition.not_)
        return None if part is None else condition.model_copy(update={"not_": part})
    for kind, name in ((AllOf, "all"), (AnyOf, "any")):
        if isinstance(condition, kind):
            parts = [part for each in getattr(condition, name) if (part := _said(each)) is not None]
            return condition.model_copy(update={name: tuple(parts)}) if parts else None
    return None


def _cases(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(name, answer) for name, answers in table.items() for answer in answers]


def _taken(name: str, answer: str) -> bool | None:
    message = _said(SUITE.tasks[name].goal.condition)
    assert message is not None
    return evaluate(message, Known(answer=answer)).holds


def test_every_question_has_phrasings() -> None:
    asked = {name for name, item in SUITE.tasks.items() if _said(item.goal.condition) is not None}
    assert asked == RIGHT.keys() == WRONG.keys()


@every_case(("name", "answer"), _cases(RIGHT))
def test_a_correct_answer_is_accepted_in_every_phrasing(name: str, answer: str) -> None:
    assert _taken(name, answer) is True


@every_case(("name", "answer"), _cases(WRONG))
def test_a_wrong_or_evasive_answer_is_rejected(name: str, answer: str) -> None:
    assert _taken(name, answer) is False
