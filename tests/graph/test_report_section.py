from __future__ import annotations

from pathlib import Path

from garabench.core.sections import Chart, Details, Paragraph, Section, Table
from garabench.graph.analysis import analyze, build_graphs
from garabench.graph.report_section import analysis_sections, episode_sections, sections
from garabench.records.reader import load_run
from tests.graph.made_trajectories import trajectory
from tests.graph.recorded_run import record_run


def tables(section: Section) -> list[Table]:
    inner = [block for each in section.blocks if isinstance(each, Details) for block in each.blocks]
    return [block for block in (*section.blocks, *inner) if isinstance(block, Table)]


def test_a_run_has_sections_once_its_graphs_were_built(tmp_path: Path) -> None:
    record_run(tmp_path / "run")
    run = load_run(tmp_path / "run")
    episode = next(
        each for each in run.episodes if each.key.agent == "ignore" and each.key.condition == "dual"
    )
    assert sections([run]) == ()
    assert episode_sections(run, episode) == ()
    build_graphs(run)
    found = sections([run])
    assert [each.id for each in found] == [
        "graph-agents",
        "graph-structure",
        "graph-necessity",
        "graph-behaviour",
        "graph-interruptions",
    ]
    exits = tables(found[-1])[-1]
    assert exits.rows == (("page-failed", "skip (dismiss)", 2, 0.5),)
    (page,) = episode_sections(run, episode)
    assert isinstance(page.blocks[0], Paragraph)
    assert "page-failed: never back." in page.blocks[0].text
    assert [row[1:3] for row in tables(page)[0].rows] == [
        ("tap open", "yes"),
        ("⚡ page-failed", "–"),
        ("tap page-failed", "yes"),
        ("tap lost", "no"),
        ("tap lost", "yes"),
    ]


def test_sections_of_bad_input_are_defined() -> None:
    assert analysis_sections(analyze([])) == ()
    for found in (
        [trajectory("A", False)],
        [trajectory("", False)],
        [trajectory("AB", True, n) for n in range(3)],
    ):
        assert len(analysis_sections(analyze(found))) == 4


def test_the_figures_of_the_paper_are_plots() -> None:
    found = analysis_sections(
        analyze(
            [
                trajectory("AB", True, 1),
                trajectory("ABC", False, 2, agent="two"),
                trajectory("DEFG", True, 3, task="other"),
                trajectory("DED", False, 4, task="other", agent="two"),
            ]
        )
    )
    charts = {block.title: block for section in found for block in section.blocks if isinstance(block, Chart)}
    points = {title: {p.x: p.y for s in chart.series for p in s.points} for title, chart in charts.items()}
    assert list(points["Inflation by complexity"].values()) == [1, 1]
    assert list(points["Necessary actions by third of the trajectory"]) == [
        "first third",
        "middle third",
        "last third",
    ]
    assert list(points["Necessary actions by number of the action"]) == ["1–3", "4–10"]
    agreement = charts["Agreement of the agents by condition"]
    assert agreement.stacked
    assert [(series.name, [point.y for point in series.points]) for series in agreement.series] == [
        ("solved by all", [0]),
        ("solved by some", [2]),
        ("solved by none", [0]),
    ]
