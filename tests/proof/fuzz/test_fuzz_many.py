"""Results are saved per task, and continued; a finding is found by its id."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.proof.fuzz import fuzz_many
from garabench.proof.fuzz.fuzz_figures import fuzz_figures
from garabench.proof.fuzz.fuzz_many import RESULTS, find_finding, fuzz_tasks, read_walk_results
from garabench.proof.fuzz.walk import (
    ActionKind,
    FuzzedTask,
    FuzzWalk,
    Insertion,
    WalkResult,
    WalkVerdict,
    finding_of,
)
from garabench.suite.suite import Suite, SuiteTask

V = WalkVerdict


def result(
    task: str, number: int, verdict: WalkVerdict, kind: ActionKind, *, exact: bool | None
) -> WalkResult:
    walk = FuzzWalk(task=task, inserted=(Insertion(before=1, kind=kind),))
    return WalkResult(number=number, walk=walk, verdict=verdict, exact=exact)


@pytest.fixture
def performed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that were performed, each with two walks and a finding."""
    found: list[str] = []

    def perform(item: SuiteTask, *, walks: int, **others: object) -> FuzzedTask:
        name = item.task.id
        found.append(name)
        one = result(name, 1, V.ACCEPTED, ActionKind.SCROLL, exact=True)
        two = result(name, walks, V.REFUSED_RIGHT, ActionKind.TAB, exact=True)
        return FuzzedTask(task=name, walks=(one, two), findings=(finding_of(two),))

    monkeypatch.setattr(fuzz_many, "fuzz_task", perform)
    monkeypatch.setattr(
        fuzz_many, "proof_key", lambda item, suite, variants: item.task.id
    )  # it reads sources
    return found


def test_results_are_continued(performed: list[str], tmp_path: Path) -> None:
    suite = Suite.load()
    one, two, other = list(suite.tasks.values())[:3]
    first = fuzz_tasks(suite, [one], walks=2, seed=1, out=tmp_path)
    path = tmp_path / RESULTS
    path.write_bytes(path.read_bytes() + b'{"task": "trunc')  # the process was killed
    assert fuzz_tasks(suite, [one, two], walks=2, seed=1, out=tmp_path)[0] == first[0]
    assert performed == [one.task.id, two.task.id]
    fuzz_tasks(suite, [one], walks=2, seed=2, out=tmp_path)  # other walks
    fuzz_tasks(suite, [other], walks=2, seed=1, out=tmp_path)
    assert performed == [one.task.id, two.task.id, one.task.id, other.task.id]
    assert {each.task for each in read_walk_results(path)} == {one.task.id, two.task.id, other.task.id}
    assert find_finding(path, f"{two.task.id}/").task == two.task.id
    with pytest.raises(InputError, match="unknown finding 'none'"):
        find_finding(path, "none")
    with pytest.raises(InputError, match="several findings begin with"):
        find_finding(path, one.task.id[:4])


def test_figures() -> None:
    walks = (
        result("one", 1, V.ACCEPTED, ActionKind.SCROLL, exact=True),
        result("one", 2, V.REFUSED, ActionKind.TAB, exact=False),
        result("one", 3, V.BLOCKED, ActionKind.TAB, exact=None),
        result("one", 4, V.REFUSED, ActionKind.LIKE, exact=False),
    )
    found = fuzz_figures([FuzzedTask(task="one", walks=walks)])
    assert (found.tasks, found.walks, found.harmless, found.unchanged) == (1, 4, 2, 1)
    assert (found.known, found.exact) == (0, 0)
    assert found.verdicts == {"accepted": 1, "refused": 2, "blocked": 1}
