"""The viewer in a real browser: filters, keyboard, side by side, live runs, hostile texts, accessibility."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from garabench.core.events import to_line
from garabench.core.geometry import Rect
from garabench.core.sections import (
    Chart,
    ChartKind,
    ChartPoint,
    ChartSeries,
    Details,
    Paragraph,
    Picture,
    Section,
    Table,
    TableColumn,
)
from garabench.core.tree import UiNode, UiTree
from garabench.records.content_store import ContentStore
from garabench.records.episode import Episode
from garabench.records.reader import Run, load_run
from garabench.records.run_layout import EVENTS, RESULTS
from garabench.records.run_writer import RunWriter
from garabench.report.section_sources import SectionSource
from garabench.report.viewer import viewer_app
from garabench.report.viewer.viewer_app import create_viewer
from garabench.suite.suite import Suite
from garabench.web.server import serving
from tests.browser.conftest import Visit
from tests.report.viewer.played_runs import (
    HOSTILE,
    PATH,
    SIZE,
    PlayedScreen,
    begin_run,
    play,
    played_events,
    played_run,
    transcript,
)


def view(*folders: Path) -> AbstractContextManager[str]:
    return serving(create_viewer(folders, suite=folders[0]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("runs") / "first"
    played_run(folder, tasks=[f"reader-{name}" for name in "abcd"], agents=["solver", "other"])
    with view(folder) as address:
        yield address


def episode(writer: RunWriter, number: int = 1) -> str:
    """Return the address of an episode's page; number 1 is an interrupted one."""
    return f"episode/{writer.folder.name}/{list(writer.file.episode_keys())[number]}"


def rows(page: Page) -> int:
    return page.locator("#episodes tbody tr").count()


def open_interrupted(page: Page, site: str) -> None:
    page.goto(f"{site}?condition=dual&agent=solver")
    page.locator("#episodes tbody tr a").first.click()
    expect(page.locator(".strip li")).to_have_count(6)


