"""The file of accepted findings: written, read, matched, and refused with a location."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.core.selector import Selector
from garabench.core.steps import TapStep
from garabench.errors import CombinedInputError, InputError
from garabench.proof.fuzz.accepted_findings import covering, read_accepted, with_accepted
from garabench.proof.fuzz.walk import (
    ActionKind,
    FuzzFinding,
    FuzzWalk,
    Insertion,
    WalkResult,
    WalkVerdict,
    finding_of,
)
from tests.cases import every_case
from tests.proof.fuzz.pages import added, change

REASON = "Strict success counts it: an answer needs no page."
LIKE = Insertion(before=2, kind=ActionKind.LIKE, steps=(TapStep(tap=Selector(text="关注: 它", index=0)),))
SCROLL, TAB = (Insertion(before=1, kind=kind) for kind in (ActionKind.SCROLL, ActionKind.TAB))
V = WalkVerdict


def finding(
    verdict: WalkVerdict, inserted: Insertion, *kinds: str, task: str = "one", trace: tuple[str, ...] = ()
) -> FuzzFinding:
    unasked = tuple(change(added(kind, "x", "…")) for kind in kinds)
    walk = FuzzWalk(task=task, inserted=(inserted,))
    return finding_of(WalkResult(number=1, walk=walk, verdict=verdict, unasked=unasked, trace=trace))


def written(folder: Path, *findings: FuzzFinding) -> Path:
    text = ""
    for each in findings:
        text = with_accepted(text, each, REASON)
    (folder / "tasks").mkdir(exist_ok=True)
    (folder / "tasks" / "fuzz_accepted.yaml").write_text(text, encoding="utf-8")
    return folder


def test_written_entries_are_read(tmp_path: Path) -> None:
    seen, refused = finding(V.ACCEPTED_SEEN, LIKE, "like"), finding(V.REFUSED_RIGHT, SCROLL)
    found = read_accepted(written(tmp_path, seen, refused), {"one"})
    assert [entry.walk for entry in found] == [seen.result.walk, refused.result.walk]
    assert {entry.reason for entry in found} == {REASON}


@every_case(
    ("other", "covered"),
    [
        (finding(V.ACCEPTED_SEEN, LIKE.model_copy(update={"before": 1}), "like"), True),
        (finding(V.ACCEPTED_SEEN, SCROLL, "like"), False),
        (finding(V.ACCEPTED_SEEN, LIKE, "like", trace=("它",)), False),
        (finding(V.ACCEPTED_SEEN, LIKE, "like", "follow"), False),
        (finding(V.ACCEPTED_SEEN, LIKE, "like", task="two"), False),
        (finding(V.REFUSED_RIGHT, SCROLL), True),
        (finding(V.REFUSED_RIGHT, TAB), False),
        (finding(V.HARMLESS_CHANGES, SCROLL, "like"), False),
    ],
)
def test_an_entry_covers_one_finding(tmp_path: Path, other: FuzzFinding, covered: bool) -> None:
    root = written(tmp_path, finding(V.ACCEPTED_SEEN, LIKE, "like"), finding(V.REFUSED_RIGHT, SCROLL))
    accepted = read_accepted(root, {"one"})
    assert (covering(other, accepted) is not None) == covered


def test_no_file_accepts_nothing(tmp_path: Path) -> None:
    assert read_accepted(tmp_path, {"one"}) == ()


def test_mistakes_have_a_location(tmp_path: Path) -> None:
    same = finding(V.ACCEPTED_SEEN, LIKE, "like", task="ones")
    root = written(tmp_path, same, same, finding(V.ACCEPTED, LIKE))
    with pytest.raises(CombinedInputError) as caught:
        read_accepted(root, {"one"})
    messages = [str(error) for error in caught.value.errors]
    assert any("unknown task 'ones'" in each for each in messages)
    first = caught.value.errors[0].place
    assert first is not None
    assert (first.line, first.column) == (5, 11)
    assert any("an earlier entry covers the same findings" in each for each in messages)
    assert any("accepted is not a finding" in each for each in messages)


def test_a_reason_is_a_sentence() -> None:
    with pytest.raises(InputError, match="the reason is too short"):
        with_accepted("", finding(V.REFUSED_RIGHT, SCROLL), "  ok ")
