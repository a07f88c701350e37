"""Walks as data."""

from __future__ import annotations

from garabench.core.selector import Selector
from garabench.core.steps import BackStep, RotateStep, SolutionStep, TapStep
from garabench.proof.fuzz.walk import ActionKind, FuzzWalk, Insertion, WalkResult, WalkVerdict, finding_of

ONE, TWO = TapStep(tap=Selector(id="one")), TapStep(tap=Selector(id="two"))
PATH: tuple[SolutionStep, ...] = (ONE, TWO)
LIKE = Insertion(before=2, kind=ActionKind.LIKE, steps=(TapStep(tap=Selector(text="赞")),))
BACK = Insertion(before=2, kind=ActionKind.RETURN, steps=(BackStep(),))


def test_insertions_are_performed_before_their_step_in_order() -> None:
    walk = FuzzWalk(task="one", inserted=(LIKE, BACK))
    assert walk.steps(PATH) == (ONE, *LIKE.steps, *BACK.steps, TWO)
    assert [part for part, _ in walk.parts(PATH)] == [None, LIKE, BACK, None]


def test_a_walk_survives_json_and_keeps_its_id() -> None:
    result = WalkResult(
        number=3, walk=FuzzWalk(task="one", inserted=(LIKE,)), verdict=WalkVerdict.ACCEPTED_SEEN
    )
    finding = finding_of(result)
    again = type(finding).model_validate_json(finding.model_dump_json())
    assert again == finding
    assert finding_of(again.result).id == finding.id
    assert (finding.task, finding.walks) == ("one", (3,))


def test_harmless() -> None:
    rotate = Insertion(before=1, kind=ActionKind.ROTATE)
    assert FuzzWalk(task="one", inserted=(rotate, BACK)).harmless
    assert not FuzzWalk(task="one", inserted=(LIKE, BACK)).harmless
    again = Insertion(before=2, kind=ActionKind.RETURN, steps=(ONE,))
    assert not FuzzWalk(task="one", inserted=(rotate, again)).harmless


def test_turning_the_phone_is_a_step() -> None:
    rotate = Insertion(before=2, kind=ActionKind.ROTATE)
    assert FuzzWalk(task="one", inserted=(rotate,)).steps((ONE, ONE)) == (ONE, RotateStep(), ONE)
