"""Episodes that are in no rate, and why: errors by kind, unknown outcomes, interruptions not shown."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from garabench.records.results import Summary


class Exclusion(enum.StrEnum):
    """Why an episode is in no rate."""

    ERROR = "error"
    """A fault of the device, the model or the harness ended it."""
    UNKNOWN = "unknown"
    """It could not be established whether the goal was met."""
    NOT_SHOWN = "not-shown"
    """None of its interruptions could be shown."""


@dataclass(frozen=True, slots=True)
class ExcludedRow:
    """Episodes of one agent under one condition that are excluded for one reason.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        exclusion: Why they are excluded.
        kind: For an error, who is at fault and the class of the error; for an interruption that was not
            shown, the kind of failure; empty for an unknown outcome.
        count: Number of episodes.
        episodes: Number of all ended episodes of the agent under the condition.
        example: The message of the first of them.
    """

    agent: str
    condition: str
    reference: bool
    exclusion: Exclusion
    kind: str
    count: int
    episodes: int
    example: str


def excluded_rows(summaries: Iterable[Summary]) -> tuple[ExcludedRow, ...]:
    """Return a row per agent, condition and kind, most frequent first; over all tasks."""
    totals: Counter[tuple[str, str]] = Counter()
    groups: dict[tuple[str, str, bool, Exclusion, str], list[str]] = {}
    for item in summaries:
        totals[item.agent, item.condition] += 1
        if (exclusion := exclusion_of(item)) is not None:
            kind, message = _kind_and_message(item, exclusion)
            key = (item.agent, item.condition, item.reference, exclusion, kind)
            groups.setdefault(key, []).append(message)
    rows = [
        ExcludedRow(*key, len(messages), totals[key[0], key[1]], messages[0])
        for key, messages in groups.items()
    ]
    return tuple(sorted(rows, key=lambda row: -row.count))


def exclusion_of(item: Summary) -> Exclusion | None:
    """Return why an episode is in no rate; None if it is."""
    if item.counts:
        return None
    if item.outcome == "error":
        return Exclusion.ERROR
    return Exclusion.UNKNOWN if item.unknown else Exclusion.NOT_SHOWN


def _kind_and_message(item: Summary, exclusion: Exclusion) -> tuple[str, str]:
    match exclusion:
        case Exclusion.ERROR:
            party, _, message = item.fault.partition(": ")
            return " ".join(filter(None, (party, item.fault_error))), message
        case Exclusion.UNKNOWN:
            return "", item.unknown
        case Exclusion.NOT_SHOWN:
            return item.missed[0], ""
