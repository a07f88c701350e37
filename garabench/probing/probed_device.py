"""A device on which failures are probed: its connection, its saved fork and its restarts."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace

from garabench.campaign.device_recovery import DeviceRecoveryPolicy, due_for_recycling
from garabench.campaign.devices import RecoverableLease, is_lost, ready_device
from garabench.core.campaign_events import Rung
from garabench.device.device import Device
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.probe import DiagnosticProbeResult, ProbeOutcome
from garabench.diagnosis.procedure import ProbeTask
from garabench.errors import GaraError, InputError
from garabench.probing.forks import ForkStore
from garabench.probing.perform_probe import ProbeContext, perform_probe
from garabench.probing.probing_devices import lease_name

_LOG = logging.getLogger(__name__)


class ProbedDevice:
    """A leased device that performs probes; its connection is renewed when the device was lost."""

    def __init__(
        self,
        lease: RecoverableLease,
        policy: DeviceRecoveryPolicy,
        *,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        """Take a lease; nothing is connected.

        Args:
            lease: The lease.
            policy: When an emulator is restarted.
            prepare: Prepares the device before each probe, such as by switching a defect on.
        """
        self._lease = lease
        self._policy = policy
        self._prepare = prepare
        self._name = lease_name(lease)
        self._device: Device | None = None
        self._forks: ForkStore | None = None
        self._earlier_loads = 0
        self._case = ""

    def connect(self) -> Device:
        """Prepare the device, connect to it if it is not connected, and return it.

        Raises:
            DeviceError: It cannot be reached.
        """
        self._prepare()
        self._device = ready_device(self._lease, self._device)
        return self._device

    def perform(
        self, case: FailedCase, task: ProbeTask, context: ProbeContext, recorded_version: str = ""
    ) -> DiagnosticProbeResult:
        """Perform a probe, once more if the device was lost meanwhile; the result names the device.

        Args:
            case: The failed episode.
            task: The probe.
            context: The run.
            recorded_version: The app's version in the run; empty if unknown. Another version is another app.

        Raises:
            DeviceError: It cannot be reached again.
        """
        if case.name != self._case:
            self._case = case.name
            self._recycle()
        return replace(self._perform(case, task, context, recorded_version), device=self._name)

    def _recycle(self) -> None:
        """Restart an emulator that has loaded many snapshots, as a run does; no fork is needed any more.

        Raises:
            GaraError: It does not start.
        """
        loads = self._lease.snapshot_loads + self._earlier_loads + (self._forks.loads if self._forks else 0)
        if Rung.RESTART_EMULATOR not in self._lease.rungs or not due_for_recycling(loads, self._policy):
            return
        self.close()
        self._device = self._forks = None
        self._earlier_loads = 0
        self._lease.restart()
        _LOG.info("%s: restarted after %d snapshot loads", self._name, loads)

    def _perform(
        self, case: FailedCase, task: ProbeTask, context: ProbeContext, recorded_version: str
    ) -> DiagnosticProbeResult:
        for last in (False, True):
            device = self.connect()
            if update := _update(case.app, recorded_version, device):
                return DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE, update)
            try:
                result = perform_probe(case, task, self._forks_of(device), context)
            except InputError as error:
                return DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE, error.message)
            if result.outcome is not ProbeOutcome.INCONCLUSIVE or not is_lost(device):
                return result
            _LOG.warning("%s: the device was lost during %s", case.name, task.name)
            self._device = None
            if last:
                return result
        raise AssertionError("not reached")

    def _forks_of(self, device: Device) -> ForkStore:
        if self._forks is None or self._forks.device is not device:
            self._earlier_loads += self._forks.loads if self._forks else 0
            self._forks = ForkStore(device)
        return self._forks

    def close(self) -> None:
        """Delete the saved fork and close the connection, unless the device is lost."""
        if self._device is not None and not is_lost(self._device):
            with contextlib.suppress(GaraError):
                self._forks_of(self._device).clear()
                self._device.close()


def _update(app: str, recorded: str, device: Device) -> str:
    """Return which version of an app replaced the recorded one; empty if none did, or it is unknown."""
    now = device.apps.version(app) if recorded else ""
    return f"{app} was updated since the run: {recorded}, now {now}" if now and now != recorded else ""
