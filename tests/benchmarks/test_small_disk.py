"""A small disk for the benchmarks can be full and have space again, and disappears afterwards."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from benchmarks.small_disk import SmallDisk


def test_a_full_disk_refuses_writes_until_it_has_space_again(tmp_path: Path) -> None:
    with SmallDisk(tmp_path / "disk") as disk:
        if not disk.mounted:
            pytest.skip("this user may not mount a disk")
        file = disk.folder / "data"
        file.write_bytes(bytes(100_000))
        disk.fill()
        with pytest.raises(OSError, match="No space left") as raised:
            (disk.folder / "more").write_bytes(bytes(100_000))
        assert raised.value.errno == errno.ENOSPC
        disk.free()
        (disk.folder / "more").write_bytes(bytes(100_000))
    assert not file.exists()  # the disk is gone
