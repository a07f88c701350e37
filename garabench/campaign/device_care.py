"""Keep a device of a run usable: check it before each episode, and perform the rungs of its recovery.

What to do is decided by `garabench.campaign.device_recovery`; this module reads the device and acts.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import Protocol

from garabench.campaign.device_recovery import (
    DeviceRecovery,
    DeviceRecoveryPolicy,
    due_for_recycling,
    is_recovered,
)
from garabench.campaign.devices import RecoverableLease, ready_device
from garabench.core import campaign_events as ev
from garabench.core.campaign_events import HealthProblem, Rung, Symptom
from garabench.core.clock import Clock
from garabench.device.device import Device
from garabench.device.health import HealthReading, close_dialogs, find_problems, read_health
from garabench.errors import (
    DeviceBusyError,
    DeviceError,
    DeviceUnauthorizedError,
    GaraError,
    HarnessError,
    RecordError,
    RestoreError,
)

_LOG = logging.getLogger(__name__)
ANY_LEASE = frozenset({Rung.WAIT, Rung.RECONNECT, Rung.RESTART_U2, Rung.RESTART_APP})
"""The rungs that every device can perform."""


class DeviceExhaustedError(DeviceError):
    """A device could not be recovered; it may still come back by itself."""


class HealthCheck(Protocol):
    """Reads the health of devices."""

    def __call__(self, device: Device, *, thorough: bool) -> HealthReading:
        """See `garabench.device.health.read_health`."""
        ...


class DeviceCare:
    """Keeps one device of a run usable.

    Attributes:
        label: The device's label in the run's events.
    """

    def __init__(
        self,
        label: str,
        lease: RecoverableLease,
        clock: Clock,
        policy: DeviceRecoveryPolicy,
        record: Callable[[ev.CampaignEvent], None],
        wait: Callable[[float], None],
        check: HealthCheck = read_health,
    ) -> None:
        """Set up the care of a device that is not connected yet.

        Args:
            label: The device's label.
            lease: Its lease.
            clock: The clock for all times and limits.
            policy: The limits of device recovery.
            record: Called with each event.
            wait: Waits a number of seconds, or until the run stops.
            check: Reads a device's health.
        """
        self.label = label
        self._lease = lease
        self._clock = clock
        self._policy = policy
        self._record = record
        self._wait = wait
        self._check = check
        self._device: Device | None = None
        self._had_network: bool | None = None
        self._was_connected = False
        self._restarts_recorded = 0

    @property
    def device(self) -> Device | None:
        """The connection; None if the device is not connected."""
        return self._device

    def ready(self, app: str, episode: str, before: Callable[[], None]) -> Device:
        """Return the device in its initial state and healthy; recover it if necessary.

        Args:
            app: The app of the episode's task.
            episode: The episode, for the events.
            before: Called before the initial state is restored, again after each measure that ends it.

        Raises:
            DeviceExhaustedError: It could not be recovered.
            DeviceError: It can never be used: it is unauthorized, in use, or cannot be restored.
        """
        self._recycle()
        problems = self._restore(before)
        recovery = DeviceRecovery(self._policy, self._possible())
        if self._has_restarted():
            ended = HealthProblem(symptom=Symptom.UNREACHABLE, detail="it had ended or did not answer")
            self._report((ended,), episode)
            recovery = recovery.performed(Rung.RESTART_EMULATOR)
            self._record_rung(recovery, problems, episode)
        if not problems:
            return self._usable()
        self._report(problems, episode)
        while (step := recovery.next_step([each.symptom for each in problems])) is not None:
            if step.rung is Rung.RETIRE:
                reasons = "; ".join(each.detail or each.symptom.value for each in problems)
                raise DeviceExhaustedError(f"{self.label} could not be recovered: {reasons}")
            detail = self._perform(step.rung, app)
            self._wait(step.pause)
            found = self._restore(before, thorough=True)
            recovery = recovery.performed(step.rung)
            restarted = self._has_restarted()
            after = problems if restarted else found
            self._record_rung(recovery, after, episode, pause=step.pause, detail=detail)
            if restarted:
                recovery = recovery.performed(Rung.RESTART_EMULATOR)
                self._record_rung(recovery, found, episode)
            problems = found
        return self._usable()

    def is_healthy(self) -> bool:
        """Return whether the device is connected and shows no symptom that prevents episodes."""
        if self._device is None:
            return False
        return is_recovered([each.symptom for each in self._look(self._device)])

    def drop(self) -> None:
        """Forget the connection of a lost device, so that the next use reconnects."""
        self._device = None

    def close(self) -> None:
        """Close the connection; errors are ignored, since the device may be gone."""
        device, self._device = self._device, None
        if device is not None:
            with contextlib.suppress(GaraError):
                device.close()

    def _has_restarted(self) -> bool:
        """Return whether connecting has restarted the device since the last call."""
        before, self._restarts_recorded = self._restarts_recorded, self._lease.unplanned_restarts
        return self._restarts_recorded > before

    def _record_rung(
        self,
        recovery: DeviceRecovery,
        found: tuple[HealthProblem, ...],
        episode: str,
        *,
        pause: float = 0.0,
        detail: str = "",
    ) -> None:
        """Record the last rung of a recovery, and what was found afterwards."""
        rung = recovery.tried[-1]
        self._record(
            ev.RungPerformed(
                time=self._clock.now(),
                device=self.label,
                rung=rung,
                number=len(recovery.tried),
                pause=pause,
                ok=not detail,
                detail=detail,
                remaining=tuple(each.symptom for each in found),
                episode=episode,
            )
        )
        left = ", ".join(each.symptom.value for each in found) or "recovered"
        what = f"{rung.value} failed ({detail})" if detail else rung.value
        _LOG.warning("%s: %s, waited %g s: %s", self.label, what, pause, left)

    def _usable(self) -> Device:
        if self._device is None:
            raise DeviceExhaustedError(f"{self.label} is not connected")
        return self._device

    def _possible(self) -> frozenset[Rung]:
        return ANY_LEASE | self._lease.rungs

    def _restore(self, before: Callable[[], None], *, thorough: bool = False) -> tuple[HealthProblem, ...]:
        """Restore the device's initial state and check it; return what is wrong."""
        try:
            before()
            self._device = ready_device(self._lease, self._device)
        except (DeviceBusyError, RestoreError, RecordError):
            raise  # only a user can change that
        except (DeviceError, HarnessError) as error:  # a virtual phone that does not start is the harness'
            self._device = None
            if isinstance(error, DeviceUnauthorizedError) and not self._was_connected:
                raise  # only a user can change that
            return (HealthProblem(symptom=Symptom.UNREACHABLE, detail=str(error)),)
        self._was_connected = True
        return self._look(self._device, thorough=thorough)

    def _look(self, device: Device, *, thorough: bool = False) -> tuple[HealthProblem, ...]:
        reading = self._check(device, thorough=thorough)
        if self._had_network is None:
            self._had_network = reading.routed
        return find_problems(reading, had_network=self._had_network is True)

    def _recycle(self) -> None:
        loads = self._lease.snapshot_loads
        if not due_for_recycling(loads, self._policy):
            return
        self.close()
        try:
            self._lease.restart()
        except (DeviceError, HarnessError) as error:  # recovered as any device that cannot be reached
            _LOG.warning("%s: not restarted after %d snapshot loads: %s", self.label, loads, error)
            return
        self._record(ev.DeviceRecycled(time=self._clock.now(), device=self.label, loads=loads))
        _LOG.info("%s: restarted after %d snapshot loads", self.label, loads)

    def _report(self, problems: tuple[HealthProblem, ...], episode: str) -> None:
        self._record(
            ev.HealthChecked(time=self._clock.now(), device=self.label, problems=problems, episode=episode)
        )
        _LOG.warning(
            "%s: %s", self.label, "; ".join(f"{each.symptom.value}: {each.detail}" for each in problems)
        )

    def _perform(self, rung: Rung, app: str) -> str:
        """Perform a rung; return why it failed, or empty."""
        device = self._device
        try:
            match rung:
                case Rung.RECONNECT:
                    self.close()
                case Rung.RESTART_U2 if device is not None:
                    device.restart_u2()
                case Rung.RESTART_APP if device is not None:
                    close_dialogs(device, app)
                case Rung.REBOOT:
                    self.close()
                    self._lease.reboot()
                case Rung.LOAD_SNAPSHOT:
                    self.close()
                    self._lease.load_snapshot()
                case Rung.RESTART_EMULATOR:
                    self.close()
                    self._lease.restart()
                case _:
                    pass
        except GaraError as error:
            return str(error)
        return ""
