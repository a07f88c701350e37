from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from garabench.errors import CommandError
from garabench.probing import forks
from garabench.probing.forks import ForkStore


class Snapshots:
    """Snapshots that record calls and may refuse."""

    supported = True

    def __init__(self, refuses: str = "") -> None:
        self.calls: list[str] = []
        self._refuses = refuses

    def save(self, name: str) -> None:
        self._call("save")

    def load(self, name: str) -> None:
        self._call("load")

    def delete(self, name: str) -> None:
        self._call("delete")

    def _call(self, what: str) -> None:
        self.calls.append(what)
        if what == self._refuses:
            raise CommandError(f"{what} refused")


RUNNER: Any = SimpleNamespace(mark=lambda: SimpleNamespace(record_changes=lambda journal: None))


def store(snapshots: Snapshots, monkeypatch: pytest.MonkeyPatch) -> ForkStore:
    monkeypatch.setattr(forks, "DeviceSnapshots", lambda device: snapshots)
    device: Any = SimpleNamespace(adb=SimpleNamespace(serial="emulator-5554"), journal=None)
    return ForkStore(device)


def test_a_fork_is_loaded_for_its_own_case_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = Snapshots()
    saved = store(snapshots, monkeypatch)
    assert saved.load("a", 1) is None
    saved.save("a", 1, RUNNER)
    assert saved.load("a", 2) is None
    assert saved.load("b", 1) is None
    loaded = saved.load("a", 1)
    assert loaded is not None
    assert loaded.runner is RUNNER
    saved.clear()
    saved.clear()
    assert snapshots.calls == ["save", "load", "delete"]
    assert saved.load("a", 1) is None


def test_a_device_that_cannot_save_replays_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = store(Snapshots("save"), monkeypatch)
    assert saved.supported
    saved.save("a", 1, RUNNER)
    assert not saved.supported
    assert saved.load("a", 1) is None


def test_a_snapshot_that_does_not_load_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = Snapshots("load")
    saved = store(snapshots, monkeypatch)
    saved.save("a", 1, RUNNER)
    assert saved.load("a", 1) is None
    assert saved.load("a", 1) is None
    assert snapshots.calls == ["save", "load"]
