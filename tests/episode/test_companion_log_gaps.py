"""Events that the log has lost and the companion app has kept, by dialogues as a runner holds them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from garabench.core import events as ev
from garabench.core.tree import UiTree
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.interruptions.lifecycle import CompanionEvent
from tests.episode.dialogue import APP, COVERED, Dialogue, fire_at


def told(*events: str, first: int = 1, token: str = "one") -> tuple[CompanionEvent, ...]:
    return tuple(CompanionEvent(token, first + at, event) for at, event in enumerate(events))


class Talk(Dialogue):
    """A dialogue with one interruption that was seen, up to the first reading of the log."""

    def __init__(self) -> None:
        super().__init__(fire_at(0))
        self.tree, self.heard, self.kept, self.cleared = COVERED, told("shown"), told(), False
        self.log: list[ev.Event] = []

    def say(self, result: res.CommandResult) -> cmd.Command:
        if isinstance(result, res.LogRead):
            result = res.LogRead(result.t, self.heard, self.tree, self.cleared)
            self.heard = ()
        command = super().say(result)
        self.log += self.machine.take_events()
        if isinstance(command, cmd.ReadCompanionLog):
            assert command.tokens == ("one",)
            return self.say(res.CompanionLogRead(self.now, self.kept))
        return command

    def step(
        self,
        *heard: CompanionEvent,
        tree: UiTree = APP,
        kept: Sequence[CompanionEvent] = (),
        cleared: bool = False,
    ) -> bool:
        """One step of the agent: what the log gives after it, what is seen, what the app has kept.

        Returns:
            Whether the app was asked for it.
        """
        screen = self.tree
        self.heard, self.tree, self.kept, self.cleared = heard, tree, tuple(kept), cleared
        before = self.asked.count("ReadCompanionLog")
        self.turn(tree=screen)
        return self.asked.count("ReadCompanionLog") > before

    @property
    def events(self) -> list[tuple[int, str]]:
        return [(event.seq, event.event) for event in self.log if isinstance(event, ev.InterruptionEvent)]

    @property
    def ends(self) -> list[tuple[str, str, int]]:
        return [
            (event.how, event.exit, event.step)
            for event in self.log
            if isinstance(event, ev.InterruptionResolved)
        ]


@pytest.fixture
def talk() -> Talk:
    made = Talk()
    assert not made.step(*told("shown"), tree=COVERED)
    return made


PRESSED = told("shown", "pressed:accept")


@pytest.mark.parametrize(
    "last",
    [
        told("pressed:accept", first=2),
        told("pressed:dismiss", first=2),
        told("hidden", "dismissed", first=2),
        told("hidden", first=2),  # Home, or another app
    ],
)
def test_what_the_log_explains_costs_no_question(talk: Talk, last: tuple[CompanionEvent, ...]) -> None:
    assert not talk.step(tree=COVERED)
    assert not talk.step(*last)
    assert not talk.step()
    assert "ReadCompanionLog" not in talk.asked


def test_a_window_that_has_gone_without_a_word_is_asked_about_and_its_press_followed_up(talk: Talk) -> None:
    assert talk.step(kept=PRESSED)
    assert talk.asked[-8:] == [
        "PerformAction",
        "Settle",
        "ReadLog",
        "ReadCompanionLog",
        "PerformFollowUp",
        "Settle",
        "CheckGoal",
        "ObserveScreen",
    ]
    assert talk.events == [(1, "shown"), (2, "pressed:accept")]
    assert talk.ends == [("answered", "accept", 1)]


def test_a_number_that_is_left_out_is_asked_for_and_each_event_is_taken_in_once(talk: Talk) -> None:
    whole = told("shown", "hidden", "resumed", "pressed:accept")
    assert talk.step(whole[3], kept=whole)
    assert talk.events == [(event.seq, event.event) for event in whole]
    assert talk.ends == [("answered", "accept", 1)]
    assert talk.asked.count("PerformFollowUp") == 1


def test_the_first_word_that_was_lost_is_asked_for() -> None:
    talk = Talk()
    assert talk.step(*told("hidden", first=2), kept=told("shown", "hidden"))
    assert talk.events == [(1, "shown"), (2, "hidden")]


def test_a_token_that_was_used_before_begins_with_a_higher_number() -> None:
    talk = Talk()
    assert not talk.step(*told("shown", first=5), tree=COVERED)
    assert not talk.step(*told("pressed:accept", first=6))
    assert talk.ends == [("answered", "accept", 1)]


def test_events_of_an_earlier_episode_are_no_answer() -> None:
    talk = Talk()
    talk.step(*told("shown", first=3), tree=COVERED)
    assert talk.step(kept=PRESSED)
    assert talk.ends == []
    assert talk.events == [(3, "shown")]


def test_a_window_that_has_gone_is_asked_about_once_where_nothing_answers(talk: Talk) -> None:
    assert talk.step()
    assert not talk.step()
    assert not talk.step()
    assert talk.ends == []
    assert not talk.step(tree=COVERED)  # it was under the notifications
    assert not talk.step(*told("pressed:dismiss", first=2))
    assert talk.ends == [("answered", "dismiss", 5)]


def test_a_gap_that_nobody_fills_is_asked_about_once(talk: Talk) -> None:
    assert talk.step(*told("resumed", first=3), tree=COVERED)
    assert not talk.step(tree=COVERED)
    assert not talk.step(*told("pressed:accept", first=4))
    assert talk.ends == [("answered", "accept", 3)]


def test_a_log_that_was_cleared_is_asked_about_while_the_window_is_there(talk: Talk) -> None:
    assert talk.step(tree=COVERED, cleared=True, kept=told("shown"))
    assert not talk.step(*told("pressed:accept", first=2), cleared=True)  # its own line is there
    assert talk.asked.count("ReadCompanionLog") == 1


def test_once_the_log_has_lost_an_event_the_app_is_asked_until_the_end(talk: Talk) -> None:
    assert talk.step(kept=told("shown", "hidden"))  # Home
    assert talk.step(kept=told("shown", "hidden"))
    assert talk.step(kept=told("shown", "hidden", "resumed", "pressed:accept"))  # back and pressed, unseen
    assert talk.ends == [("answered", "accept", 3)]
    assert not talk.step(kept=told("shown", "hidden", "resumed", "pressed:accept"))
    assert talk.asked.count("PerformFollowUp") == 1


def test_what_another_token_has_told_is_not_taken_in(talk: Talk) -> None:
    assert talk.step(kept=told("shown", "pressed:accept", token="other"))
    assert talk.ends == []
