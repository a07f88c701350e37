"""Events that logcat has lost are read from the companion app's own log."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from garabench.core import events as ev
from garabench.core.tree import UiTree
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.interruptions.lifecycle import CompanionEvent
from tests.episode.dialogue import APP, COVERED, Dialogue, fire_at


def events_of(*events: str, first: int = 1, token: str = "one") -> tuple[CompanionEvent, ...]:
    return tuple(CompanionEvent(token, first + at, event) for at, event in enumerate(events))


class GapDialogue(Dialogue):
    """A dialogue with one interruption on screen, up to the first reading of logcat."""

    def __init__(self) -> None:
        super().__init__(fire_at(0))
        self.tree, self.from_logcat, self.from_companion, self.cleared = (
            COVERED,
            events_of("shown"),
            events_of(),
            False,
        )
        self.log: list[ev.Event] = []

    def feed(self, result: res.CommandResult) -> cmd.Command:
        if isinstance(result, res.LogRead):
            result = res.LogRead(result.t, self.from_logcat, self.tree, self.cleared)
            self.from_logcat = ()
        command = super().feed(result)
        self.log += self.machine.take_events()
        if isinstance(command, cmd.ReadCompanionLog):
            assert command.tokens == ("one",)
            return self.feed(res.CompanionLogRead(self.now, self.from_companion))
        return command

    def step(
        self,
        *from_logcat: CompanionEvent,
        tree: UiTree = APP,
        from_companion: Sequence[CompanionEvent] = (),
        cleared: bool = False,
    ) -> bool:
        """Perform a step: the events in logcat after it, the screen, and the companion app's own log.

        Returns:
            Whether the companion app's log was read.
        """
        screen = self.tree
        self.from_logcat, self.tree, self.from_companion, self.cleared = (
            from_logcat,
            tree,
            tuple(from_companion),
            cleared,
        )
        before = self.commands.count("ReadCompanionLog")
        self.turn(tree=screen)
        return self.commands.count("ReadCompanionLog") > before

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
def dialogue() -> GapDialogue:
    dialogue = GapDialogue()
    assert not dialogue.step(*events_of("shown"), tree=COVERED)
    return dialogue


PRESSED = events_of("shown", "pressed:accept")


@pytest.mark.parametrize(
    "final_events",
    [
        events_of("pressed:accept", first=2),
        events_of("pressed:dismiss", first=2),
        events_of("hidden", "dismissed", first=2),
        events_of("hidden", first=2),  # Home, or another app
    ],
)
def test_companion_log_is_not_read_if_logcat_is_complete(
    dialogue: GapDialogue, final_events: tuple[CompanionEvent, ...]
) -> None:
    assert not dialogue.step(tree=COVERED)
    assert not dialogue.step(*final_events)
    assert not dialogue.step()
    assert "ReadCompanionLog" not in dialogue.commands


def test_press_of_a_vanished_window_is_found_and_followed_up(dialogue: GapDialogue) -> None:
    assert dialogue.step(from_companion=PRESSED)
    assert dialogue.commands[-8:] == [
        "PerformAction",
        "Settle",
        "ReadLog",
        "ReadCompanionLog",
        "PerformFollowUp",
        "Settle",
        "CheckGoal",
        "ObserveScreen",
    ]
    assert dialogue.events == [(1, "shown"), (2, "pressed:accept")]
    assert dialogue.ends == [("answered", "accept", 1)]


def test_gap_in_the_numbers_is_filled_and_each_event_recorded_once(dialogue: GapDialogue) -> None:
    complete = events_of("shown", "hidden", "resumed", "pressed:accept")
    assert dialogue.step(complete[3], from_companion=complete)
    assert dialogue.events == [(event.seq, event.event) for event in complete]
    assert dialogue.ends == [("answered", "accept", 1)]
    assert dialogue.commands.count("PerformFollowUp") == 1


def test_lost_first_event_is_found() -> None:
    dialogue = GapDialogue()
    assert dialogue.step(*events_of("hidden", first=2), from_companion=events_of("shown", "hidden"))
    assert dialogue.events == [(1, "shown"), (2, "hidden")]


def test_reused_token_may_begin_with_a_higher_number() -> None:
    dialogue = GapDialogue()
    assert not dialogue.step(*events_of("shown", first=5), tree=COVERED)
    assert not dialogue.step(*events_of("pressed:accept", first=6))
    assert dialogue.ends == [("answered", "accept", 1)]


def test_events_of_an_earlier_episode_are_ignored() -> None:
    dialogue = GapDialogue()
    dialogue.step(*events_of("shown", first=3), tree=COVERED)
    assert dialogue.step(from_companion=PRESSED)
    assert dialogue.ends == []
    assert dialogue.events == [(3, "shown")]


def test_companion_log_is_read_once_if_it_is_empty(dialogue: GapDialogue) -> None:
    assert dialogue.step()
    assert not dialogue.step()
    assert not dialogue.step()
    assert dialogue.ends == []
    assert not dialogue.step(tree=COVERED)  # it was under the notifications
    assert not dialogue.step(*events_of("pressed:dismiss", first=2))
    assert dialogue.ends == [("answered", "dismiss", 5)]


def test_companion_log_is_read_once_if_it_has_the_same_gap(dialogue: GapDialogue) -> None:
    assert dialogue.step(*events_of("resumed", first=3), tree=COVERED)
    assert not dialogue.step(tree=COVERED)
    assert not dialogue.step(*events_of("pressed:accept", first=4))
    assert dialogue.ends == [("answered", "accept", 3)]


def test_companion_log_is_read_after_logcat_was_cleared(dialogue: GapDialogue) -> None:
    assert dialogue.step(tree=COVERED, cleared=True, from_companion=events_of("shown"))
    assert not dialogue.step(*events_of("pressed:accept", first=2), cleared=True)  # its own line is there
    assert dialogue.commands.count("ReadCompanionLog") == 1


def test_companion_log_is_read_until_the_end_after_a_loss(dialogue: GapDialogue) -> None:
    assert dialogue.step(from_companion=events_of("shown", "hidden"))  # Home
    assert dialogue.step(from_companion=events_of("shown", "hidden"))
    assert dialogue.step(
        from_companion=events_of("shown", "hidden", "resumed", "pressed:accept")
    )  # back and pressed, unseen
    assert dialogue.ends == [("answered", "accept", 3)]
    assert not dialogue.step(from_companion=events_of("shown", "hidden", "resumed", "pressed:accept"))
    assert dialogue.commands.count("PerformFollowUp") == 1


def test_events_of_other_tokens_are_ignored(dialogue: GapDialogue) -> None:
    assert dialogue.step(from_companion=events_of("shown", "pressed:accept", token="other"))
    assert dialogue.ends == []
