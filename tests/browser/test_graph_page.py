"""The page of trajectory graphs in a browser, opened from disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from garabench.core.seeds import generator
from garabench.graph.action_trajectory import ActionStep, ActionTrajectory
from garabench.graph.analysis import GraphAnalysis, analyze
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import GraphOptions
from garabench.graph.detours import InterruptionState, interruption_states
from garabench.graph.graph_page import graph_page
from garabench.graph.strategies import mean_inflation
from garabench.graph.task_analysis import TaskAnalysis
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


NODE_A = "pane.cy.nodes().filter((node) => node.data('label').startsWith('tap A'))"


def facts(visit: Visit) -> list[list[Any]]:
    """Number, necessity, inflation, strategy and early end of each trajectory that is left."""
    found: list[list[Any]] = visit.page.evaluate(
        """() => graphPage.current().chosen.map((index) => {
          const one = graphPage.compared().facts.get(index);
          return [index, one.necessary, one.inflation, one.strategy || null, one.early];
        })"""
    )
    return found


def summary(visit: Visit) -> dict[str, str]:
    rows = visit.page.locator("#summary > div")
    return dict(zip(rows.locator("dt").all_inner_texts(), rows.locator("dd").all_inner_texts(), strict=True))


def interruption_rows(visit: Visit) -> list[list[str]]:
    rows = visit.page.locator("#interruptions table").nth(1).locator("tbody tr").all()
    return sorted(row.locator("th, td").all_inner_texts() for row in rows)


def expected_facts(task: TaskAnalysis) -> list[list[Any]]:
    return [
        [list(one.necessary), one.inflation, one.strategy and one.strategy.value, one.early]
        for one in task.paths.facts
    ]


def expected_states(states: Sequence[InterruptionState]) -> list[list[str]]:
    return sorted(
        [
            state.interruption,
            state.place,
            state.mode,
            str(state.shown),
            f"{state.success.successes}/{state.success.trials}",
            f"{state.lost}/{state.pairs}",
            "–" if state.extra is None else f"{state.extra:.1f}",
            "–" if state.depth is None else f"{state.depth:.1f}",
            f"{state.returned.successes}/{state.returned.trials}",
            "; ".join(f"{each.exit} {each.success.successes}/{each.success.trials}" for each in state.exits),
        ]
        for state in states
    )


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
    page.get_by_role("checkbox", name="dual").uncheck()
    assert {row[0] for row in shown(visit)["nodes"]} == {"tap A", "tap B", "tap C"}
    page.get_by_role("checkbox", name="dual").check()
    page.get_by_role("checkbox", name="two").uncheck()
    assert len(columns(visit, "#trajectories")) == 2
    page.get_by_role("checkbox", name="two").check()
    page.get_by_label("failure", exact=True).check()
    assert columns(visit, "#trajectories") == ["run/004"]
    page.get_by_label("all", exact=True).check()
    page.get_by_role("button", name="run/004").click()
    expect(page.locator("#trajectory-note")).to_contain_text("Failure")
    page.get_by_label("one graph").check()
    on = page.evaluate(
        "graphPage.panes()[0].cy.nodes('.on').map((node) => node.data('label').split('\\n')[0])"
    )
    assert sorted(on) == ["Failure", "Start", "tap A", "tap X", "tap Y", "⚡ i"]


def test_conditions_side_by_side(visit: Visit, tmp_path: Path) -> None:
    found = [*small()[:4], trajectory("A!iZC", True, 5, condition="forced")]
    analysis = analyze(found)
    page = visit.page
    page.goto(written(tmp_path, analysis))
    titles = [words.split()[0] for words in page.locator("#panes figcaption").all_inner_texts()]
    assert titles == ["clean", "dual", "forced"]
    boxes = [canvas.bounding_box() for canvas in page.locator("#panes .canvas").all()]
    assert len({box["y"] for box in boxes if box}) == 1, "the panes are side by side"
    assert len({box["x"] for box in boxes if box}) == 3
    expect(page.locator("#legend")).to_contain_text("V value within the graph of its condition")
    clean, dual, forced = page.evaluate(
        "graphPage.panes().map((pane) => [...pane.graph.nodes.values()].map((node) => node.action.label))"
    )
    assert set(clean) == {"tap A", "tap B", "tap C"}
    assert set(dual) == {"tap A", "⚡ i", "tap X", "tap B", "tap C", "tap Y"}
    assert set(forced) == {"tap A", "⚡ i", "tap Z", "tap C"}
    places = page.evaluate(f"graphPage.panes().map((pane) => {NODE_A}.renderedPosition())")
    assert places[0] == places[1] == places[2], "the same action is at the same place"
    # The detours, where paths return and end, and what is no longer taken.
    marked = page.evaluate(
        """() => graphPage.panes()[2].cy.elements('.detour, .back, .off, .ghost').map((each) =>
          [each.classes().join(' '), each.data('label').replace('\\n', ' ').split('\\n')[0]])"""
    )
    names = {label.split(" · ")[0].split(" 1×")[0]: classes for classes, label in marked if label}
    assert names["tap Z"] == "detour"
    assert names["tap C"] == "back"
    assert names["tap B"] == "ghost"
    page.evaluate("graphPage.panes()[0].cy.pan({ x: 5, y: 7 })")
    assert page.evaluate("graphPage.panes()[2].cy.pan()") == {"x": 5, "y": 7}, "the panes move together"
    page.get_by_label("one above the other").check()
    boxes = [canvas.bounding_box() for canvas in page.locator("#panes .canvas").all()]
    assert len({box["x"] for box in boxes if box}) == 1
    page.get_by_label("one graph").check()
    assert page.locator("#panes .canvas").count() == 1
    assert visit.serious_barriers() == []


def test_an_interruption_names_its_exits(visit: Visit, opened: GraphAnalysis) -> None:
    visit.page.locator("#nodes").get_by_role("button", name="⚡ i").click()
    words = visit.page.locator("#details").inner_text()
    assert "exit open: 1 of 2 succeeded (50%)" in words
    assert "back on the clean graph 1 of 2 times, after 1.0 actions; lost pairs 1 of 2" in words


def test_filters_compute_everything_again(visit: Visit, tmp_path: Path) -> None:
    made = [
        trajectory("ABC", True, 1, states="pqr", final_state="s"),
        trajectory("ABABC", True, 2, agent="two", states="pqpqr", final_state="s"),
        trajectory("A!iXBC", True, 3, condition="dual", states="pxqr", final_state="s"),
        trajectory("A!iXYX", False, 4, agent="two", condition="dual"),
        trajectory("A!jBC", True, 5, agent="two", condition="forced"),
        trajectory("AXXDC", True, 6, agent="two", seed=3),
        trajectory("A!iAXDDC!j", False, 7, agent="two", condition="dual", seed=3),
    ]
    page = visit.page
    whole = analyze(made).tasks[0]
    page.goto(written(tmp_path, analyze(made)))
    assert [row[1:] for row in facts(visit)] == expected_facts(whole)
    clean = [each for each in made if each.condition == "clean"]
    assert interruption_rows(visit) == expected_states(
        interruption_states(whole.view.detours, clean, by_mode=True)
    )
    # By agent: as if the other agents had not run.
    page.get_by_role("checkbox", name="one").uncheck()
    own = analyze([each for each in made if each.agent == "two"])
    task = own.tasks[0]
    assert_equal(shown(visit), expected(own, 0))
    assert [row[1:] for row in facts(visit)] == expected_facts(task)
    assert interruption_rows(visit) == expected_states(
        interruption_states(task.view.detours, clean, by_mode=True)
    )
    inflation = mean_inflation(task.paths.facts)
    assert inflation is not None
    assert task.view.depth is not None
    wanted = {
        "Trajectories": "5 of 7",
        "Success": "3/5 (60%)",
        "Shortest success": str(task.paths.shortest),
        "Inflation": f"{inflation:.2f}",
        "Path diversity": f"{task.diversity.normalized:.2f}",
        "Recovery depth": f"{task.view.depth:.1f}",
    }
    assert {name: summary(visit)[name] for name in wanted} == wanted
    rows = page.locator("#interruptions table").nth(0).locator("tbody tr").all()
    assert [row.locator("td").all_inner_texts()[3:] for row in rows] == [
        [
            str(len(row.new_nodes)),
            str(len(row.new_edges)),
            str(len(row.missing_edges)),
            str(sum(count for _, count in row.ends)),
        ]
        for row in task.view.conditions
    ]
    # By outcome: the counts change, what they are compared with does not.
    page.get_by_label("failure", exact=True).check()
    failures = [detour for detour in task.view.detours if not detour.trajectory.success]
    assert interruption_rows(visit) == expected_states(interruption_states(failures, clean, by_mode=True))
    assert summary(visit)["Success"] == "0/2 (0%)"
    assert summary(visit)["Shortest success"] == str(task.paths.shortest)
    page.get_by_role("checkbox", name="two").uncheck()
    expect(page.locator("#limits")).to_have_text("No trajectory is left.")
    assert "NaN" not in page.locator("body").inner_text()


def test_hovering_shows_the_screen(visit: Visit, opened: GraphAnalysis) -> None:
    page = visit.page
    at = page.evaluate(
        f"(() => {{ const pane = graphPage.panes()[0], node = {NODE_A};"
        " const box = pane.canvas.getBoundingClientRect(), p = node.renderedPosition();"
        " return [box.left + p.x, box.top + p.y]; })()"
    )
    page.mouse.move(at[0] + 3, at[1])
    page.mouse.move(*at)
    expect(page.locator("#tip img")).to_have_attribute("src", PIXEL)
    page.mouse.click(*at)
    expect(page.locator("#details h2")).to_have_text("tap A")
    expect(page.locator("#details img")).to_have_attribute("alt", "Screen before: tap A")


def test_the_screen_of_a_low_node_is_not_cut_off(visit: Visit, tmp_path: Path) -> None:
    one = trajectory("AB", True, 1)
    steps = [replace(step, picture="f" * 64) for step in one.steps]
    tall = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='190'/%3E"
    pictures = {("run", "f" * 64): tall}
    page = visit.page
    page.goto(written(tmp_path, analyze([replace(one, steps=tuple(steps))]), thumbnails=pictures, width=90))
    expect(page.locator("#trajectories caption")).to_contain_text("1 trajectory.")
    expect(page.locator("#totals")).to_have_text("1 task, 1 trajectory, 2 steps")
    at = page.evaluate(
        f"(() => {{ const pane = graphPage.panes()[0], node = {NODE_A}, canvas = pane.canvas;"
        " canvas.scrollIntoView({ block: 'end', behavior: 'instant' });"
        " pane.cy.panBy({ x: 0, y: canvas.clientHeight - 40 - node.renderedPosition().y });"
        " const box = canvas.getBoundingClientRect(), p = node.renderedPosition();"
        " return [box.left + p.x, box.top + p.y]; })()"
    )
    page.mouse.move(at[0] + 3, at[1])
    page.mouse.move(*at)
    expect(page.locator("#tip")).to_be_visible()
    page.wait_for_function(
        "(() => { const tip = document.getElementById('tip'), box = tip.getBoundingClientRect();"
        " return tip.querySelector('img').offsetHeight > 150 && box.bottom <= innerHeight; })()"
    )
    page.evaluate("dispatchEvent(new Event('scroll'))")
    expect(page.locator("#tip")).to_be_hidden()


def test_long_labels_keep_their_arguments(visit: Visit, tmp_path: Path) -> None:
    field = "com.example.shop:id/search_product_input_field"
    typed = [ActionStep(tap(field, argument=text)) for text in ("tea", "a" * 60)]
    found = [trajectory("", True, 1, steps=(*typed, ActionStep(tap(f"{field}[green tea]"))))]
    visit.page.goto(written(tmp_path, analyze(found)))
    labels = visit.page.evaluate(
        "graphPage.panes()[0].cy.nodes()"
        ".map((node) => node.data('label').replaceAll('\u200b', '').split('\\n')[0])"
    )
    shortened = [label for label in labels if label.startswith("tap com")]
    assert len(set(shortened)) == 3
    assert all(len(label) <= 34 for label in shortened)
    assert any(label.endswith(" · tea") for label in shortened)
    assert any(label.endswith("[green tea]") for label in shortened)


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
        [trajectory("A", True, 1), trajectory("AB", True, 2), trajectory("", False, 3)],
        [trajectory("A", True, 1), trajectory("A", True, 2)],
        [trajectory("A!iB", True, 1, condition="dual"), trajectory("A", False, 2, condition="forced")],
        [trajectory("?A?", True, 1), trajectory("?", False, 2)],
        [trajectory("", True, 1, steps=(ActionStep(tap("?51")), ActionStep(tap("submit+?a52"))))],
    ],
)
def test_bad_input_has_a_page(visit: Visit, tmp_path: Path, found: list[ActionTrajectory]) -> None:
    visit.page.goto(written(tmp_path, analyze(found)))
    assert "NaN" not in visit.page.locator("body").inner_text()
    assert "undefined" not in visit.page.locator("body").inner_text()
    limits = [limit for task in analyze(found).tasks for limit in task.limits]
    assert visit.page.locator("#limits p").all_inner_texts() == limits


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
    assert page.locator("#panes .canvas").count() == 2
    page.get_by_label("one graph").check()
    assert page.evaluate("graphPage.panes()[0].cy.nodes().length") == 2003
    page.get_by_label("success", exact=True).check()
    page.get_by_role("button", name="Fit to window").click()
    page.get_by_label("detour").check()
    assert len(columns(visit, "#nodes")) == 200
    page.get_by_role("button", name="Show all").first.click()
    assert len(columns(visit, "#nodes")) > 1000
