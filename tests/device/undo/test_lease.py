"""Leases by name, and their marks: held as long as the process that took them holds them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from garabench.device.undo.lease import check_free, leased, name_of
from garabench.errors import DeviceBusy, HarnessError


def test_each_lease_has_a_mark_of_its_own(tmp_path: Path) -> None:
    with leased("a", tmp_path) as first, leased("b", tmp_path) as second:
        assert first.mark != second.mark
        assert first.mark.isalnum()
        assert len(first.mark) <= 91  # Android's longest property before version 8
        assert (first.serial, first.folder) == ("a", tmp_path)
    with leased("a", tmp_path) as again:
        assert again.mark != first.mark


def test_a_mark_is_free_when_its_lease_is_not_held(tmp_path: Path) -> None:
    check_free("0" * 32, "x", tmp_path)
    with leased("a", tmp_path) as held, leased("b", tmp_path):
        with pytest.raises(DeviceBusy, match=rf"^x is in use by another run \(process {os.getpid()}\)"):
            check_free(held.mark, "x", tmp_path)
        check_free(str(os.getpid()), "x", tmp_path)  # what stands beside it is no mark
        check_free("", "x", tmp_path)
    check_free(held.mark, "x", tmp_path)
    with leased("a", tmp_path):
        check_free(held.mark, "x", tmp_path)


def test_a_lease_as_it_was_written_before_marks_is_held_all_the_same(tmp_path: Path) -> None:
    with leased("a", tmp_path) as held:
        (tmp_path / f"{name_of('a')}.lease").write_text("4711\n", "utf-8")
        check_free(held.mark, "x", tmp_path)
        with pytest.raises(DeviceBusy, match=r"a is in use by another run \(process 4711\)"):
            leased("a", tmp_path).__enter__()


def test_leases_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "folder.lease").mkdir()
    with pytest.raises(HarnessError, match=r"folder\.lease"):
        check_free("0" * 32, "x", tmp_path)
