"""Requests are matched to conversations by their prompts."""

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


def state(page: str) -> ScreenState:
    size = Size(10, 10)
    return ScreenState(UiTree((UiNode(text=page),)), Focus("a", "b"), ScreenView(size, size))


def decide(states: Sequence[ScreenState]) -> PlannedMove:
    """Visit the pages in order, close dialogs, and wait on any other page."""
    cursor, move = 0, PlannedMove(act.Wait(), "nothing yet", sure=False)
    for each in states:
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
    """The screens that the episodes of a run have shown, as in its record."""

    def __init__(self) -> None:
        self.shown: dict[str, list[str]] = {}

    def show(self, place: str, page: str) -> None:
        self.shown.setdefault(place, []).append(page)

    def showing(self, page: str) -> tuple[RunningEpisode, ...]:
        return tuple(
            RunningEpisode(place, tuple(map(state, pages)))
            for place, pages in self.shown.items()
            if pages[-1] == page
        )


class Client:
    """Sends requests as an agent would, with thoughts, actions or nothing as history."""

    def __init__(self, conversations: Conversations, form: str) -> None:
        self.conversations = conversations
        self.form = form
        self.thoughts: list[str] = []

    def request(
        self,
        page: str,
        episodes: tuple[RunningEpisode, ...] = (),
        *,
        arrives: bool = True,
        repair: bool = False,
    ) -> str:
        note = None
        if self.form == "thoughts" and self.thoughts:
            number, count = self.thoughts[-1].rpartition("(note ")[2].rstrip(")").split(".")
            note = (int(number), int(count))
        lines = () if self.form == "none" else tuple(one.partition(" (")[0] for one in self.thoughts[-3:])
        steps = None if self.form == "none" else len(self.thoughts)
        prompt = ParsedPrompt("task", note, steps, repair, (), lines)
        move = self.conversations.answer(
            KEY,
            prompt,
            RequestScreen(state(page), page, episodes),
            decide,
            describe=lambda move: move.thought,
            arrives=arrives,
        )
        if arrives and not repair:
            self.thoughts.append(move.thought)
        return move.thought.partition(" (")[0]


FORMS = ["thoughts", "actions", "none"]


