from __future__ import annotations

from pathlib import Path

from garabench.core.sections import Details, Paragraph, Section, Table
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
