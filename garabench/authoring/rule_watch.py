"""Watch a device and say, for each screen that comes up, how close every rule is to firing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.core.clock import Clock
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.rule import BoundRule
from garabench.device.device import Device
from garabench.rules.engine import foreground
from garabench.rules.explain import Clause, explain_rule

POLL = 0.02
"""Seconds between two readings of the screen."""


@dataclass(frozen=True, slots=True)
class RuleCloseness:
    """How close a rule is to firing on a screen.

    Attributes:
        rule: Its id.
        closeness: The share of its conditions that hold, from 0 to 1; keywords count by their share.
        fires: Whether all of them hold; None if that is unknown.
        missing: What does not hold, in words.
    """

    rule: str
    closeness: float
    fires: bool | None
    missing: str


@dataclass(frozen=True, slots=True)
class WatchedScreen:
    """A screen and the rules of its app, the closest first.

    Attributes:
        app: The app in the foreground.
        rules: The rules of this app.
        seconds: Time from the begin of the reading until the rules were evaluated.
    """

    app: str
    rules: tuple[RuleCloseness, ...]
    seconds: float = 0.0


def closeness_of(rules: Sequence[BoundRule], facts: RecordedFacts) -> tuple[RuleCloseness, ...]:
    """Return how close the rules of the foreground app are to firing, the closest first.

    Args:
        rules: The rules.
        facts: The screen.
    """
    app = foreground(facts)
    found = [_closeness(bound, facts) for bound in rules if bound.app in ("any", app)]
    return tuple(sorted(found, key=lambda each: (-each.closeness, each.fires is not True)))


def _closeness(bound: BoundRule, facts: RecordedFacts) -> RuleCloseness:
    explained = explain_rule(bound, facts, None, closest=False)
    parts = [part for part in explained.parts if part.name not in ("app", "min_step")]
    needed = [_share(part) for part in parts if part.needed == "all"]
    choice = [_share(part) for part in parts if part.needed == "any"]
    shares = [*needed, *([max(choice)] if choice else [])]
    missing = [_missing(part) for part in parts if not part.holds]
    if any(part.holds for part in parts if part.needed == "any"):
        missing = [_missing(part) for part in parts if not part.holds and part.needed == "all"]
    closeness = sum(shares) / len(shares) if shares else 1.0
    return RuleCloseness(bound.rule.id, round(closeness, 4), explained.fires, "; ".join(missing))


def _share(part: Clause) -> float:
    """Return the share of a condition that holds, from 0 to 1."""
    if part.holds:
        return 1.0
    if part.keywords is not None:
        return min(part.keywords.share / part.keywords.threshold, 1.0)
    if part.name == "all" and part.parts:
        return sum(map(_share, part.parts)) / len(part.parts)
    if part.name == "any" and part.parts:
        return max(map(_share, part.parts))
    return 0.0


def _missing(part: Clause) -> str:
    if part.keywords is None:
        return part.reason
    share = part.keywords
    total = len(share.found) + len(share.missing)
    return f"{len(share.found)}/{total} keywords, missing {', '.join(share.missing)}"


def watch_rules(
    device: Device,
    rules: Sequence[BoundRule],
    on_screen: Callable[[WatchedScreen], None],
    *,
    clock: Clock,
    stop: Callable[[], bool],
) -> None:
    """Report each screen of a device once it differs from the one before, until `stop` returns True.

    The screen is read without waiting until it is still, so that a change is reported at once.

    Args:
        device: The device.
        rules: The rules.
        on_screen: Called with each screen.
        clock: Measures times and waits.
        stop: Returns whether to stop.

    Raises:
        DeviceError: The device is gone.
    """
    shown = ""
    while not stop():
        begun = clock.monotonic()
        reading = device.read_tree()
        if reading.tree.signature != shown:
            shown = reading.tree.signature
            facts = RecordedFacts(reading.tree, device.focus())
            closest = closeness_of(rules, facts)
            on_screen(WatchedScreen(foreground(facts), closest, clock.monotonic() - begun))
        else:
            clock.sleep(POLL)
