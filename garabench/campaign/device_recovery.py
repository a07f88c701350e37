"""How a device is recovered: which rung of the ladder comes next, and after what pause; pure decisions.

The ladder goes from the mildest measure to the last. Which rungs can help depends on the symptoms, and which
are possible depends on the device: only a virtual phone or an emulator can be restarted or load a snapshot.
`garabench.campaign.device_care` performs the rungs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from garabench.core.campaign_events import Rung, Symptom

_DEVICE = (Rung.REBOOT, Rung.LOAD_SNAPSHOT, Rung.RESTART_EMULATOR)
LADDER: Mapping[Symptom, tuple[Rung, ...]] = {
    Symptom.UNREACHABLE: (Rung.WAIT, Rung.RECONNECT, *_DEVICE),
    Symptom.BOOTING: (Rung.WAIT, Rung.RECONNECT, *_DEVICE),
    Symptom.LOCKED: (Rung.WAIT, Rung.LOAD_SNAPSHOT, Rung.RESTART_EMULATOR),
    Symptom.DIALOG: (Rung.RESTART_APP, Rung.WAIT, *_DEVICE),
    Symptom.COVERED: (Rung.WAIT, Rung.RESTART_APP, *_DEVICE),
    Symptom.NO_FOCUS: (Rung.WAIT, Rung.RESTART_APP, *_DEVICE),
    Symptom.EMPTY_TREE: (Rung.WAIT, Rung.RESTART_U2, Rung.RESTART_APP, *_DEVICE),
    Symptom.U2_FAILED: (Rung.WAIT, Rung.RESTART_U2),
    Symptom.LOW_STORAGE: (Rung.WAIT, Rung.LOAD_SNAPSHOT, Rung.RESTART_EMULATOR),
    Symptom.WRONG_TIME: (Rung.WAIT, *_DEVICE),
    Symptom.NO_NETWORK: (Rung.WAIT, *_DEVICE),
    Symptom.SLOW_ADB: (Rung.WAIT, Rung.RECONNECT),
}
"""The rungs that can help against each symptom, in their order."""
TOLERABLE = frozenset({Symptom.U2_FAILED, Symptom.SLOW_ADB})
"""Symptoms with which episodes are slower, but valid: if the ladder does not help, the run continues."""
_ORDER = (
    Rung.WAIT,
    Rung.RECONNECT,
    Rung.RESTART_U2,
    Rung.RESTART_APP,
    Rung.REBOOT,
    Rung.LOAD_SNAPSHOT,
    Rung.RESTART_EMULATOR,
)


@dataclass(frozen=True, slots=True)
class DeviceRecoveryPolicy:
    """The limits of device recovery.

    Attributes:
        waits: Pauses of the rung `Rung.WAIT`, in seconds: it is tried once with each.
        after_measure: Seconds after any other rung until the device is checked again.
        retry_pause: Seconds before the first repetition of an episode on a device that is healthy again;
            tripled for each further one, up to `longest_retry_pause`. Some faults leave a check unharmed: a
            connection that drops after some data looks healthy, so the pauses must outlast them.
        longest_retry_pause: See `retry_pause`.
        device_pause: Seconds for which a device that could not be recovered gets no episodes; doubled each
            time, up to `longest_device_pause`.
        longest_device_pause: See `device_pause`.
        wait_limit: Sum of the pauses of a device since its last episode without a fault; then it is retired.
        faults_in_a_row: Number of consecutive episodes ended by a fault of the device after which it pauses,
            although each check finds it healthy.
        task_faults: Number of faults on healthy devices after which a task's episodes are not repeated.
        recycle_after: Number of snapshot loads after which an emulator is restarted; 0 for never.
    """

    waits: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0)
    after_measure: float = 0.5
    retry_pause: float = 3.0
    longest_retry_pause: float = 30.0
    device_pause: float = 15.0
    longest_device_pause: float = 300.0
    wait_limit: float = 600.0
    faults_in_a_row: int = 3
    task_faults: int = 10
    recycle_after: int = 50

    def limited(self, seconds: float) -> DeviceRecoveryPolicy:
        """Return the policy with a limit on how long a failing device may take to come back.

        Args:
            seconds: The limit of its pauses; the waits of a single recovery are within it, too.
        """
        total, waits = 0.0, []
        for wait in self.waits:
            total += wait
            if total <= seconds:
                waits.append(wait)
        return replace(self, wait_limit=seconds, waits=tuple(waits))

    def pause_before_retry(self, failed: int) -> float:
        """Return the pause before an episode is repeated after a number of failed attempts, from 1."""
        return min(self.longest_retry_pause, self.retry_pause * 3.0 ** (max(1, failed) - 1))

    def pause_of_device(self, pauses: Sequence[float]) -> float | None:
        """Return how long a device pauses next.

        Args:
            pauses: Its pauses since its last episode without a fault.

        Returns:
            Seconds, so that the sum of the pauses does not exceed the limit; None if the device is to be
            retired.
        """
        remaining = self.wait_limit - sum(pauses)
        if remaining <= 0:
            return None
        return min(self.longest_device_pause, self.device_pause * 2.0 ** len(pauses), remaining)


NO_WAITING = DeviceRecoveryPolicy(
    waits=(0.0,), after_measure=0.0, retry_pause=0.0, longest_retry_pause=0.0, wait_limit=0.0
)
"""Recovery without any pause, for programs that handle faults themselves."""


@dataclass(frozen=True, slots=True)
class DeviceRecoveryStep:
    """The next step of a device recovery.

    Attributes:
        rung: What to do.
        pause: Seconds to wait afterwards, before the device is checked again.
    """

    rung: Rung
    pause: float


@dataclass(frozen=True, slots=True)
class DeviceRecovery:
    """A device recovery in progress.

    Attributes:
        policy: Its limits.
        possible: The rungs that this device can perform.
        tried: The rungs so far, in order.
    """

    policy: DeviceRecoveryPolicy
    possible: frozenset[Rung]
    tried: tuple[Rung, ...] = field(default=())

    def next_step(self, symptoms: Collection[Symptom]) -> DeviceRecoveryStep | None:
        """Decide what to do about the symptoms that the last check found.

        A rung other than `Rung.WAIT` is tried once per recovery, and once the ladder has passed a rung, it
        does not return to a milder one, except to those that only a new symptom needs.

        Returns:
            None if the device is healthy, or if only tolerable symptoms are left that nothing can help;
            `Rung.RETIRE` if the ladder has ended.
        """
        if not symptoms:
            return None
        counts = Counter(self.tried)
        for rung in _rungs(symptoms):
            if rung not in self.possible:
                continue
            if rung is Rung.WAIT:
                if counts[rung] < len(self.policy.waits):
                    return DeviceRecoveryStep(rung, self.policy.waits[counts[rung]])
            elif not counts[rung]:
                return DeviceRecoveryStep(rung, self.policy.after_measure)
        if all(symptom in TOLERABLE for symptom in symptoms):
            return None
        return DeviceRecoveryStep(Rung.RETIRE, 0.0)

    def performed(self, rung: Rung) -> DeviceRecovery:
        """Return the recovery after a rung was performed."""
        return DeviceRecovery(self.policy, self.possible, (*self.tried, rung))


def _rungs(symptoms: Iterable[Symptom]) -> tuple[Rung, ...]:
    """Return the rungs for several symptoms: those that come first for one of them, then the others."""
    ladders = [LADDER[symptom] for symptom in sorted(symptoms)]
    first = [ladder[0] for ladder in ladders if ladder[0] is not Rung.WAIT and ladder[0] not in _DEVICE]
    rest = [rung for rung in _ORDER if any(rung in ladder for ladder in ladders)]
    return tuple(dict.fromkeys((*first, *rest)))


def is_recovered(symptoms: Collection[Symptom]) -> bool:
    """Return whether an episode may begin on a device with these symptoms."""
    return all(symptom in TOLERABLE for symptom in symptoms)


def due_for_recycling(loads: int, policy: DeviceRecoveryPolicy) -> bool:
    """Return whether an emulator must be restarted: repeated snapshot loads corrupt its graphics buffers."""
    return policy.recycle_after > 0 and loads >= policy.recycle_after