def fits(page: Page) -> bool:
    """Return whether the page does not scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_filters_and_search_are_in_the_address(visit: Visit, site: str) -> None:
    page = visit.page
    page.goto(site)
    expect(page.locator("#count")).to_have_text("16 episodes")
    page.get_by_label("Agent").select_option("solver")
    page.get_by_label("Outcome").select_option("failure")
    expect(page.locator("#count")).to_contain_text("of 16 episodes")
    assert "agent=solver" in page.url
    assert "outcome=failure" in page.url
    number = rows(page)
    page.reload()
    expect(page.locator("#episodes tbody tr")).to_have_count(number)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#count")).to_have_text("16 episodes")
    page.keyboard.press("/")
    page.keyboard.type("reader-b clean")
    expect(page.locator("#episodes tbody tr")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.get_by_label("Search")).to_have_value("")
    expect(page.get_by_label("Search")).not_to_be_focused()
    expect(page.locator("#count")).to_have_text("16 episodes")
    page.get_by_label("Search").fill("no such episode")
    expect(page.locator("#count")).to_have_text("No episode matches the filters.")


def test_rows_state_run_and_seed_where_they_differ(visit: Visit, site: str, tmp_path: Path) -> None:
    page = visit.page
    page.goto(site)
    expect(page.locator("#count")).to_have_text("16 episodes")
    assert page.locator(".detail").count() == 0
    played_run(tmp_path / "one", tasks=["reader-a"], seeds=2)
    played_run(tmp_path / "two", tasks=["reader-a"])
    with view(tmp_path / "one", tmp_path / "two") as address:
        page.goto(address)
        expect(page.locator("#count")).to_have_text("6 episodes")
        texts = page.locator("#episodes tbody tr").all_inner_texts()
        assert len({tuple(text.split("\t")[:3]) for text in texts}) == len(texts)
        assert "run one" in texts[0]
        assert "seed " in texts[0]
        assert fits(page)
        page.goto("about:blank")  # ends its requests


def test_columns_are_sorted(visit: Visit, site: str) -> None:
    page = visit.page
    page.goto(site)
    page.get_by_role("button", name="Steps").click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Steps ▴")
    page.get_by_role("button", name="Steps").click()
    expect(page.locator("th[aria-sort=descending]")).to_have_text("Steps ▾")
    assert "sort=steps%3Adown" in page.url


def test_the_list_is_used_by_keyboard(visit: Visit, site: str) -> None:
    page = visit.page
    page.goto(site)
    expect(page.locator("#count")).to_have_text("16 episodes")
    for key in ("j", "j", "k", "j"):
        page.keyboard.press(key)
    expect(page.locator("tr.selected td").nth(2)).to_have_text("dual")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator(".aligned")).to_have_count(4)
    page.go_back()
    expect(page.locator("#count")).to_have_text("16 episodes")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/episode/**")


def test_steps_are_walked_and_linked(visit: Visit, site: str) -> None:
    page = visit.page
    open_interrupted(page, site)
    page.keyboard.press("j")
    expect(page.locator(".mover")).to_contain_text("Step 1 of 3")
    assert page.url.endswith("#step-1")
    page.keyboard.press("G")
    expect(page.locator(".mover")).to_contain_text("End")
    page.keyboard.press("k")
    expect(page.locator(".mover")).to_contain_text("Step 3")
    address = page.url
    page.goto(site)
    page.goto(address)
    expect(page.locator(".strip a[aria-current=step]")).to_contain_text("step 3")
    page.goto(address.replace("#step-3", "#step-1a"))
    expect(page.locator(".mover")).to_contain_text("Step 1a")


def test_actions_are_drawn(visit: Visit, site: str) -> None:
    page = visit.page
    open_interrupted(page, site)
    drawings = page.locator(".strip .drawing")
    expect(drawings.nth(0).locator(".tap")).to_have_count(1)
    expect(drawings.nth(1).locator("*")).to_have_count(0)
    expect(drawings.nth(3).locator("text")).to_have_text("“岩石”")
    expect(drawings.nth(4).locator("polygon")).to_have_count(1)
    assert drawings.nth(0).get_attribute("viewBox") == f"0 0 {SIZE[0]} {SIZE[1]}"


def test_tree_and_screen_are_linked_in_both_directions(visit: Visit, site: str) -> None:
    page = visit.page
    open_interrupted(page, site)
    page.locator(".node", has_text="#go").hover()
    expect(page.locator(".stage rect.hovered")).to_have_attribute("x", "160")
    page.mouse.move(0, 0)
    expect(page.locator(".stage rect.hovered")).to_have_count(0)
    shot = page.locator(".stage .screen")
    area = shot.bounding_box()
    assert area is not None
    shot.hover(position={"x": area["width"] / 2, "y": area["height"] * 1080 / SIZE[1]})
    expect(page.locator(".node.hovered")).to_contain_text("#go")
    shot.click(position={"x": area["width"] / 2, "y": area["height"] * 1080 / SIZE[1]})
    expect(page.get_by_label("Selector of the picked element")).to_have_value("{id: go}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".selector")).to_contain_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == "{id: go}"


def test_panels(visit: Visit, site: str) -> None:
    page = visit.page
    open_interrupted(page, site)
    page.goto(page.url + "#step-1")
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("Injected because 2 of 2 keywords are on the screen")
    page.keyboard.press("2")
    expect(panel).to_contain_text("The conditions cannot be evaluated")
    page.keyboard.press("3")
    expect(panel).to_contain_text("has no prompts")
    page.keyboard.press("4")
    expect(panel.locator("tbody tr")).to_have_count(4)
    page.keyboard.press("5")
    expect(panel).to_contain_text("interruption_injected")


def test_side_by_side(visit: Visit, site: str) -> None:
    page = visit.page
    open_interrupted(page, site)
    page.get_by_role("link", name="next to clean").click()
    expect(page.locator(".aligned")).to_have_count(4)
    expect(page.locator(".notice")).to_contain_text(
        "They diverge at step 1 on the right and converge at step 1 on the left and step 2 on the right."
    )
    expect(page.locator("#row-1")).to_contain_text("They diverge here")
    expect(page.locator("#row-2")).to_contain_text("They converge here")
    page.keyboard.press("n")
    assert page.url.endswith("#row-1")
    page.keyboard.press("n")
    assert page.url.endswith("#row-2")
    page.keyboard.press("k")
    assert page.url.endswith("#row-1")
    assert visit.serious_barriers() == []


def test_nothing_is_behind_a_scroll_bar_on_paper(visit: Visit, site: str) -> None:
    page = visit.page
    page.set_viewport_size({"width": 400, "height": 900})
    open_interrupted(page, site)
    page.emulate_media(media="print")
    hidden = "each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1"
    for part in (".strip", ".tree"):
        assert not page.locator(part).evaluate(hidden)
    expect(page.locator(".tabs button:visible")).to_have_count(1)


def test_a_running_episode_is_followed(visit: Visit, tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "live", tasks=["a"])
    store = ContentStore.of_run(writer.folder)
    first, second = writer.file.episode_keys()
    events = list(played_events(first, store))
    play(writer, first, events[:3])
    page = visit.page
    with view(writer.folder) as address:
        page.goto(f"{address}episode/live/{first}")
        expect(page.locator("#live")).to_have_text("Live")
        expect(page.locator(".strip li")).to_have_count(1)
        with (writer.folder / first.folder / EVENTS).open("a") as file:
            file.write("".join(map(to_line, events[3:])))
        expect(page.locator(".strip li")).to_have_count(4)
        expect(page.locator(".facts")).to_contain_text("success")
        page.goto(address)
        expect(page.locator("#episodes tbody tr")).to_have_count(1)
        play(writer, second)
        expect(page.locator("#episodes tbody tr")).to_have_count(2)
        page.goto("about:blank")  # ends its requests


def test_a_truncated_log_is_not_shown_as_running(visit: Visit, tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "live", tasks=["a"])
    first, _ = writer.file.episode_keys()
    play(writer, first)
    log = writer.folder / first.folder / EVENTS
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    page = visit.page
    with view(writer.folder) as address:
        page.goto(f"{address}episode/live/{first}#step-29999")
        expect(page.locator(".facts .badge").first).to_have_text("success")
        expect(page.locator("main")).to_contain_text("The log is truncated")
        expect(page.locator("#live")).to_have_text("")
        expect(page.locator("main")).to_contain_text("There is no step 29999.")
        page.keyboard.press("g")
        expect(page.locator("main")).not_to_contain_text("There is no step")


def test_megabytes_in_the_results_do_not_widen_the_list(visit: Visit, tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "long", tasks=["a"])
    for key in writer.file.episode_keys():
        play(writer, key)
    results = writer.folder / RESULTS
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    lines[0] |= {"task": "x" * 1_000_000}
    lines[1] |= {"reason": "y" * 1_000_000, "exits": ["z" * 1_000_000]}
    results.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    page = visit.page
    with view(writer.folder) as address:
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(address)
            expect(page.locator("#episodes tbody tr")).to_have_count(3)
            table = page.locator("#episodes").bounding_box()
            assert table is not None
            assert table["width"] <= width


def test_hostile_texts_are_shown_as_texts(visit: Visit, tmp_path: Path) -> None:
    writer = begin_run(tmp_path / "hostile", tasks=["a"])
    store = ContentStore.of_run(writer.folder)
    huge = UiNode(text="x" * 1_000_000, desc=HOSTILE, cls=HOSTILE, bounds=Rect(0, 0, 200, 200))
    path = [*PATH, (PlayedScreen("#000000", UiTree((huge,))), {"type": "type", "text": HOSTILE})]
    for key in writer.file.episode_keys():
        play(writer, key, played_events(key, store, label=HOSTILE, path=path))
    page = visit.page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    clean, dual = writer.file.episode_keys()
    with view(writer.folder) as address:
        page.goto(f"{address}{episode(writer)}#step-4")
        expect(page.locator(".instruction")).to_contain_text("⟨U+202E⟩evil⟨U+202C⟩⟨U+0007⟩{{ 7 * 7 }}")
        expect(page.locator(".node")).to_have_count(1)
        page.locator(".node").click()
        expect(page.get_by_label("Selector of the picked element")).to_have_value("{class: '{{ 7 * 7 }}'}")
        for number in range(1, 6):
            page.keyboard.press("Escape")
            page.keyboard.press(str(number))
            expect(page.get_by_role("tabpanel")).not_to_be_empty()
        assert page.locator("main script, main img[src=x]").count() == 0
        assert fits(page)
        page.goto(f"{address}side?left=hostile/{clean}&right=hostile/{dual}")
        expect(page.locator(".aligned")).to_have_count(5)
        page.goto(address)
        expect(page.locator("#count")).to_have_text("2 episodes")
        page.goto("about:blank")  # ends its requests
    assert dialogs == []


class _Charts(SectionSource):
    """An analysis with every kind of block."""

    def episode_sections(self, run: Run, episode: Episode) -> tuple[Section, ...]:
        points = tuple(
            ChartPoint(name, value, value - 1, value + 1) for name, value in (("a", 2.0), ("b", 3.0))
        )
        chart = Chart("Points", ChartKind.INTERVALS, "Task", "Score", (ChartSeries("one", points),))
        table = Table("A table", (TableColumn("Name", help="A name"),), ((HOSTILE,),))
        picture = Picture(episode.observations[0].event.screen, "The first screen")
        return (
            Section(
                "all", "All blocks", (Paragraph(HOSTILE), chart, table, picture, Details("More", (table,)))
            ),
        )


def test_sections_of_analyses(visit: Visit, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer_app, "SECTION_SOURCES", (_Charts("graph", "graph"),))
    page = visit.page
    open_interrupted(page, site)
    section = page.locator("#sections")
    expect(section.get_by_role("heading", name="All blocks")).to_be_visible()
    expect(section.locator("svg").first).to_be_visible()
    section.locator("img").scroll_into_view_if_needed()
    expect(section.locator("img")).to_have_js_property("complete", True)
    assert section.locator("script").count() == 0
    assert (fits(page), visit.serious_barriers()) == (True, [])


def test_conditions_of_goal_and_rules(visit: Visit, tmp_path: Path, suite: Suite) -> None:
    writer = played_run(tmp_path / "liked", tasks=["like-a"])
    page = visit.page
    page.set_viewport_size({"width": 360, "height": 780})
    with serving(create_viewer([writer.folder], suite=suite.root)) as address:
        page.goto(f"{address}{episode(writer)}#step-2")
        page.get_by_role("tab", name="Goal and rules").click()
        panel = page.get_by_role("tabpanel")
        expect(panel).to_contain_text("The suite has changed since this run")
        expect(panel.locator(".trace tbody td")).to_have_count(6)
        expect(panel).to_contain_text("battery does not match")
        assert (fits(page), visit.serious_barriers()) == (True, [])
        panel.locator(".trace").get_by_role("link", name="end").click()
        expect(page.locator(".mover")).to_contain_text("End")
        page.goto("about:blank")  # ends its requests


def test_prompts_and_replies(visit: Visit, tmp_path: Path) -> None:
    writer = played_run(tmp_path / "model", tasks=["a"])
    clean = next(iter(writer.file.episode_keys()))
    attempt = load_run(writer.folder).episode(clean)
    assert attempt is not None
    sent = f"{attempt.observations[0].event.screen}.png"
    folder = attempt.folder / "requests"
    folder.mkdir()
    (folder / "000.json").write_text(json.dumps(transcript(sent)))
    page = visit.page
    with view(writer.folder) as address:
        page.goto(f"{address}episode/model/{clean}#step-0")
        page.get_by_role("tab", name="Prompt and reply").click()
        panel = page.get_by_role("tabpanel")
        expect(panel.locator(".message")).to_have_count(2)
        expect(panel.locator("img")).to_have_js_property("complete", True)
        expect(panel).to_contain_text("Thought: \"'><script>alert(1)</script>")
        expect(panel).to_contain_text("7 sent, 2 received")
        assert visit.serious_barriers() == []
        page.goto("about:blank")  # ends its requests


def test_broken_records_are_said(visit: Visit, tmp_path: Path) -> None:
    writer = played_run(tmp_path / "broken", tasks=["a"])
    clean, dual = writer.file.episode_keys()
    (writer.folder / dual.folder / EVENTS).write_text("nonsense\n")
    for picture in (writer.folder / "store").rglob("*.png"):
        picture.unlink()
    page = visit.page
    with view(writer.folder) as address:
        page.goto(f"{address}episode/broken/{clean}")
        expect(page.locator(".stage .missing")).to_have_text("screenshot missing")
        page.goto(f"{address}episode/broken/{dual}")
        expect(page.locator(".notice")).to_contain_text("not a line of JSON")
        page.goto(f"{address}side?left=broken/{clean}&right=broken/{dual}")
        expect(page.locator(".notice").first).to_contain_text("not a line of JSON")
        page.goto("about:blank")  # ends its requests


SCHEMES = ("light", "dark")
Size = tuple[int, int]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [(1280, 800), (360, 780)])
def test_pages_fit_and_have_no_barriers(visit: Visit, site: str, scheme: str, size: Size) -> None:
    page = visit.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    checks: dict[str, Callable[[], None]] = {
        "list": lambda: expect(page.locator("#count")).to_have_text("16 episodes"),
        "episode": lambda: expect(page.locator(".node").first).to_be_visible(),
        "side": lambda: expect(page.locator(".aligned")).to_have_count(4),
    }
    page.goto(site)
    checks["list"]()
    assert (fits(page), visit.serious_barriers()) == (True, [])
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    page.goto(f"{site}?condition=dual")
    page.locator("#episodes tbody tr a").first.click()
    checks["episode"]()
    for tab in ("1", "2", "3", "4", "5"):
        page.keyboard.press(tab)
        expect(page.get_by_role("tabpanel")).not_to_be_empty()
        assert (tab, fits(page), visit.serious_barriers()) == (tab, True, [])
    page.locator(".links a").first.click()
    checks["side"]()
    assert (fits(page), visit.serious_barriers()) == (True, [])


def test_unknown_pages_are_said(visit: Visit, site: str) -> None:
    page = visit.page
    page.goto(f"{site}episode/first/nothing/solver/clean/1")
    expect(page.get_by_role("heading", name="Not Found")).to_be_visible()
    assert len(visit.errors) == 1  # the browser's own line about the status
    visit.errors.clear()
