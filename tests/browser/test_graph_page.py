"""The page of trajectory graphs in a browser, opened from disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from garabench.core.seeds import generator
from garabench.graph.action_trajectory import ActionStep, ActionTrajectory
from garabench.graph.analysis import GraphAnalysis, analyze
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import GraphOptions
from garabench.graph.graph_page import graph_page
from tests.browser.conftest import Visit
from tests.graph.made_trajectories import tap, trajectory

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
HOSTILE = "</script><img src=x onerror=document.title='broken'>\"'\u202e\ud800 {{ 7*7 }}"
WORDINGS = ("open the menu of settings", "open the menus of settings", "open that menu of my setting")


def worded(wording: str) -> CanonicalAction:
    return CanonicalAction("click", "shop", "", "", wording)


def small() -> list[ActionTrajectory]:
    first = [
        trajectory("ABC", True, 1),
        trajectory("ABCC", True, 2, agent="two"),
        trajectory("A!iXBC", True, 3, condition="dual"),
        trajectory("A!iXYX", False, 4, agent="two", condition="dual"),
    ]
    second = [
        trajectory(
            "", number != 2, 10 + number, task="words", steps=(ActionStep(tap("A")), ActionStep(worded(text)))
        )
        for number, text in enumerate(WORDINGS)
    ]
    return [*first, *second]


def written(folder: Path, analysis: GraphAnalysis, **more: Any) -> str:
    path = folder / "graphs.html"
    path.write_text(graph_page(analysis, **more), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(visit: Visit, tmp_path: Path) -> GraphAnalysis:
    found = small()
    pictured = [
        ActionStep(step.action, step.number, step.state, "f" * 64) if step.action == tap("A") else step
        for step in found[0].steps
    ]
    found[0] = trajectory("", True, 1, steps=tuple(pictured))
    analysis = analyze(found)
    visit.page.goto(written(tmp_path, analysis, thumbnails={("run", "f" * 64): PIXEL}, width=8))
    return analysis


GRAPH = """() => {
  const graph = graphPage.current();
  const label = (key) => graph.nodes.get(key).action.label;
  return {
    nodes: [...graph.nodes.values()].map((node) => [
      node.action.label, node.visits, node.value, node.importance,
    ]),
    edges: [...graph.edges.values()].map((edge) => [
      label(edge.source), label(edge.target), edge.count, edge.ratio, edge.kind,
    ]),
  };
}"""


NODE_A = "graphPage.views[side].cy.nodes().filter((node) => node.data('label').startsWith('tap A'))"


def shown(visit: Visit) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = visit.page.evaluate(GRAPH)
    return {name: sorted(rows) for name, rows in found.items()}


def expected(analysis: GraphAnalysis, task: int) -> dict[str, list[list[Any]]]:
    graph = analysis.tasks[task].graph
    labels = {node.id: node.action.label for node in graph.nodes}
    return {
        "nodes": sorted(
            [node.action.label, node.visits, node.value, node.importance] for node in graph.nodes
        ),
        "edges": sorted(
            [labels[edge.source], labels[edge.target], edge.count, edge.ratio, edge.kind.value]
            for edge in graph.edges
        ),
    }


def assert_equal(found: dict[str, list[list[Any]]], wanted: dict[str, list[list[Any]]]) -> None:
    assert found.keys() == wanted.keys()
    for name, rows in wanted.items():
        assert [row[:2] for row in found[name]] == [row[:2] for row in rows]
        for row, other in zip(found[name], rows, strict=True):
            numbers = [value for value in other if isinstance(value, int | float)]
            assert [value for value in row if isinstance(value, int | float)] == pytest.approx(
                numbers, abs=1e-9
            )
            assert [value for value in row if isinstance(value, str)] == [
                v for v in other if isinstance(v, str)
            ]


def columns(visit: Visit, table: str) -> Sequence[str]:
    return visit.page.locator(f"{table} tbody tr th").all_inner_texts()


def test_the_page_computes_the_same_graph(visit: Visit, opened: GraphAnalysis) -> None:
    assert_equal(shown(visit), expected(opened, 0))
    visit.page.locator("#task").select_option(label="words")
    assert_equal(shown(visit), expected(opened, 1))


def test_the_threshold_merges_wordings(visit: Visit, opened: GraphAnalysis) -> None:
    page = visit.page
    page.locator("#task").select_option(label="words")
    expect(page.locator("#theta-note")).to_have_text("1 of 2 similar wordings are merged.")
    for theta, nodes in (("0.75", 2), ("0.97", 4), ("0.9", 3)):
        page.locator("#theta").fill(theta)
        page.locator("#theta").dispatch_event("change")
        assert len(shown(visit)["nodes"]) == nodes
        again = analyze(small(), GraphOptions(theta=float(theta)))
        assert_equal(shown(visit), expected(again, 1))


def test_before_and_after_merging(visit: Visit, opened: GraphAnalysis) -> None:
    page = visit.page
    counts = {}
    for name in ("not merged", "merged within a step", "merged"):
        page.get_by_label(name, exact=True).check()
        counts[name] = len(shown(visit)["nodes"])
    steps = sum(len(each.steps) for each in opened.tasks[0].trajectories)
    assert counts["not merged"] == steps
    assert counts["merged"] == len(opened.tasks[0].graph.nodes) < counts["merged within a step"] < steps


def test_filters_and_highlight(visit: Visit, opened: GraphAnalysis) -> None:
    page = visit.page
    assert len(columns(visit, "#trajectories")) == 4
    page.get_by_label("dual").uncheck()
    assert {row[0] for row in shown(visit)["nodes"]} == {"tap A", "tap B", "tap C"}
    page.get_by_label("dual").check()
    page.get_by_label("two").uncheck()
    assert len(columns(visit, "#trajectories")) == 2
    page.get_by_label("two").check()
    page.get_by_label("failure", exact=True).check()
    assert columns(visit, "#trajectories") == ["run/004"]
    page.get_by_label("all", exact=True).check()
    page.get_by_role("button", name="run/004").click()
    expect(page.locator("#trajectory-note")).to_contain_text("Failure")
    on = page.evaluate(
        "graphPage.views.left.cy.nodes('.on').map((node) => node.data('label').split('\\n')[0])"
    )
    assert sorted(on) == ["Failure", "Start", "tap A", "tap X", "tap Y", "⚡ i"]


def test_clean_beside_interrupted(visit: Visit, opened: GraphAnalysis) -> None:
    page = visit.page
    page.get_by_label("clean beside interrupted").check()
    left, right = (
        set(
            page.evaluate(
                f"[...graphPage.views.{side}.graph.nodes.values()].map((node) => node.action.label)"
            )
        )
        for side in ("left", "right")
    )
    assert left == {"tap A", "tap B", "tap C"}
    assert {"⚡ i", "tap X", "tap Y"} <= right
    places = page.evaluate(f"['left', 'right'].map((side) => {NODE_A}.position())")
    assert places[0] == places[1], "the same action is at the same place"
    row = page.locator("#interruptions table").nth(1).locator("tbody tr")
    assert row.locator("th").inner_text() == "i"
    assert row.locator("td").all_inner_texts()[4:6] == ["1/2", "1.0"]


def test_hovering_shows_the_screen(visit: Visit, opened: GraphAnalysis) -> None:
    page = visit.page
    at = page.evaluate(
        f"(() => {{ const side = 'left', node = {NODE_A};"
        " const box = document.getElementById('left').getBoundingClientRect(), p = node.renderedPosition();"
        " return [box.left + p.x, box.top + p.y]; })()"
    )
    page.mouse.move(at[0] + 3, at[1])
    page.mouse.move(*at)
    expect(page.locator("#tip img")).to_have_attribute("src", PIXEL)
    page.mouse.click(*at)
    expect(page.locator("#details h2")).to_have_text("tap A")
    expect(page.locator("#details img")).to_have_attribute("alt", "Screen before: tap A")


def test_everything_is_in_the_tables(visit: Visit, opened: GraphAnalysis) -> None:
    graph = opened.tasks[0].graph
    assert sorted(columns(visit, "#nodes")) == sorted(node.action.label for node in graph.nodes)
    assert len(columns(visit, "#edges")) == len(graph.edges)
    visit.page.locator("#nodes").get_by_role("button", name="tap X").click()
    expect(visit.page.locator("#details h2")).to_have_text("tap X")
    assert visit.serious_barriers() == []


def test_both_themes_are_legible(visit: Visit, opened: GraphAnalysis) -> None:
    visit.page.emulate_media(color_scheme="dark")
    visit.page.wait_for_function("getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'")
    assert visit.serious_barriers() == []


def test_hostile_texts_stay_text(visit: Visit, tmp_path: Path) -> None:
    steps = (ActionStep(tap(HOSTILE, argument=HOSTILE)), ActionStep(tap("B")))
    found = trajectory("", True, 1, steps=steps, task=HOSTILE, agent=HOSTILE, id=HOSTILE, reason=HOSTILE)
    visit.page.goto(written(tmp_path, analyze([found]), title="graphs"))
    assert visit.page.title() == "graphs"
    assert visit.page.locator("img").count() == 0
    assert "onerror" in visit.page.locator("h1").inner_text()
    assert "There is only one trajectory" in visit.page.locator("#limits").inner_text()


@pytest.mark.parametrize(
    "found",
    [
        [],
        [trajectory("", False)],
        [trajectory("A" * 200, False)],
        [trajectory("AB" * 100, True, n) for n in range(3)],
    ],
)
def test_bad_input_has_a_page(visit: Visit, tmp_path: Path, found: list[ActionTrajectory]) -> None:
    visit.page.goto(written(tmp_path, analyze(found)))
    assert "NaN" not in visit.page.locator("body").inner_text()
    assert "undefined" not in visit.page.locator("body").inner_text()


def test_two_thousand_nodes(visit: Visit, tmp_path: Path) -> None:
    random = generator(0, "page")
    found = []
    for number in range(100):
        path = [number * 20 + step for step in range(20)]
        path[random.randrange(20)] = random.randrange(2000)  # now and then paths meet
        steps = tuple(ActionStep(tap(f"element_{target}")) for target in path)
        found.append(
            trajectory("", number % 2 == 0, number, steps=steps, condition="clean" if number % 3 else "dual")
        )
    analysis = analyze(
        [*found, trajectory("", True, 999, steps=tuple(ActionStep(tap(f"element_{n}")) for n in range(2000)))]
    )
    assert len(analysis.tasks[0].graph.nodes) == 2000
    page = visit.page
    page.goto(written(tmp_path, analysis))
    assert page.evaluate("graphPage.views.left.cy.nodes().length") == 2003
    page.get_by_label("success", exact=True).check()
    page.get_by_role("button", name="Fit to window").click()
    page.get_by_label("detour").check()
    assert len(columns(visit, "#nodes")) == 200
    page.get_by_role("button", name="Show all").first.click()
    assert len(columns(visit, "#nodes")) > 1000
