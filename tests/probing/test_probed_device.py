"""When a device on which failures are probed is prepared and restarted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from garabench.campaign.device_recovery import DeviceRecoveryPolicy
from garabench.core.campaign_events import Rung
from garabench.diagnosis.probe import DiagnosticProbeResult, ProbeOutcome
from garabench.probing import probed_device
from garabench.probing.forks import ForkStore
from garabench.probing.probed_device import ProbedDevice


@dataclass
class LeaseOfAnEmulator:
    """A lease that counts restarts."""

    rungs: frozenset[Rung] = frozenset({Rung.RESTART_EMULATOR})
    snapshot_loads: int = 0
    restarts: int = 0

    def restart(self) -> None:
        self.restarts += 1


@pytest.mark.parametrize(("rungs", "restarts"), [({Rung.RESTART_EMULATOR}, [0, 0, 0, 1, 1]), ((), [0] * 5)])
def test_an_emulator_is_restarted_between_failures_after_many_snapshot_loads(
    monkeypatch: pytest.MonkeyPatch, rungs: Iterable[Rung], restarts: list[int]
) -> None:
    device: Any = SimpleNamespace(close=lambda: None)

    def probe(case: Any, task: Any, forks: ForkStore, context: Any) -> DiagnosticProbeResult:
        forks.loads += 25
        return DiagnosticProbeResult(ProbeOutcome.FAIL, "")

    monkeypatch.setattr(probed_device, "ready_device", lambda lease, device_: device)
    monkeypatch.setattr(probed_device, "is_lost", lambda device_: True)
    monkeypatch.setattr(probed_device, "perform_probe", probe)
    prepared: list[int] = []
    lease: Any = LeaseOfAnEmulator(frozenset(rungs))
    probed = ProbedDevice(lease, DeviceRecoveryPolicy(recycle_after=50), prepare=lambda: prepared.append(1))
    context: Any = None
    found: list[int] = []
    for name in ("a", "a", "a", "b", "c"):
        case: Any = SimpleNamespace(name=name, app="com.example")
        probed.perform(case, context, context)
        found.append(lease.restarts)
    assert found == restarts
    assert len(prepared) == 5, "before each probe"