@pytest.mark.parametrize("form", FORMS)
def test_an_episode_is_one_conversation(form: str) -> None:
    client = Client(Conversations(), form)
    pages = ["home", "loading", "dialog", "search", "results"]
    assert [client.request(page) for page in pages] == ["step 1", "wait", "close", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_episodes_follow_each_other(form: str) -> None:
    conversations = Conversations()
    for first in ("home", "dialog"):
        client = Client(conversations, form)
        pages = [first, *(("home",) if first == "dialog" else ()), "search", "results"]
        moves = [client.request(page) for page in pages]
        assert moves[-3:] == ["step 1", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_an_episode_may_follow_an_interrupted_one(form: str) -> None:
    conversations = Conversations()
    first = Client(conversations, form)
    assert [first.request(page) for page in ("home", "search", "nowhere")] == ["step 1", "step 2", "wait"]
    second = Client(conversations, form)
    assert [second.request(page) for page in ("home", "search", "results")] == ["step 1", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_concurrent_episodes_are_separate_conversations(form: str) -> None:
    conversations = Conversations()
    one, other = Client(conversations, form), Client(conversations, form)
    moves = [
        one.request("home"), one.request("search"), other.request("dialog" if form != "none" else "home"),
        *(() if form == "none" else (other.request("home"),)),
        one.request("results"), other.request("search"), other.request("results"),
    ]  # fmt: skip
    assert moves[:2] == ["step 1", "step 2"]
    assert moves[-3:] == ["step 3", "step 2", "step 3"]


@pytest.mark.parametrize("form", FORMS)
def test_a_lost_reply_is_repeated(form: str) -> None:
    client = Client(Conversations(), form)
    client.request("home")
    assert client.request("search", arrives=False) == "step 2"
    assert client.request("search") == "step 2"
    assert client.request("results") == "step 3"


@pytest.mark.parametrize("form", FORMS)
def test_a_rejected_reply_is_repeated(form: str) -> None:
    client = Client(Conversations(), form)
    client.request("home")
    assert client.request("search", repair=True) == "step 2"
    assert client.request("search", repair=True) == "step 2"
    assert client.request("results") == "step 3" if form == "none" else client.request("search") == "step 2"


def test_an_unknown_conversation_starts_afresh() -> None:
    client = Client(Conversations(), "thoughts")
    client.request("home")
    client.conversations = Conversations()
    assert client.request("home") == "step 1"


def test_a_prompt_without_its_history_is_a_new_conversation() -> None:
    client = Client(Conversations(), "actions")
    assert [client.request(page) for page in ("home", "search")] == ["step 1", "step 2"]
    client.thoughts.clear()
    assert client.request("results") == "wait"


def test_an_unknown_history_is_continued() -> None:
    client = Client(Conversations(), "actions")
    assert client.request("home") == "step 1"
    client.conversations = Conversations()
    assert [client.request(page) for page in ("dialog", "home", "search")] == ["close", "step 1", "step 2"]


def test_thoughts_end_in_a_note() -> None:
    conversations = Conversations()
    client, other = Client(conversations, "thoughts"), Client(conversations, "thoughts")
    for page in SOLUTION:
        client.request(page)
        other.request(page)
    assert client.thoughts == ["step 1 (note 1.1)", "step 2 (note 3.2)", "step 3 (note 5.3)"]


def test_a_note_of_another_task_is_ignored() -> None:
    client = Client(Conversations(), "thoughts")
    client.request("home")
    prompt = ParsedPrompt("task", (1, 1), 1, False, ())
    screen = RequestScreen(state("search"), "search")
    move = client.conversations.answer(("model", "other"), prompt, screen, decide, describe=str, arrives=True)
    assert move.thought == "wait (note 2.1)"


def test_rounded_coordinates_still_match() -> None:
    conversations = Conversations()
    lines_sent = {"home": ("tap 500 80", "tap 499 81"), "dialog": ("tap 500 90", "tap 500 91")}
    lines = {"step 1": lines_sent["home"][0], "close": lines_sent["dialog"][0]}
    for page in lines_sent:
        first = ParsedPrompt("task", None, 0, False, ())
        conversations.answer(
            KEY,
            first,
            RequestScreen(state(page), page),
            decide,
            describe=lambda move: lines[move.thought],
            arrives=True,
        )
    for page, after in (("home", "step 2"), ("dialog", "wait")):
        prompt = ParsedPrompt("task", None, 1, False, (), (lines_sent[page][1],))
        move = conversations.answer(
            KEY,
            prompt,
            RequestScreen(state("search"), "search"),
            decide,
            describe=lambda _: "",
            arrives=False,
        )
        assert move.thought.startswith(after), page


@pytest.mark.parametrize("form", FORMS)
def test_an_episode_does_not_continue_the_conversation_of_another(form: str) -> None:
    conversations, record = Conversations(), Episodes()
    clean, dual = Client(conversations, form), Client(conversations, form)

    def request(client: Client, place: str, page: str) -> str:
        return client.request(page, record.showing(page) if form == "none" else ())

    for place in "CD":
        record.show(place, "home")
    assert request(clean, "C", "home") == request(dual, "D", "home") == "step 1"
    for place in "CD":
        record.show(place, "search")  # the other shows it, too, until its dialog comes up
    assert request(clean, "C", "search") == "step 2"
    record.shown["D"][-1] = "dialog"
    assert request(dual, "D", "dialog") == "close"
    record.show("C", "results")
    assert request(clean, "C", "results") == "step 3"
    for number, page in ((2, "search"), (3, "results")):
        record.show("D", page)
        assert request(dual, "D", page) == f"step {number}"


def interrupted(*by: str) -> st.SearchStrategy[list[list[str]]]:
    """Interruptions of several episodes: before each page of the solution, and after the last."""
    between = st.lists(st.sampled_from(["", *by]), min_size=4, max_size=4)
    return st.lists(between, min_size=2, max_size=4)


def pages_of(between: Sequence[str]) -> list[str]:
    """The screens of an episode."""
    pages = [one for pair in zip(between, (*SOLUTION, ""), strict=True) for one in pair]
    return [page for page in pages if page]


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=25)
@given(data=st.data())
def test_concurrent_episodes_get_the_replies_that_each_would_get_alone(
    form: str, data: st.DataObject
) -> None:
    """Any order of requests about the same task, with any interruptions.

    Without history, an interruption must determine the move, since two episodes can show it at once.
    """
    episodes = data.draw(interrupted("dialog", *(() if form == "none" else ("loading",))))
    alone = [
        [decide([*map(state, pages[: at + 1])]).thought for at in range(len(pages))]
        for pages in map(pages_of, episodes)
    ]
    conversations, record = Conversations(), Episodes()
    clients = [Client(conversations, form) for _ in episodes]
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
        got[at].append(clients[at].request(page, record.showing(page) if form == "none" else ()))
        shows.discard(at)
        left[at].pop(0)
        if not left[at]:
            del left[at], record.shown[str(at)]
    assert got == alone
