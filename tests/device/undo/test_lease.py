"""Leases of serials and their marks, which end with the process that holds them."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TextIO

import pytest

from garabench.device.undo.lease import check_free, leased, name_of
from garabench.errors import DeviceBusyError, HarnessError


def test_each_lease_has_a_unique_mark(tmp_path: Path) -> None:
    with leased("a", tmp_path) as first, leased("b", tmp_path) as second:
        assert first.mark != second.mark
        assert first.mark.isalnum()
        assert len(first.mark) <= 91  # Android's longest property before version 8
        assert (first.serial, first.folder) == ("a", tmp_path)
    with leased("a", tmp_path) as again:
        assert again.mark != first.mark


def test_mark_is_free_if_its_lease_is_not_held(tmp_path: Path) -> None:
    check_free("0" * 32, "x", tmp_path)
    with leased("a", tmp_path) as held, leased("b", tmp_path):
        with pytest.raises(DeviceBusyError, match=rf"^x is in use by another run \(process {os.getpid()}\)"):
            check_free(held.mark, "x", tmp_path)
        check_free(str(os.getpid()), "x", tmp_path)  # the process id is not a mark
        check_free("", "x", tmp_path)
    check_free(held.mark, "x", tmp_path)
    with leased("a", tmp_path):
        check_free(held.mark, "x", tmp_path)


def test_released_lease_leaves_no_file(tmp_path: Path) -> None:
    with leased("a", tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [f"{name_of('a')}.lease"]
    assert list(tmp_path.iterdir()) == []


def test_file_that_is_removed_while_it_is_locked_is_no_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, flock, removed = tmp_path / f"{name_of('a')}.lease", fcntl.flock, []

    def late(file: TextIO, how: int) -> None:
        flock(file, how)
        if not removed:  # its last holder was slower
            removed.append(path.unlink())

    monkeypatch.setattr(fcntl, "flock", late)
    with leased("a", tmp_path):
        assert path.exists()
        with pytest.raises(DeviceBusyError):
            leased("a", tmp_path).__enter__()


def test_old_lease_without_a_mark_is_respected(tmp_path: Path) -> None:
    with leased("a", tmp_path) as held:
        (tmp_path / f"{name_of('a')}.lease").write_text("4711\n", "utf-8")
        check_free(held.mark, "x", tmp_path)
        with pytest.raises(DeviceBusyError, match=r"a is in use by another run \(process 4711\)"):
            leased("a", tmp_path).__enter__()


def test_unreadable_leases_are_reported(tmp_path: Path) -> None:
    (tmp_path / "folder.lease").mkdir()
    with pytest.raises(HarnessError, match=r"folder\.lease"):
        check_free("0" * 32, "x", tmp_path)
