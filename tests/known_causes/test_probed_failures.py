from __future__ import annotations

from garabench.known_causes.cause import Cause, CauseKind, Half, KnownFailure
from garabench.known_causes.probed_failures import MeasureOptions, drawn_failures, retried_failures

AGENT, DEFECT = Cause(CauseKind.AGENT_FAULT, "loops"), Cause(CauseKind.DEFECT, "dead", "impossible")
FAILURES = tuple(
    KnownFailure("runs/a", f"task-{number}", "subject", "clean", 0, AGENT if number % 3 else DEFECT)
    for number in range(30)
)


def test_a_half_and_a_limit_draw_the_first_failures_of_the_same_order() -> None:
    both = drawn_failures(reversed(FAILURES), MeasureOptions())
    assert set(both) == set(FAILURES)
    assert both != FAILURES, "drawn by a hash"
    held_out = [each for each in both if each.half is Half.HELD_OUT]
    assert 5 < len(held_out) < 25
    assert list(drawn_failures(FAILURES, MeasureOptions(half=Half.HELD_OUT, limit=4))) == held_out[:4]
    assert drawn_failures(FAILURES, MeasureOptions(limit=7)) == both[:7]


def test_the_agent_tries_its_first_held_out_failures_again() -> None:
    drawn = drawn_failures(FAILURES, MeasureOptions())
    blamed = [each for each in drawn if each.half is Half.HELD_OUT and each.cause is AGENT]
    assert len(blamed) > 3
    assert retried_failures(drawn, MeasureOptions(retried=3)) == set(blamed[:3])
    assert retried_failures(drawn, MeasureOptions()) == set(blamed)
    assert retried_failures(drawn, MeasureOptions(retries=0)) == set()
