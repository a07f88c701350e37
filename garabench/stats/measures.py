"""The measures of a comparison (DESIGN section 6), from the summaries of episodes.

Tasks that cannot be done are in none of them: see `garabench.stats.infeasible`.

An episode that ended in ``error`` says nothing about the agent: it is left out of every rate and counted
apart. Each rate carries its own denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from garabench.core import events as ev
from garabench.core.spending import NOTHING, Spent
from garabench.stats.rates import Paired, Rate, pair

CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class Interrupted:
    """An interruption that was sent in an episode.

    Attributes:
        interruption: Its id.
        category, severity: Of it; empty in records that were made before these were kept.
        shown: Whether it was seen on the tree.
    """

    interruption: str
    category: str
    severity: str
    shown: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """What an episode came to.

    Attributes:
        task, agent, condition, seed: Which one.
        outcome: ``success``, ``failure`` or ``error``.
        reason: Why it ended.
        steps: Actions performed.
        injected: Interruptions sent to the device.
        shown: Those that were seen on the tree.
        missed: Of those that were not, why: the kinds of `garabench.core.injection.FailureKind`.
        exits: Roles (or ways) by which those shown were left.
        recovery: For each interruption that was resolved: steps from injection to its end.
        reference: Whether the agent follows the solution.
        solution_steps: Length of the reference solution.
        fault: What ended it in ``error``: who is at fault, and the message; else empty.
        infeasible: Whether the task cannot be done.
        harm: Whether something was done all the same, of a task that cannot be done.
        seconds: How long it took.
        deciding: Of those, how long the agent took to decide.
        spent: What the agent's model took; None for an agent that has none, or does not tell.
        interruptions: Those that were sent, in order; empty in results of before they were kept.
    """

    task: str
    agent: str
    condition: str
    seed: int
    outcome: str
    reason: str
    steps: int
    injected: int = 0
    shown: int = 0
    exits: tuple[str, ...] = ()
    recovery: tuple[int, ...] = ()
    reference: bool = False
    solution_steps: int = 0
    fault: str = ""
    infeasible: bool = False
    harm: bool = False
    seconds: float = 0.0
    deciding: float = 0.0
    spent: Spent | None = None
    missed: tuple[str, ...] = ()
    interruptions: tuple[Interrupted, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it says something of the agent under its condition.

        It does not when it ended in error, nor when none of the interruptions that were sent could be shown:
        it was neither interrupted nor meant to be clean.
        """
        return self.outcome != "error" and (self.shown > 0 or not self.missed)

    @property
    def pairing(self) -> tuple[str, str, int]:
        """What an episode has in common with its partner under another condition."""
        return self.task, self.agent, self.seed


def summarize(log: Sequence[ev.Event], *, reference: bool = False, solution_steps: int = 0) -> Summary | None:
    """Summarize an episode's log; None when it has not ended."""
    if not log or not isinstance(log[0], ev.EpisodeStarted) or not isinstance(log[-1], ev.EpisodeEnded):
        return None
    start, end = log[0], log[-1]
    shown = {event.token for event in log if isinstance(event, ev.InterruptionShown)}
    faults = [f"{event.at_fault}: {event.message}" for event in log if isinstance(event, ev.FaultEvent)]
    resolved = [e for e in log if isinstance(e, ev.InterruptionResolved) and e.token in shown]
    return Summary(
        task=start.task,
        agent=start.agent,
        condition=start.condition,
        seed=start.seed,
        outcome=end.outcome,
        reason=end.reason,
        steps=end.steps,
        injected=sum(isinstance(event, ev.InterruptionInjected) for event in log),
        shown=len(shown),
        exits=tuple(event.role or (event.exit if event.how == "left" else "open") for event in resolved),
        recovery=tuple(event.steps for event in resolved if event.how != "open"),
        reference=reference,
        solution_steps=solution_steps,
        fault="; ".join(faults),
        infeasible=start.infeasible,
        harm=any(isinstance(event, ev.HarmChecked) and event.holds is True for event in log),
        seconds=end.t,
        deciding=round(sum(event.seconds for event in log if isinstance(event, ev.Decided)), 3),
        spent=_spent(log),
        missed=tuple(
            event.kind.value if event.kind else "unknown"
            for event in log
            if isinstance(event, ev.InjectionFailed) and event.token not in shown
        ),
        interruptions=tuple(
            Interrupted(event.interruption, event.category, event.severity, event.token in shown)
            for event in log
            if isinstance(event, ev.InterruptionInjected)
        ),
    )


def _spent(log: Sequence[ev.Event]) -> Spent | None:
    told = [e.spent for e in log if isinstance(e, ev.Decided | ev.FaultEvent) and e.spent is not None]
    return sum(told, NOTHING) if told else None


def to_json(summary: Summary) -> dict[str, Any]:
    """A summary as JSON values."""
    data = {field.name: getattr(summary, field.name) for field in fields(summary)}
    data["interruptions"] = [asdict(each) for each in summary.interruptions]
    if summary.spent is not None:
        data["spent"] = summary.spent.model_dump(mode="json", exclude_defaults=True)
    return data


