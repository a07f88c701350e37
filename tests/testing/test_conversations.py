"""Requests are put together to conversations by what their prompts tell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from garabench.agents.dialects.coordinates import View
from garabench.core import action as act
from garabench.core.geometry import Size
from garabench.core.observation import Focus
from garabench.core.tree import UiNode, UiTree
from garabench.testing.conversations import Conversations, Seen
from garabench.testing.player import Look, Move
from garabench.testing.prompt import Prompt

KEY = ("model", "task")
SOLUTION = ("home", "search", "results")


def look(page: str) -> Look:
    size = Size(10, 10)
    return Look(UiTree((UiNode(text=page),)), Focus("a", "b"), View(size, size))


def decide(looks: Sequence[Look]) -> Move:
    """Follows pages in their order; a dialog is closed; another page is waited on."""
    cursor, move = 0, Move(act.Wait(), "nothing yet", sure=False)
    for each in looks:
        page = each.tree.roots[0].text
        if page == "dialog":
            move = Move(act.Tap(x=0, y=0), "close")
        elif cursor == len(SOLUTION):
            move = Move(act.Done(), "over", sure=False)
        elif page == SOLUTION[cursor]:
            cursor += 1
            move = Move(act.Tap(x=cursor, y=0), f"step {cursor}")
        else:
            move = Move(act.Wait(), "wait", sure=False)
    return move


class Client:
    """Asks as an agent would: by the thoughts, by the number of steps, or by nothing."""

    def __init__(self, known: Conversations, form: str) -> None:
        self.known = known
        self.form = form
        self.said: list[str] = []

    def ask(self, page: str, places: str = "", *, arrives: bool = True, repair: bool = False) -> str:
        note = None
        if self.form == "thoughts" and self.said:
            number, steps = self.said[-1].rpartition("(note ")[2].rstrip(")").split(".")
            note = (int(number), int(steps))
        steps_told = None if self.form == "none" else len(self.said)
        prompt = Prompt("task", note, steps_told, repair, ())
        seen = Seen(look(page), page, frozenset(places))
        move = self.known.answer(KEY, prompt, seen, decide, arrives=arrives)
        if arrives and not repair:
            self.said.append(move.thought)
        return move.thought.partition(" (")[0]


FORMS = ["thoughts", "actions", "none"]


@pytest.mark.parametrize("form", FORMS)
def test_an_episode_is_one_conversation(form: str) -> None:
    client = Client(Conversations(), form)
    pages = ["home", "loading", "dialog", "search", "results"]
    assert [client.ask(page) for page in pages] == ["step 1", "wait", "close", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_episodes_follow_each_other(form: str) -> None:
    known = Conversations()
    for first in ("home", "dialog"):
        client = Client(known, form)
        pages = [first, *(("home",) if first == "dialog" else ()), "search", "results"]
        said = [client.ask(page) for page in pages]
        assert said[-3:] == ["step 1", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_an_episode_that_was_broken_off_is_followed_by_another(form: str) -> None:
    known = Conversations()
    first = Client(known, form)
    assert [first.ask(page) for page in ("home", "search", "nowhere")] == ["step 1", "step 2", "wait"]
    second = Client(known, form)
    assert [second.ask(page) for page in ("home", "search", "results")] == ["step 1", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_two_episodes_at_once_are_kept_apart(form: str) -> None:
    known = Conversations()
    one, other = Client(known, form), Client(known, form)
    said = [
        one.ask("home"), one.ask("search"), other.ask("dialog" if form != "none" else "home"),
        *(() if form == "none" else (other.ask("home"),)),
        one.ask("results"), other.ask("search"), other.ask("results"),
    ]  # fmt: skip
    assert said[:2] == ["step 1", "step 2"]
    assert said[-3:] == ["step 3", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_a_reply_that_did_not_arrive_is_given_again(form: str) -> None:
    client = Client(Conversations(), form)
    client.ask("home")
    assert client.ask("search", arrives=False) == "step 2"
    assert client.ask("search") == "step 2"
    assert client.ask("results") == "step 3"


@pytest.mark.parametrize("form", FORMS)
def test_a_reply_that_could_not_be_read_is_given_again(form: str) -> None:
    client = Client(Conversations(), form)
    client.ask("home")
    assert client.ask("search", repair=True) == "step 2"
    assert client.ask("search", repair=True) == "step 2"
    assert client.ask("results") == "step 3" if form == "none" else client.ask("search") == "step 2"


def test_a_lost_memory_begins_again() -> None:
    client = Client(Conversations(), "thoughts")
    client.ask("home")
    client.known = Conversations()
    assert client.ask("home") == "step 1"


def test_thoughts_end_in_a_note() -> None:
    client = Client(Conversations(), "thoughts")
    for page in SOLUTION:
        client.ask(page)
    assert client.said == ["step 1 (note 1.1)", "step 2 (note 1.2)", "step 3 (note 1.3)"]


@pytest.mark.parametrize("form", FORMS)
def test_episodes_at_once_are_told_apart_by_what_they_show(form: str) -> None:
    known = Conversations()
    one, other = Client(known, form), Client(known, form)
    assert one.ask("home", "AB") == other.ask("home", "AB") == "step 1"
    assert one.ask("search", "AB") == other.ask("search", "AB") == "step 2"
    assert other.ask("dialog", "B") == "close"
    assert one.ask("results", "A") == "step 3"
    assert other.ask("results", "B") == "step 3"
    assert one.ask("liked", "A") == other.ask("liked", "B") == "over"


@pytest.mark.parametrize("form", FORMS)
def test_an_episode_that_was_not_seen_before_is_a_new_conversation(form: str) -> None:
    known = Conversations()
    first = Client(known, form)
    assert [first.ask(page, "A") for page in ("home", "search")] == ["step 1", "step 2"]
    second = Client(known, form)
    assert [second.ask(page, "B") for page in ("dialog", "home", "search")] == ["close", "step 1", "step 2"]
    assert first.ask("results", "A") == "step 3"


def test_a_lost_history_is_lost_also_where_the_episode_is_known() -> None:
    client = Client(Conversations(), "actions")
    assert [client.ask(page, "A") for page in ("home", "search")] == ["step 1", "step 2"]
    client.said.clear()
    assert client.ask("results", "A") == "wait"
