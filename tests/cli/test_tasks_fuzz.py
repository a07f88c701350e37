"""``garabench tasks fuzz``: what it prints, its exit status, and what it writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main
from garabench.core.selector import Selector
from garabench.core.steps import ScrollSpec, ScrollStep, TapStep
from garabench.proof.fuzz import fuzz_many
from garabench.proof.fuzz.fuzz_task import NO_EFFECTS
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
from tests.cases import every_case
from tests.proof.fuzz.pages import added, change
from tests.suite.written_suite import FILES

TASK = "open-song"
LIKE = Insertion(before=1, kind=ActionKind.LIKE, steps=(TapStep(tap=Selector(id="frame_fav")),))
SCROLL = Insertion(before=1, kind=ActionKind.SCROLL, steps=(ScrollStep(scroll=ScrollSpec(amount=0.1)),))
SEEN = WalkResult(
    number=1,
    walk=FuzzWalk(task=TASK, inserted=(LIKE,)),
    verdict=WalkVerdict.ACCEPTED_SEEN,
    unasked=(change(added("favorite", "v1", "收藏了《稻香》")),),
    exact=False,
    trace=("稻香",),
    reason="the goal holds",
)
REFUSED = WalkResult(
    number=2,
    walk=FuzzWalk(task=TASK, inserted=(SCROLL,)),
    verdict=WalkVerdict.REFUSED_RIGHT,
    exact=True,
    reason="id=title is not on the screen",
)
ID = finding_of(SEEN).id


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite; fuzzing it has two findings."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def perform(
        suite: Suite, items: Sequence[SuiteTask], *, out: Path, **others: object
    ) -> tuple[FuzzedTask, ...]:
        findings = (finding_of(SEEN), finding_of(REFUSED))
        done = FuzzedTask(task=TASK, walks=(SEEN, REFUSED), findings=findings)
        out.mkdir(exist_ok=True)
        (out / fuzz_many.RESULTS).write_text(f"{done.model_dump_json()}\n", encoding="utf-8")
        return (done,)

    monkeypatch.setattr(fuzz_many, "fuzz_tasks", perform)
    return tmp_path


def run(folder: Path, *words: str) -> Result:
    places = ["--suite", str(folder), "--out", str(folder / "out"), "--tasks", TASK]
    return CliRunner().invoke(main, ["tasks", "fuzz", *places, *words])


def test_findings_are_listed_adopted_and_accepted(folder: Path) -> None:
    listed = run(folder)
    assert listed.exit_code == 1, listed.output
    assert f"{ID} accepted-seen: added favorite" in listed.output
    assert "{before: 1, kind: like, steps: [{tap: {id: frame_fav}}]}" in listed.output
    assert "on the page: 稻香" in listed.output
    assert "1 task, 2 walks: 0 rightly accepted, 0 rightly refused, 0 refused elsewhere, " in listed.output

    file = folder / "tasks" / "bili.yaml"
    before = file.read_text(encoding="utf-8").split("\n")
    adopted = run(folder, "--adopt", ID)
    assert adopted.exit_code == 0, adopted.output
    assert "near miss added-favorite-too of open-song" in adopted.output
    after = iter(file.read_text(encoding="utf-8").split("\n"))
    assert all(line in after for line in before)

    for finding in (SEEN, REFUSED):
        accepted = run(folder, "--accept", finding_of(finding).id, "--reason", "It is right as it is.")
        assert accepted.exit_code == 0, accepted.output
    again = run(folder, "--json")
    assert again.exit_code == 0, again.output
    assert [each["accepted"] for each in json.loads(again.output)[0]["findings"]] == [True, True]


@every_case(
    ("words", "message"),
    [
        (["--adopt", "none"], "unknown finding 'none'"),
        (["--adopt", "x", "--accept", "y"], "cannot be combined"),
        (["--reason", "x"], "--reason needs --accept"),
    ],
)
def test_wrong_usage(folder: Path, words: list[str], message: str) -> None:
    result = run(folder, *words)
    assert result.exit_code == 2
    assert message in result.output


def test_accepting_needs_a_reason(folder: Path) -> None:
    run(folder)
    assert "--accept needs --reason" in run(folder, "--accept", ID).output


def test_a_task_without_effects_is_told_how_to_derive_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = (FuzzedTask(task=TASK, problem=NO_EFFECTS),)
    monkeypatch.setattr(fuzz_many, "fuzz_tasks", lambda *given, **more: done)
    result = run(folder)
    assert result.exit_code == 1
    assert f"garabench tasks prove {TASK} --suite {folder} --write-effects" in result.output
