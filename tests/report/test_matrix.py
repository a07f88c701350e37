from __future__ import annotations

from pathlib import Path

from garabench.records.results import Summary
from garabench.report.matrix import Matrix, make_matrix, matrix_data
from garabench.report.report_input import read_input
from tests.report.written_runs import SEED, episode, write_run


def matrix(folder: Path, summaries: list[Summary], **plan: object) -> Matrix:
    write_run(folder, summaries, **plan)
    return make_matrix(read_input([folder]))


def states(found: Matrix) -> list[list[str]]:
    return [[cell.state for cell in row.cells] for row in found.rows]


def test_each_cell_has_the_state_of_its_episode(tmp_path: Path) -> None:
    unseen = {"shown": 0, "exits": (), "missed": ("not_shown",), "interruptions": ()}
    found = matrix(
        tmp_path / "run",
        [
            episode("app-a", "x", "clean", "success"),
            episode("app-a", "x", "dual", "failure"),
            episode("app-b", "x", "clean", "error"),
            episode("app-b", "x", "dual", "failure", **unseen),
            episode("app-c", "x", "clean", "failure", unknown="the page could not be read"),
        ],
    )
    assert states(found) == [["success", "failure"], ["error", "excluded"], ["unknown", "missing"]]
    assert [cell.text for row in found.rows for cell in row.cells] == ["✓", "✗", "!", "–", "?", ""]
    assert found.groups == ("app",)


def test_seeds_share_a_cell(tmp_path: Path) -> None:
    found = matrix(
        tmp_path / "run",
        [
            episode("app-a", "x", "clean", "success"),
            episode("app-a", "x", "clean", "failure", seed=2),
            episode("app-a", "x", "clean", "error", seed=3),
        ],
        conditions=["clean"],
        seeds=3,
    )
    ((cell,),) = (row.cells for row in found.rows)
    assert (cell.state, cell.text) == ("mixed", "1/2")


def test_contenders_come_before_reference_agents(tmp_path: Path) -> None:
    found = matrix(
        tmp_path / "run",
        [
            episode("t", "dismiss", "clean", "success", reference=True, app="com.example"),
            episode("t", "mine", "clean", "success"),
        ],
        conditions=["clean"],
    )
    assert found.agents == (("mine", False, 1), ("dismiss", True, 1))
    assert found.groups == ("com.example",)


def test_the_data_have_every_episode_of_a_cell(tmp_path: Path) -> None:
    write_run(tmp_path / "run", [episode("app-a", "x", "dual", "failure", fault="secret" + "x" * 1000)])
    given = read_input([tmp_path / "run"])
    data = matrix_data(given, make_matrix(given), lambda text: text.replace("secret", "-"))
    (found,) = data["episodes"]["0.1"]
    assert data["clean"] == [0, 0]
    assert found["shown"] == "low-battery"
    assert found["record"] == f"run/episodes/app-a/x/dual/{SEED}"
    assert found["fault"].startswith("-xxx")
    assert len(found["fault"]) < 450
