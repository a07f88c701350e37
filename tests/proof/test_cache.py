from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from garabench.core.observation import Focus
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.tree import parse_tree
from garabench.errors import RecordError
from garabench.proof.cache import ProofCache, proof_cache_folder
from garabench.proof.findings import Proof, ProofCheck, ProofFinding, finding_from_json
from garabench.proof.prove_task import ProofResult

TREE = parse_tree('<hierarchy rotation="0"><node text="稻香" bounds="[0,0][9,9]"/></hierarchy>')
GOOD = ProofResult(
    Proof("task", (ProofFinding(ProofCheck.SOLVED, "", True, "稻香 is there", 3),)),
    (("1", "other-title"), ("3.1", "not-liked")),
    RecordedFacts(TREE, Focus("com.example", ".Main"), "42", ((("setting", "global", "x"), "1"),)),
)
BAD = replace(GOOD, proof=Proof("task", (ProofFinding(ProofCheck.SOLVED, "", False, "no"),)))


def test_a_proof_is_cached_under_its_key(tmp_path: Path) -> None:
    cache = ProofCache(tmp_path / "proofs")
    assert cache.get("task", "k") is None
    cache.put(GOOD, "k")
    assert cache.get("task", "k") == replace(GOOD, proof=replace(GOOD.proof, cached=True))
    assert cache.get("task", "other") is None
    assert cache.get("other", "k") is None
    assert [path.name for path in (tmp_path / "proofs").iterdir()] == ["task.json"]


@pytest.mark.parametrize("proved", [BAD, replace(GOOD, end=None)])
def test_failed_proofs_are_not_cached(tmp_path: Path, proved: ProofResult) -> None:
    ProofCache(tmp_path).put(proved, "k")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change", [("{", ""), ("solved", "dissolved"), ("needed", "wanted"), ('"ok"', '"good"')]
)
def test_a_broken_or_outdated_file_is_a_cache_miss(tmp_path: Path, change: tuple[str, str]) -> None:
    cache = ProofCache(tmp_path)
    cache.put(GOOD, "k")
    path = tmp_path / "task.json"
    path.write_text(path.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    assert cache.get("task", "k") is None


def test_a_former_name_of_a_check_is_still_read() -> None:
    data = {"check": "other-way", "subject": "in-words", "ok": True, "reason": "it holds"}
    assert finding_from_json(data) == ProofFinding(ProofCheck.ALTERNATIVE, "in-words", True, "it holds")


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="could not be written"):
        ProofCache(tmp_path / "file" / "proofs").put(GOOD, "k")


def test_the_environment_can_set_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GARABENCH_CACHE", str(tmp_path))
    assert proof_cache_folder() == tmp_path / "proofs"
