"""A mark of an episode remembers the changes to the device that the end of the episode undoes."""

from __future__ import annotations

from garabench.core.device_changes import StateQuery
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiTree
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.episode.commands import RequestDecision
from garabench.episode.mark import EpisodeMark, mark_episode

SCREEN = Size(10, 20)
REQUEST = RequestDecision(
    Observation(0, UiTree(()), Screenshot(b"", SCREEN), Focus("", ""), TreeSource.U2, "", 0, SCREEN, 0), ()
)


def entry(subject: str, scope: Scope = Scope.EPISODE) -> UndoEntry:
    return UndoEntry(
        subject=subject,
        purpose="a test",
        scope=scope,
        undo_commands=(("settings", "put", "system", subject, "1"),),
        query=StateQuery(("settings", "get", "system", subject)),
        expected=("1",),
    )


def mark(journal: Journal, *parts: object) -> EpisodeMark:
    return mark_episode(parts, journal, REQUEST, (), 1.5)


def test_undone_changes_are_recorded_again_in_their_order() -> None:
    journal = Journal.in_memory("serial")
    journal.open(entry("run", Scope.RUN))
    for name in ("wifi", "volume"):
        journal.open(entry(name))
    made = mark(journal)
    for _ in range(2):
        for number, each in journal.entries:
            if each.scope is Scope.EPISODE:
                journal.done(number)
        made.record_changes(journal)
        made.record_changes(journal)  # what is still recorded is not recorded twice
        assert [each.subject for _, each in journal.entries] == ["volume", "wifi", "run"]


def test_the_memory_of_the_episode_comes_back() -> None:
    events = ["before"]
    made = mark(Journal.in_memory("serial"), events)
    events.append("after")
    made.image.restore()
    assert events == ["before"]
    assert made.request == REQUEST
