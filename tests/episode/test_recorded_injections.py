"""The interruptions of a record are injected again at their steps, however many steps the replay takes."""

from __future__ import annotations

from garabench.core.checkpoint import PrefixInterruption
from garabench.episode.interruption_queue import RuleContext
from garabench.episode.recorded_injections import RecordedInjections, ReplayedInterruptions, ReplayPosition
from garabench.interruptions.planned_interruption import PlannedInterruption
from tests.episode.dialogue import planned


def recorded(step: int, name: str, rule: str = "rule-a", sequence: int = 0) -> PrefixInterruption:
    return PrefixInterruption(step, rule, name, "dual", f"token-{name}", sequence)


def plan(name: str, injection: str) -> PlannedInterruption:
    return planned(token=f"{name}@{injection}")


def injected(items: tuple[PrefixInterruption, ...], *positions: int | None) -> list[list[str]]:
    """Return what is injected on screens that stand for these recorded steps."""
    position = ReplayPosition()
    injections = RecordedInjections(ReplayedInterruptions(items, position), plan)
    found: list[list[str]] = []
    for number, place in enumerate(positions):
        position.step = place
        fired = injections.fire(None, RuleContext(number))  # type: ignore[arg-type]  # the screen is not read
        found.append([] if fired is None else [each.token for each in fired.planned])
    return found


def test_an_interruption_comes_at_its_step_once() -> None:
    items = (recorded(2, "call"),)
    assert injected(items, 0, 1, 2, 2, 3) == [[], [], ["call@2"], [], []]


def test_waits_of_the_replay_do_not_shift_it() -> None:
    assert injected((recorded(1, "call"),), 0, 0, 0, 1) == [[], [], [], ["call@1"]]


def test_nothing_is_injected_after_the_replay() -> None:
    assert injected((recorded(2, "call"),), 0, None, None) == [[], [], []]


def test_a_sequence_comes_together_and_a_second_rule_on_the_next_screen() -> None:
    items = (
        recorded(1, "one", sequence=1),
        recorded(2, "two", sequence=2),
        recorded(2, "other", rule="rule-b"),
    )
    assert injected(items, 1, 2, 2) == [["one@1", "two@1/2"], ["other@2"], []]


def test_what_a_follow_up_injected_is_left_to_the_follow_up() -> None:
    assert injected((recorded(1, "survey", rule=""),), 1) == [[]]