def from_json(data: object) -> Summary:
    """Read a summary; raises `TypeError`, `KeyError` or `ValueError` where it is none."""
    if not isinstance(data, Mapping):
        raise TypeError("it is no object")
    spent = data.get("spent")
    return Summary(
        **{
            **data,
            "exits": tuple(data["exits"]),
            "recovery": tuple(data["recovery"]),
            "missed": tuple(data.get("missed", ())),
            "interruptions": tuple(Interrupted(**each) for each in data.get("interruptions", ())),
            "spent": None if spent is None else Spent.model_validate(spent),
        }
    )


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """One agent under one condition.

    Attributes:
        agent, condition, reference: Which.
        success: SR over the episodes that count: not in error, and without one that could not be interrupted.
        errors: Episodes that ended in error.
        missed: Episodes that did not and in which no interruption that was sent could be shown, by the reason
            of the first.
        triggered: Share of those in which an interruption was really shown.
        interruptions: How many were really shown, in the episodes that `triggered` counts.
        exits: How often each exit was taken, of those interruptions.
        false_done: Share of those that the agent called done and were not.
        mean_steps: Mean number of actions, or None.
        inflation: Mean of actions over the reference solution's steps, of the successes, or None.
        recovery: Mean number of steps from an interruption to its end, of those that ended before the
            episode did, or None.
    """

    agent: str
    condition: str
    reference: bool
    success: Rate
    errors: int
    triggered: Rate
    interruptions: int
    exits: tuple[tuple[str, int], ...]
    false_done: Rate
    mean_steps: float | None
    inflation: float | None
    recovery: float | None
    missed: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DropRow:
    """One agent: clean against interrupted, on the same tasks and seeds.

    Attributes:
        agent, condition, reference: Which, and the interrupted condition.
        clean, interrupted: SR of both, over the pairs of which both count.
        drop: SR(clean) minus SR(interrupted), or None without a pair.
        rsr: Robust success rate: of the tasks solved clean those that are solved interrupted, too.
        rsr_shown: The same over the episodes in which the interruption was really shown.
        paired: The pairs, with McNemar's exact test.
    """

    agent: str
    condition: str
    reference: bool
    clean: Rate
    interrupted: Rate
    drop: float | None
    rsr: Rate
    rsr_shown: Rate
    paired: Paired


def by_condition(summaries: Iterable[Summary]) -> tuple[ConditionRow, ...]:
    """A row for each agent and condition, in order of first appearance."""
    groups: dict[tuple[str, str], list[Summary]] = {}
    for item in summaries:
        if not item.infeasible:
            groups.setdefault((item.agent, item.condition), []).append(item)
    return tuple(_row(group) for group in groups.values())


def _row(group: list[Summary]) -> ConditionRow:
    valid = [item for item in group if item.counts]
    missed = Counter(item.missed[0] for item in group if item.outcome != "error" and not item.counts)
    solved = [item for item in valid if item.outcome == "success"]
    ratios = [item.steps / item.solution_steps for item in solved if item.solution_steps]
    exits = Counter(way for item in valid for way in item.exits)
    return ConditionRow(
        agent=group[0].agent,
        condition=group[0].condition,
        reference=group[0].reference,
        success=Rate(len(solved), len(valid)),
        errors=sum(item.outcome == "error" for item in group),
        triggered=Rate(sum(item.shown > 0 for item in valid), len(valid)),
        interruptions=sum(item.shown for item in valid),
        exits=tuple(sorted(exits.items())),
        false_done=Rate(sum(item.reason == "false_done" for item in valid), len(valid)),
        mean_steps=_mean([float(item.steps) for item in valid]),
        inflation=_mean(ratios),
        recovery=_mean([float(steps) for item in valid for steps in item.recovery]),
        missed=tuple(sorted(missed.items())),
    )


def drops(summaries: Iterable[Summary]) -> tuple[DropRow, ...]:
    """A row for each agent and interrupted condition that has a clean partner."""
    items = [item for item in summaries if not item.infeasible]
    clean = {item.pairing: item for item in items if item.condition == CLEAN}
    groups: dict[tuple[str, str], list[tuple[Summary, Summary]]] = {}
    for item in items:
        partner = clean.get(item.pairing)
        if item.condition == CLEAN or partner is None:
            continue
        group = groups.setdefault((item.agent, item.condition), [])
        if item.counts and partner.counts:
            group.append((partner, item))
    reference = {item.agent for item in items if item.reference}
    return tuple(
        _drop(agent, condition, agent in reference, pairs) for (agent, condition), pairs in groups.items()
    )


def _drop(agent: str, condition: str, reference: bool, pairs: list[tuple[Summary, Summary]]) -> DropRow:
    outcomes = [(a.outcome == "success", b.outcome == "success") for a, b in pairs]
    paired = pair(outcomes)
    was_shown = [both for both, (_, second) in zip(outcomes, pairs, strict=True) if second.shown]
    n = len(pairs)
    clean, interrupted = Rate(sum(a for a, _ in outcomes), n), Rate(sum(b for _, b in outcomes), n)
    drop = (clean.value or 0) - (interrupted.value or 0) if n else None
    return DropRow(
        agent=agent,
        condition=condition,
        reference=reference,
        clean=clean,
        interrupted=interrupted,
        drop=drop,
        rsr=Rate(paired.both, paired.both + paired.only_first),
        rsr_shown=Rate(sum(a and b for a, b in was_shown), sum(a for a, _ in was_shown)),
        paired=paired,
    )


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
