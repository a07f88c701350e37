from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from garabench.core import events as ev
from garabench.core.clock import FakeClock
from garabench.core.geometry import Rect
from garabench.core.sections import Paragraph, Section
from garabench.core.tree import UiNode, UiTree
from garabench.errors import InputError
from garabench.records.content_store import ContentStore
from garabench.records.episode import Episode
from garabench.records.reader import Run
from garabench.records.run_layout import EVENTS, RESULTS, EpisodeKey
from garabench.records.run_writer import RunWriter
from garabench.report.section_sources import SectionSource
from garabench.report.viewer import viewer_app
from garabench.report.viewer.viewer_app import create_viewer
from tests.report.viewer.played_runs import (
    HOSTILE,
    PATH,
    PlayedScreen,
    begin_run,
    play,
    played_events,
    played_run,
)

ASK = {"Host": "127.0.0.1:80"}


def keys(writer: RunWriter) -> list[EpisodeKey]:
    return list(writer.file.episode_keys())


@pytest.fixture
def writer(tmp_path: Path) -> RunWriter:
    return played_run(tmp_path / "first")


Ask = Callable[[str], Any]


@pytest.fixture
def ask(writer: RunWriter) -> Iterator[Ask]:
    yield asking(writer.folder)


def asking(*folders: Path) -> Ask:
    client = TestClient(create_viewer(folders, suite=folders[0], clock=FakeClock()))

    def get(path: str) -> Any:
        response = client.get(path, headers=ASK)
        is_json = response.headers["content-type"].startswith("application/json")
        return response.json() if is_json and response.status_code == 200 else response

    return get


def test_the_list_has_every_episode(ask: Ask) -> None:
    found = ask("/api/episodes")
    assert [run["outcomes"] for run in found["runs"]] == [{"success": 3, "failure": 1}]
    assert [(row["id"], row["outcome"], row["interruptions"]) for row in found["rows"]][1] == (
        f"first/reader-find/solver/dual/{found['rows'][0]['seed']}",
        "success",
        ["app-update"],
    )
    assert ask(f"/api/episodes?since={found['version']}")["rows"] == []


def test_the_list_follows_a_run(tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "live", tasks=["a"])
    ask = asking(writer.folder)
    before = ask("/api/episodes")
    assert before["rows"] == []
    first, second = keys(writer)
    events = list(played_events(first, ContentStore.of_run(writer.folder)))
    play(writer, first, events[:4])
    begun = ask(f"/api/episodes?since={before['version']}")
    assert [(row["condition"], row["outcome"]) for row in begun["rows"]] == [("clean", "running")]
    play(writer, second)
    rows = ask(f"/api/episodes?since={begun['version']}")["rows"]
    assert [(row["condition"], row["outcome"], row["place"]) for row in rows] == [("dual", "success", 1)]
    address = f"/api/episode/live/{'/'.join(first.folder.parts[1:])}"
    assert ask(address)["events"] == 4
    assert ask(f"{address}?events=4")["unchanged"]


def test_the_page_of_an_episode_without_an_end_has_the_state_of_the_list(tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "live", tasks=["a"])
    first, second = keys(writer)
    events = list(played_events(first, ContentStore.of_run(writer.folder)))
    play(writer, first, events[:4])
    play(writer, second)
    log = writer.folder / second.folder / EVENTS
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    clock = FakeClock()
    written = clock.now().timestamp()
    os.utime(writer.folder / first.folder / EVENTS, (written, written))
    client = TestClient(create_viewer([writer.folder], suite=writer.folder, clock=clock))

    def state(key: EpisodeKey, query: str = "") -> dict[str, Any]:
        address = f"/api/episode/live/{'/'.join(key.folder.parts[1:])}{query}"
        data = client.get(address, headers=ASK).json()
        assert data.get("ended") is None
        return data["state"]

    assert state(first) == {"outcome": "running"}
    assert state(second) == {"outcome": "success", "reason": "goal_met"}
    clock.sleep(61)
    assert state(first) == state(first, "?events=4") == {"outcome": "stopped"}


