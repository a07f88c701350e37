"""The stored labels: stages, several annotators, crashes, broken files."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.verifier.label_agreement import annotator_agreement
from garabench.verifier.labelling.label_store import BlindStageClosedError, LabelChoice, LabelStore

YES, NO = LabelChoice.SUCCESS, LabelChoice.FAILURE


def blind(store: LabelStore, who: str, outcome: LabelChoice, key: str = "t/a/clean/1") -> None:
    store.save_blind(key, who, "judge", outcome=outcome, points={"0": 1.5}, process_score=0.75, comment="c")


def test_the_blind_stage_closes_when_the_findings_are_shown(tmp_path: Path) -> None:
    store = LabelStore(tmp_path / "labels.sqlite")
    with pytest.raises(InputError, match="choose an outcome first"):
        store.reveal("t/a/clean/1", "me")
    with pytest.raises(InputError, match="were not shown yet"):
        store.save_informed("t/a/clean/1", "me", outcome=YES, process=YES, comment="")
    blind(store, "me", YES)
    assert store.reveal("t/a/clean/1", "me").revealed
    with pytest.raises(BlindStageClosedError):
        blind(store, "me", NO)
    informed = store.save_informed(
        "t/a/clean/1", "me", outcome=NO, process=LabelChoice.UNSURE, comment="right"
    )
    assert (informed.outcome, informed.informed_outcome, informed.points) == (YES, NO, {"0": 1.5})
    (exported,) = store.label_set({}).labels
    assert (exported.comment, exported.informed_comment) == ("c", "right")


def test_what_was_confirmed_is_there_after_a_crash(tmp_path: Path) -> None:
    file = tmp_path / "labels.sqlite"
    blind(LabelStore(file), "me", YES)  # never closed, as after a crash
    assert LabelStore(file).find("t/a/clean/1", "me").outcome is YES


def test_several_annotators_at_once_lose_nothing(tmp_path: Path) -> None:
    stores = [LabelStore(tmp_path / "labels.sqlite") for _ in range(2)]

    def label(number: int) -> None:
        for task in range(10):
            blind(stores[number % 2], f"person {number}", YES if task % 3 else NO, f"task-{task}/a/clean/1")

    threads = [threading.Thread(target=label, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores[0].labels()) == 40
    found = annotator_agreement(stores[0].label_set({}))
    assert (found.trajectories, found.kappa) == (10, 1)
    assert stores[0].label_set({}, closed=True).labels == ()


def test_drafts_are_stored_and_not_exported(tmp_path: Path) -> None:
    store = LabelStore(tmp_path / "labels.sqlite")
    blind(store, "me", LabelChoice.NONE)
    assert store.find("t/a/clean/1", "me").comment == "c"
    assert store.label_set({}).labels == ()


def test_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.sqlite"
    file.write_bytes(b"not a database, but long enough to be read as one" * 30)
    with pytest.raises(InputError, match="is not a file of labels"):
        LabelStore(file)
    file.unlink()
    database = sqlite3.connect(file)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(InputError, match="has version 99"):
        LabelStore(file)
