"""Whether a device faults more often than the others of its run, by a statistical test; pure.

For each device, Fisher's exact test (one-sided) compares its attempts, with and without a fault of the
device, with those of all other devices together. The test is repeated after each attempt and for each device,
so the level is strict: 0.001, divided by the number of devices. A device is retired only if another one
remains, and not before it has had `MIN_FAULTS` faults.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

LEVEL = 0.001
MIN_FAULTS = 4


@dataclass(frozen=True, slots=True)
class FaultTally:
    """The attempts on a device.

    Attributes:
        attempts: Number of attempts at episodes.
        faults: Number of those that a fault of the device ended.
    """

    attempts: int = 0
    faults: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.faults <= self.attempts:
            raise ValueError("a device has no more faults than attempts")

    def after(self, *, fault: bool) -> FaultTally:
        """Return the tally after another attempt."""
        return FaultTally(self.attempts + 1, self.faults + fault)


@dataclass(frozen=True, slots=True)
class Retirement:
    """A device that faults more often than the others.

    Attributes:
        device: Its label.
        p_value: Probability of so many faults if it were like the others.
        reason: Its faults and those of the others, in words.
    """

    device: str
    p_value: float
    reason: str


def fisher_p_value(one: FaultTally, others: FaultTally) -> float:
    """Return the probability of at least so many faults on one device, given the total of both."""
    faults, attempts = one.faults + others.faults, one.attempts + others.attempts
    if not faults:
        return 1.0
    ways = math.comb(attempts, faults)
    most = min(faults, one.attempts)
    found = sum(
        math.comb(one.attempts, number) * math.comb(others.attempts, faults - number)
        for number in range(one.faults, most + 1)
    )
    return min(1.0, found / ways)


def device_to_retire(tallies: Mapping[str, FaultTally]) -> Retirement | None:
    """Return the device of a run that faults more often than the others, if any.

    Args:
        tallies: The devices that are still in use, by label.
    """
    if len(tallies) < 2:
        return None
    level = LEVEL / len(tallies)
    worst: Retirement | None = None
    for label, tally in sorted(tallies.items()):
        if tally.faults < MIN_FAULTS:
            continue
        rest = [each for other, each in tallies.items() if other != label]
        others = FaultTally(sum(each.attempts for each in rest), sum(each.faults for each in rest))
        p_value = fisher_p_value(tally, others)
        if p_value < level and (worst is None or p_value < worst.p_value):
            reason = (
                f"{tally.faults} of its {tally.attempts} attempts ended in a fault of the device, "
                f"{others.faults} of {others.attempts} on the others (p = {p_value:.1e}, "
                f"below {level:.1e})"
            )
            worst = Retirement(label, p_value, reason)
    return worst