def test_megabytes_in_the_results_are_cut_in_the_list(tmp_path: Path) -> None:
    writer = played_run(tmp_path / "first")
    results = writer.folder / RESULTS
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    lines[0] |= {"task": "x" * 1_000_000}
    lines[1] |= {"reason": "y" * 1_000_000, "exits": ["z" * 1_000_000]}
    results.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = asking(writer.folder)("/api/episodes")
    assert any("(1,000,000 characters)" in row["task"] for row in found["rows"])
    assert len(json.dumps(found)) < 20_000


def test_a_failure_that_is_not_known_to_be_one_is_unknown(tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "imported", tasks=["a"])
    key = keys(writer)[0]
    *events, end = played_events(key, ContentStore.of_run(writer.folder), succeeds=False)
    unread = ev.GoalChecked(step=end.step, t=end.t, holds=None, reason="the tool recorded no result")
    play(writer, key, [*events, unread, end])
    ask = asking(writer.folder)
    found = ask("/api/episodes")
    assert found["runs"][0]["outcomes"] == {"unknown": 1}
    row, page = found["rows"][0], ask(f"/api/episode/imported/{key}")["ended"]
    assert {(each["outcome"], each["reason"]) for each in (row, page)} == {
        ("unknown", "the tool recorded no result")
    }


def test_an_episode_has_frames_steps_and_life_lines(ask: Ask, writer: RunWriter) -> None:
    found = ask(f"/api/episode/first/{keys(writer)[1]}")
    assert [(frame["step"], frame["final"]) for frame in found["frames"]] == [
        (0, False),
        (1, False),
        (1, False),
        (2, False),
        (3, False),
        (3, True),
    ]
    assert [step.get("target") for step in found["steps"]] == ["“Continue”", "“Later”", "", ""]
    life = found["interruptions"][0]
    assert [moment["kind"] for moment in life["moments"]] == [
        "injected",
        "shown",
        "reported",
        "follow-up",
        "answered",
    ]
    assert found["steps"][1]["times"]["inject"] > 0
    assert [row["condition"] for row in found["partners"]] == ["clean", "dual"]


def test_trees_selectors_and_pictures(ask: Ask, writer: RunWriter) -> None:
    base = f"first/{keys(writer)[0]}/1"
    nodes = ask(f"/api/tree/{base}/0")["nodes"]
    assert [node.get("id") for node in nodes] == [None, "title", "query", "go"]
    assert ask(f"/api/selector/{base}/0/3")["selector"] == "{id: go}"
    assert ask(f"/picture/{base}/0").headers["content-type"] == "image/png"
    small = ask(f"/picture/{base}/0?width=160")
    assert (small.headers["content-type"], "immutable" in small.headers["cache-control"]) == (
        "image/jpeg",
        True,
    )
    for path in (f"/api/tree/{base}/99", f"/api/selector/{base}/0/99", f"/picture/{base}/99"):
        assert ask(path).status_code == 404


def test_earlier_attempts_have_addresses(writer: RunWriter) -> None:
    key = keys(writer)[0]
    play(writer, key, list(played_events(key, ContentStore.of_run(writer.folder)))[:3])
    ask = asking(writer.folder)
    latest, first = ask(f"/api/episode/first/{key}"), ask(f"/api/episode/first/{key}?attempt=1")
    assert (latest["attempt"], latest["attempts"], len(latest["frames"])) == (2, 2, 1)
    assert (first["attempt"], len(first["frames"])) == (1, 4)
    assert ask(f"/api/episode/first/{key}?attempt=3").status_code == 404


def test_side_by_side(ask: Ask, writer: RunWriter) -> None:
    clean, dual = keys(writer)[:2]
    found = ask(f"/api/side?left=first/{clean}&right=first/{dual}")
    assert [(row["left"], row["right"], row["kind"]) for row in found["rows"]] == [
        (0, 0, "same"),
        (None, 1, "right-only"),
        (1, 2, "same"),
        (2, 3, "same"),
    ]
    assert found["divergences"] == [{"first": 1, "converge": 2}]


