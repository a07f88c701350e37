from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import adbutils
import pytest
from adbutils.errors import AdbError

from garabench.device.adb_command import adb_command


def test_adb_on_the_path_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "adb").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert adb_command() == "adb"


def test_without_one_the_command_has_the_path_of_adbutils_and_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    shown = adb_command()
    (path,) = shlex.split(shown)
    assert Path(path).is_absolute()
    done = subprocess.run(["/bin/sh", "-c", f"{shown} version"], capture_output=True, text=True, check=True)
    assert "Android Debug Bridge" in done.stdout


@pytest.mark.parametrize(("found", "shown"), [("/my tools/adb", "'/my tools/adb'"), (None, "adb")])
def test_a_path_is_quoted(found: str | None, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def adb_path() -> str:
        if found is None:
            raise AdbError("no adb")
        return found

    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(adbutils, "adb_path", adb_path)
    assert adb_command() == shown
