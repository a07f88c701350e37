"""Questions ask for a form, and their goals have typed answers: right, wrong or ambiguous."""

from __future__ import annotations

import re

from garabench.core.condition import AllOf, AnswerIs, AnswerSpec, AnyOf, Condition, Not
from garabench.core.evaluate import Verdict, evaluate
from garabench.core.steps import AnswerStep
from tests.bundled import bundled_suite
from tests.bundled_suite.answer_tables import AMBIGUOUS, RIGHT, WRONG
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


def _verdict(name: str, answer: str) -> Verdict:
    condition = _answer_part(SUITE.tasks[name].goal.condition)
    assert condition is not None
    return evaluate(condition, FakeFacts(answer=answer))


def _specs(condition: Condition) -> list[AnswerSpec]:
    if isinstance(condition, AnswerIs):
        return [condition.answer]
    if isinstance(condition, Not):
        return _specs(condition.not_)
    parts = (
        condition.all
        if isinstance(condition, AllOf)
        else condition.any
        if isinstance(condition, AnyOf)
        else ()
    )
    return [spec for part in parts for spec in _specs(part)]


def _questions() -> dict[str, list[AnswerSpec]]:
    found = {name: _specs(item.goal.condition) for name, item in SUITE.tasks.items()}
    return {name: specs for name, specs in found.items() if specs}


def test_every_question_has_a_typed_answer_and_asks_for_its_form() -> None:
    questions = _questions()
    assert questions.keys() == RIGHT.keys() == WRONG.keys() == AMBIGUOUS.keys()
    for name, specs in questions.items():
        (spec,) = specs
        assert spec.type is not None, name
        instruction = SUITE.tasks[name].task.instruction
        assert re.search(r"Answer with [^.]* alone\b", instruction["en"]), name
        assert "只回答" in instruction["zh"], name


def test_every_question_is_solved_by_an_answer_in_the_form() -> None:
    for name in _questions():
        *_, last = SUITE.tasks[name].task.solution
        assert isinstance(last, AnswerStep) and last.answer == RIGHT[name][0]


@every_case(("name", "answer"), _cases(RIGHT))
def test_a_right_answer_is_accepted(name: str, answer: str) -> None:
    assert _verdict(name, answer).holds is True


@every_case(("name", "answer"), _cases(WRONG))
def test_a_wrong_answer_is_rejected(name: str, answer: str) -> None:
    verdict = _verdict(name, answer)
    assert (verdict.holds, verdict.ambiguous_answer) == (False, False)


@every_case(("name", "answer"), _cases(AMBIGUOUS))
def test_an_ambiguous_answer_is_rejected_as_such(name: str, answer: str) -> None:
    verdict = _verdict(name, answer)
    assert (verdict.holds, verdict.ambiguous_answer) == (False, True)