@pytest.mark.parametrize(
    "path",
    [
        "/episode/first/nothing/solver/clean/1",
        "/episode/first/..%2f..%2fx/solver/clean/1",
        "/api/episode/other/reader-find/solver/clean/1",
        "/side?left=x&right=y",
        "/image/first/..%2f..%2frun.json",
        "/image/first/" + "a" * 64 + ".png",
    ],
)
def test_unknown_addresses_are_not_found(ask: Ask, path: str) -> None:
    assert ask(path).status_code == 404


def test_hostile_texts_are_data(tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "hostile", tasks=["a"])
    store = ContentStore.of_run(writer.folder)
    bad = PlayedScreen(
        "#000000", UiTree((UiNode(text="x" * 1_000_000, cls=HOSTILE, bounds=Rect(0, 0, 9, 9)),))
    )
    for key in keys(writer):
        play(writer, key, played_events(key, store, label=HOSTILE, path=[*PATH, (bad, {"type": "back"})]))
    ask = asking(writer.folder)
    page = ask(f"/episode/hostile/{keys(writer)[1]}")
    assert "<script>alert" not in page.text
    data = ask(f"/api/episode/hostile/{keys(writer)[1]}")
    assert data["instruction"].startswith("\"'><script>")
    tree = ask(f"/api/tree/hostile/{keys(writer)[0]}/1/3")
    assert len(json.dumps(tree)) < 5000
    assert tree["nodes"][0]["text"].endswith("(1,000,000 characters)")


def test_broken_records_are_named(writer: RunWriter) -> None:
    first, second, *_ = keys(writer)
    with (writer.folder / first.folder / EVENTS).open("a") as file:
        file.write('{"type":"observed"')  # a line that was cut off
    (writer.folder / second.folder / EVENTS).write_text("nonsense\n")
    (writer.folder / RESULTS).write_text("nonsense\n")
    for path in (writer.folder / "store").rglob("*.png"):
        path.unlink()
    ask = asking(writer.folder)
    found = ask("/api/episodes")
    problem = found["runs"][0]["problem"]
    assert "not a result" in problem
    assert problem.endswith(f"garabench runs rebuild {writer.folder}")
    assert [row["outcome"] for row in found["rows"]] == ["success", "unreadable", "success", "failure"]
    assert "not a line of JSON" in ask(f"/api/episode/first/{second}")["problem"]
    assert ask(f"/api/episode/first/{first}")["frames"][0]["size"] is None
    assert ask(f"/picture/first/{first}/1/0").status_code == 404
    side = ask(f"/api/side?left=first/{first}&right=first/{second}")
    assert "problem" in side["right"]


def test_runs_that_cannot_be_opened_are_listed(writer: RunWriter, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text('{"version": 99}')
    ask = asking(writer.folder, tmp_path / "broken", tmp_path / "nothing")
    problems = ask("/api/episodes")["problems"]
    assert [Path(each["folder"]).name for each in problems] == ["broken", "nothing"]
    with pytest.raises(InputError, match="no such folder"):
        create_viewer([tmp_path / "nothing"])


def test_conditions_need_the_suite(ask: Ask, writer: RunWriter) -> None:
    found = ask(f"/api/conditions/first/{keys(writer)[0]}/1/0")
    assert found["problem"].startswith("The conditions cannot be evaluated")


class _Broken(SectionSource):
    def episode_sections(self, run: Run, episode: Episode) -> tuple[Section, ...]:
        raise InputError("verdicts/<b>.json is broken")


class _Said(SectionSource):
    def episode_sections(self, run: Run, episode: Episode) -> tuple[Section, ...]:
        return (Section("said", f"About {episode.key.task}", (Paragraph(HOSTILE),)),)


def test_analyses_contribute_sections(ask: Ask, writer: RunWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = (_Broken("verifier", "verdicts"), _Said("graph", "graph"))
    monkeypatch.setattr(viewer_app, "SECTION_SOURCES", sources)
    page = ask(f"/sections/first/{keys(writer)[0]}").text
    assert "verdicts/&lt;b&gt;.json is broken" in page
    assert "About reader-find" in page
    assert "<script>alert" not in page
