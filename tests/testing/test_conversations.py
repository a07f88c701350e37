"""Requests are put together to conversations by what their prompts tell."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.agents.dialects.coordinates import ScreenView
from garabench.core import action as act
from garabench.core.geometry import Size
from garabench.core.observation import Focus
from garabench.core.tree import UiNode, UiTree
from garabench.testing.conversations import Conversations
from garabench.testing.move_planner import PlannedMove, ScreenState
from garabench.testing.prompt import ParsedPrompt
from garabench.testing.request_screen import RequestScreen, RunningEpisode

KEY = ("model", "task")
SOLUTION = ("home", "search", "results")


def look(page: str) -> ScreenState:
    size = Size(10, 10)
    return ScreenState(UiTree((UiNode(text=page),)), Focus("a", "b"), ScreenView(size, size))


def decide(looks: Sequence[ScreenState]) -> PlannedMove:
    """Follows pages in their order; a dialog is closed; another page is waited on."""
    cursor, move = 0, PlannedMove(act.Wait(), "nothing yet", sure=False)
    for each in looks:
        page = each.tree.roots[0].text
        if page == "dialog":
            move = PlannedMove(act.Tap(x=0, y=0), "close")
        elif cursor == len(SOLUTION):
            move = PlannedMove(act.Done(), "over", sure=False)
        elif page == SOLUTION[cursor]:
            cursor += 1
            move = PlannedMove(act.Tap(x=cursor, y=0), f"step {cursor}")
        else:
            move = PlannedMove(act.Wait(), "wait", sure=False)
    return move


class Episodes:
    """What the episodes of a run have shown so far, as its record tells."""

    def __init__(self) -> None:
        self.shown: dict[str, list[str]] = {}

    def show(self, place: str, page: str) -> None:
        self.shown.setdefault(place, []).append(page)

    def showing(self, page: str) -> tuple[RunningEpisode, ...]:
        return tuple(
            RunningEpisode(place, tuple(map(look, pages)))
            for place, pages in self.shown.items()
            if pages[-1] == page
        )


class Client:
    """Asks as an agent would: by the thoughts, by the actions, or by nothing."""

    def __init__(self, known: Conversations, form: str) -> None:
        self.known = known
        self.form = form
        self.said: list[str] = []

    def ask(
        self, page: str, pasts: tuple[RunningEpisode, ...] = (), *, arrives: bool = True, repair: bool = False
    ) -> str:
        note = None
        if self.form == "thoughts" and self.said:
            number, steps = self.said[-1].rpartition("(note ")[2].rstrip(")").split(".")
            note = (int(number), int(steps))
        lines = () if self.form == "none" else tuple(one.partition(" (")[0] for one in self.said[-3:])
        steps_told = None if self.form == "none" else len(self.said)
        prompt = ParsedPrompt("task", note, steps_told, repair, (), lines)
        move = self.known.answer(
            KEY,
            prompt,
            RequestScreen(look(page), page, pasts),
            decide,
            describe=lambda move: move.thought,
            arrives=arrives,
        )
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


def test_a_lost_history_is_lost() -> None:
    client = Client(Conversations(), "actions")
    assert [client.ask(page) for page in ("home", "search")] == ["step 1", "step 2"]
    client.said.clear()
    assert client.ask("results") == "wait"


def test_a_history_that_is_not_known_is_gone_on_with() -> None:
    client = Client(Conversations(), "actions")
    assert client.ask("home") == "step 1"
    client.known = Conversations()
    assert [client.ask(page) for page in ("dialog", "home", "search")] == ["close", "step 1", "step 2"]


def test_thoughts_end_in_a_note() -> None:
    known = Conversations()
    client, other = Client(known, "thoughts"), Client(known, "thoughts")
    for page in SOLUTION:
        client.ask(page)
        other.ask(page)
    assert client.said == ["step 1 (note 1.1)", "step 2 (note 3.2)", "step 3 (note 5.3)"]


def test_a_note_of_another_task_is_none() -> None:
    client = Client(Conversations(), "thoughts")
    client.ask("home")
    prompt = ParsedPrompt("task", (1, 1), 1, False, ())
    seen = RequestScreen(look("search"), "search")
    move = client.known.answer(("model", "other"), prompt, seen, decide, describe=str, arrives=True)
    assert move.thought == "wait (note 2.1)"


def test_places_that_come_back_rounded_are_those_that_were_said() -> None:
    known = Conversations()
    told = {"home": ("tap 500 80", "tap 499 81"), "dialog": ("tap 500 90", "tap 500 91")}
    lines = {"step 1": told["home"][0], "close": told["dialog"][0]}
    for page in told:
        begun = ParsedPrompt("task", None, 0, False, ())
        known.answer(
            KEY,
            begun,
            RequestScreen(look(page), page),
            decide,
            describe=lambda move: lines[move.thought],
            arrives=True,
        )
    for page, after in (("home", "step 2"), ("dialog", "wait")):
        prompt = ParsedPrompt("task", None, 1, False, (), (told[page][1],))
        move = known.answer(
            KEY, prompt, RequestScreen(look("search"), "search"), decide, describe=lambda _: "", arrives=False
        )
        assert move.thought.startswith(after), page


@pytest.mark.parametrize("form", FORMS)
def test_an_episode_does_not_go_on_with_the_conversation_of_another(form: str) -> None:
    known, record = Conversations(), Episodes()
    clean, dual = Client(known, form), Client(known, form)

    def ask(client: Client, place: str, page: str) -> str:
        return client.ask(page, record.showing(page) if form == "none" else ())

    for place in "CD":
        record.show(place, "home")
    assert ask(clean, "C", "home") == ask(dual, "D", "home") == "step 1"
    for place in "CD":
        record.show(place, "search")  # the other shows it, too, until its dialog comes up
    assert ask(clean, "C", "search") == "step 2"
    record.shown["D"][-1] = "dialog"
    assert ask(dual, "D", "dialog") == "close"
    record.show("C", "results")
    assert ask(clean, "C", "results") == "step 3"
    for number, page in ((2, "search"), (3, "results")):
        record.show("D", page)
        assert ask(dual, "D", page) == f"step {number}"


def interrupted(*by: str) -> st.SearchStrategy[list[list[str]]]:
    """Of some episodes, what comes up before each page of the solution, and after the last."""
    between = st.lists(st.sampled_from(["", *by]), min_size=4, max_size=4)
    return st.lists(between, min_size=2, max_size=4)


def pages_of(between: Sequence[str]) -> list[str]:
    """The screens of an episode."""
    pages = [one for pair in zip(between, (*SOLUTION, ""), strict=True) for one in pair]
    return [page for page in pages if page]


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25)
@given(data=st.data())
def test_episodes_at_once_are_answered_as_each_alone(form: str, data: st.DataObject) -> None:
    """In whatever order they ask, about the same task, whatever comes up in each of them.

    Without a memory, what comes up must say what is to be done, since it can be there in two of them at once.
    """
    episodes = data.draw(interrupted("dialog", *(() if form == "none" else ("loading",))))
    alone = [
        [decide([*map(look, pages[: at + 1])]).thought for at in range(len(pages))]
        for pages in map(pages_of, episodes)
    ]
    known, record = Conversations(), Episodes()
    clients = [Client(known, form) for _ in episodes]
    left = {at: pages_of(between) for at, between in enumerate(episodes)}
    shows: set[int] = set()
    got: list[list[str]] = [[] for _ in episodes]
    while left:
        at = data.draw(st.sampled_from(sorted(left)))
        page = left[at][0]
        if at not in shows:  # the record is written, and the request comes some time after it
            record.show(str(at), page)
            shows.add(at)
            continue
        got[at].append(clients[at].ask(page, record.showing(page) if form == "none" else ()))
        shows.discard(at)
        left[at].pop(0)
        if not left[at]:
            del left[at], record.shown[str(at)]
    assert got == alone
