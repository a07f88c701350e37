"""Summaries of episodes, and the file of them: ``results.jsonl``.

It has one line per ended episode, and can be rebuilt from the logs of the episodes.
"""

from __future__ import annotations

import json
import os
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from garabench.core import events as ev
from garabench.core.end_criterion import EndCriterion
from garabench.core.line_checksum import parse_line, with_checksum
from garabench.core.side_effects import UnaskedEffects
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import InputError
from garabench.records.aftermath import SYSTEM, AfterInterruption, Drift, OpenTree, RecoveredTo, aftermath
from garabench.records.disk import complete_lines, disk_error, force_to_disk, write_atomic
from garabench.records.event_reader import read_events
from garabench.records.run_file import RunFile
from garabench.records.run_layout import RESULTS, EpisodeKey
from garabench.records.tree_files import TreeOpener

INCOMPLETE = "_incomplete"
"""Suffix of a button's role in `Summary.exits` if its follow-up was not performed in full."""
UNKNOWN = "unknown"
"""`Summary.known_outcome` of an episode of which it is not known whether it succeeded."""
RESULT_VERSION = 2
"""Of a line of ``results.jsonl``.

2: what follows an interruption, loops, unknown outcomes, the task's app and step limit."""

_LOOP = 3
_NO_LOOP = ("wait", "done", "give_up")
_FAILED_BY_ITSELF = ("unparseable", "refused", "agent_timeout", "agent_failed")


@dataclass(frozen=True, slots=True)
class InjectedInterruption:
    """An interruption that was injected in an episode.

    Attributes:
        interruption: Its id.
        category, severity: Its category and severity; empty in older records.
        shown: Whether it was seen on the tree.
        incomplete: Why the follow-up of the pressed button was not performed in full; empty if it was, or
            if there was none.
        rule: Id of the rule that injected it; empty in results of version 1, as are `mode` and `exit`.
        mode: ``dual`` or ``forced``.
        step: Number of the step in which it was injected; None in results of version 1.
        exit: How it ended, as in `Summary.exits`; empty if it was not shown.
        aftermath: What followed it; None if it was not shown, and in results of version 1.
    """

    interruption: str
    category: str
    severity: str
    shown: bool
    incomplete: str = ""
    rule: str = ""
    mode: str = ""
    step: int | None = None
    exit: str = ""
    aftermath: AfterInterruption | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of an episode.

    Attributes:
        task, agent, condition, seed: What identifies the episode.
        outcome: ``success``, ``failure`` or ``error``.
        reason: Why it ended.
        steps: Number of performed actions.
        injected: Number of injected interruptions.
        shown: Number of those that were seen on the tree.
        missed: Why the others were not seen: the kinds of `garabench.core.injection.FailureKind`.
        exits: Roles of the buttons (or other exits) by which the shown ones ended, with `INCOMPLETE` appended
            if the button's follow-up was not performed in full.
        recovery: Number of steps from injection to end, for each resolved interruption.
        reference: Whether the agent follows the reference solution.
        solution_steps: Length of the reference solution.
        fault: The party at fault and the message of the fault that ended it; empty without one.
        infeasible: Whether the task is infeasible.
        harm: Whether the agent did harm in an infeasible task.
        seconds: Duration of the episode.
        deciding: The part of it in which the agent decided.
        usage: Usage of the agent's model; None for an agent without a model, or that does not report it.
        interruptions: The injected interruptions, in order; empty in older results.
        version: Version of the result; what follows is not known in results of version 1.
        app: Package of the task's app; empty if not known.
        step_limit: The step limit of the task; None if not known.
        end: When the episode ends (``--end``).
        unknown: Why it is not known whether the episode succeeded; empty if it is known. Such an episode is
            neither a success nor a failure, regardless of `outcome`.
        goal_reached: Whether the goal was met at any check, also if the episode did not succeed.
        repeated: Number of actions in loops; None for an agent that does not report its actions.
        fault_error: Class of the fault that ended it; empty without one.
        side_effects: What it changed that the task does not ask for, as ``added like``; None if unknown.
        side_effects_unknown: Why that is unknown; empty if it is known.
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
    usage: Usage | None = None
    missed: tuple[str, ...] = ()
    interruptions: tuple[InjectedInterruption, ...] = ()
    version: int = RESULT_VERSION
    app: str = ""
    step_limit: int | None = None
    end: EndCriterion = EndCriterion.GOAL
    unknown: str = ""
    goal_reached: bool | None = None
    repeated: int | None = None
    fault_error: str = ""
    side_effects: tuple[str, ...] | None = None
    side_effects_unknown: str = "not recorded"

    @property
    def known_outcome(self) -> str:
        """The outcome; ``unknown`` if it is not known whether the episode succeeded."""
        return UNKNOWN if self.unknown else self.outcome

    @property
    def strict(self) -> bool | None:
        """Whether it succeeded and changed nothing that was not asked for; None if that is unknown."""
        if self.outcome != "success":
            return False
        return None if self.side_effects is None else not self.side_effects

    @property
    def key(self) -> EpisodeKey:
        """What identifies the episode within its run."""
        return EpisodeKey(self.task, self.agent, self.condition, self.seed)

    @property
    def counts(self) -> bool:
        """Whether it counts as a result of the agent under its condition.

        It does not count if it ended in error, if its outcome is unknown, or if none of the injected
        interruptions could be shown: such an episode is neither interrupted nor clean.
        """
        return self.outcome != "error" and not self.unknown and (self.shown > 0 or not self.missed)

    @property
    def pairing(self) -> tuple[str, str, int]:
        """The key that it shares with its partner under another condition."""
        return self.task, self.agent, self.seed


_NOT_RECORDED = UnaskedEffects(unknown="not recorded")


def summarize(
    log: Sequence[ev.Event],
    *,
    reference: bool = False,
    solution_steps: int = 0,
    open_tree: OpenTree = lambda _: None,
) -> Summary | None:
    """Summarize an episode's log; return None if it has not ended.

    Args:
        log: The events of one attempt.
        reference: Whether the agent follows the reference solution.
        solution_steps: Length of the reference solution, for logs that do not have it (version 2 and before).
        open_tree: Opens the tree of an observation. Without it, what followed an interruption is unknown
            where the log alone does not say.
    """
    if not log or not isinstance(log[0], ev.EpisodeStarted) or not isinstance(log[-1], ev.EpisodeEnded):
        return None
    start, end = log[0], log[-1]
    shown = {event.token for event in log if isinstance(event, ev.InterruptionShown)}
    faults = [f"{event.at_fault}: {event.message}" for event in log if isinstance(event, ev.FaultEvent)]
    resolved = [e for e in log if isinstance(e, ev.InterruptionResolved) and e.token in shown]
    incomplete = _incomplete_follow_ups(log)
    exits = {event.token: _exit(event, incomplete=event.token in incomplete) for event in resolved}
    failed = [event for event in log if isinstance(event, ev.FaultEvent)]
    unasked = next((event.unasked for event in log if isinstance(event, ev.Effects)), _NOT_RECORDED)
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
        exits=tuple(exits[event.token] for event in resolved),
        recovery=tuple(event.steps for event in resolved if event.how != "open"),
        reference=reference,
        solution_steps=solution_steps if start.solution_steps is None else start.solution_steps,
        fault="; ".join(faults),
        infeasible=start.infeasible,
        harm=any(isinstance(event, ev.HarmChecked) and event.holds is True for event in log),
        seconds=end.t,
        deciding=round(sum(event.seconds for event in log if isinstance(event, ev.Decided)), 3),
        usage=_usage(log),
        missed=tuple(
            event.kind.value if event.kind else "unknown"
            for event in log
            if isinstance(event, ev.InjectionFailed) and event.token not in shown
        ),
        interruptions=tuple(
            InjectedInterruption(
                event.interruption,
                event.category,
                event.severity,
                event.token in shown,
                incomplete.get(event.token, ""),
                event.rule,
                event.mode,
                event.step,
                exits.get(event.token, ""),
                aftermath(log, event.token, open_tree),
            )
            for event in log
            if isinstance(event, ev.InterruptionInjected)
        ),
        app=start.app or _first_app(log),
        step_limit=start.max_steps,
        end=start.end,
        unknown=unknown_outcome(log),
        goal_reached=any(isinstance(event, ev.GoalChecked) and event.holds is True for event in log),
        repeated=repeated_actions(log),
        fault_error=failed[-1].error if failed else "",
        side_effects=None if unasked.unknown else tuple(effect.name for effect in unasked.effects),
        side_effects_unknown=unasked.unknown,
    )


def _first_app(log: Sequence[ev.Event]) -> str:
    """Return the package of the first screen, which is the task's app, for logs that do not name it."""
    return next((event.package for event in log if isinstance(event, ev.Observed)), "")


def unknown_outcome(log: Sequence[ev.Event]) -> str:
    """Return why an episode's failure is not known to be one: the goal could not be read at the end.

    An interruption that is still open hides the app, but the agent did not get past it: that is a failure.

    Args:
        log: The events of one attempt.

    Returns:
        The reason; empty if the outcome is known, or if the episode has not ended.
    """
    if not log or not isinstance(log[0], ev.EpisodeStarted) or not isinstance(log[-1], ev.EpisodeEnded):
        return ""
    start, end = log[0], log[-1]
    if end.outcome != "failure" or start.infeasible or end.reason in _FAILED_BY_ITSELF:
        return ""
    resolved = (event for event in log if isinstance(event, ev.InterruptionResolved))
    if any(event.how == "open" and event.category != SYSTEM for event in resolved):
        return ""
    last = next((event for event in reversed(log) if isinstance(event, ev.GoalChecked)), None)
    return "" if last is None or last.holds is not None else last.reason or "the goal could not be read"


def repeated_actions(log: Sequence[ev.Event]) -> int | None:
    """Return the number of actions in loops; None for an agent that does not report its actions.

    A loop is the same action on a screen in the same visible state, three times or more; every time but the
    first counts. Waiting is not a loop.
    """
    if any(isinstance(event, ev.ActionObserved) for event in log):
        return None
    counts: Counter[tuple[str, str]] = Counter()
    signature = ""
    for event in log:
        if isinstance(event, ev.Observed):
            signature = event.signature
        elif isinstance(event, ev.Decided) and event.action.get("type") not in _NO_LOOP:
            counts[signature, json.dumps(event.action, sort_keys=True)] += 1
    return sum(count - 1 for count in counts.values() if count >= _LOOP)


def _incomplete_follow_ups(log: Sequence[ev.Event]) -> dict[str, str]:
    """Return the first step of each follow-up that was not performed, and why, by the token."""
    failed = (event for event in reversed(log) if isinstance(event, ev.FollowUpPerformed) and not event.ok)
    return {event.token: f"{event.description}: {event.detail}" for event in failed}


def _exit(resolved: ev.InterruptionResolved, *, incomplete: bool) -> str:
    if not resolved.role:
        return resolved.exit if resolved.how == "left" else "open"
    return resolved.role + (INCOMPLETE if incomplete else "")


def _usage(log: Sequence[ev.Event]) -> Usage | None:
    reported = [e.usage for e in log if isinstance(e, ev.Decided | ev.FaultEvent) and e.usage is not None]
    return sum(reported, NO_USAGE) if reported else None


def summary_to_json(summary: Summary) -> dict[str, Any]:
    """Return a summary as JSON-compatible data."""
    data = {field.name: getattr(summary, field.name) for field in fields(summary)}
    data["interruptions"] = [asdict(each) for each in summary.interruptions]
    data["end"] = summary.end.value
    if summary.usage is not None:
        data["usage"] = summary.usage.model_dump(mode="json", exclude_defaults=True)
    return data


class _NewerResultError(ValueError):
    """A newer GaraBench wrote the result."""


def summary_from_json(data: object) -> Summary:
    """Read a summary.

    Raises:
        KeyError, TypeError, ValueError: The data is not a summary.
    """
    if not isinstance(data, Mapping):
        raise TypeError("not an object")
    present = {"usage" if name == "spent" else name: value for name, value in data.items()}  # log version 3
    usage = present.get("usage")
    version = present.get("version", 1)
    if isinstance(version, int) and version > RESULT_VERSION:
        raise _NewerResultError(
            f"the result has version {version}; this GaraBench reads versions up to {RESULT_VERSION}"
        )
    return Summary(
        **{
            **present,
            "exits": tuple(data["exits"]),
            "recovery": tuple(data["recovery"]),
            "missed": tuple(data.get("missed", ())),
            "side_effects": None if data.get("side_effects") is None else tuple(data["side_effects"]),
            "interruptions": tuple(map(_interruption, data.get("interruptions", ()))),
            "usage": None if usage is None else Usage.model_validate(usage),
            "version": version,
            "end": EndCriterion(present.get("end", EndCriterion.GOAL)),
        }
    )


def _interruption(data: Mapping[str, Any]) -> InjectedInterruption:
    after = data.get("aftermath")
    if after is None:
        return InjectedInterruption(**data)
    drift = after.get("drift")
    return InjectedInterruption(
        **{
            **data,
            "aftermath": AfterInterruption(
                RecoveredTo(after["recovered"]),
                after.get("steps"),
                after.get("seconds"),
                None if drift is None else tuple(map(Drift, drift)),
            ),
        }
    )


_VERSION_1 = tuple(field.name for field in fields(Summary))[
    : [field.name for field in fields(Summary)].index("version")
]


def as_version(summary: Summary, version: int) -> Summary:
    """Return a summary as a result of an older version would have it."""
    if version >= summary.version:
        return summary
    interruptions = (
        InjectedInterruption(each.interruption, each.category, each.severity, each.shown, each.incomplete)
        for each in summary.interruptions
    )
    data = {name: getattr(summary, name) for name in _VERSION_1}
    return Summary(**{**data, "interruptions": tuple(interruptions), "version": version})


def append_result(run: Path, summary: Summary) -> None:
    """Add an episode's line to a run's results.

    Raises:
        RecordError: It cannot be written.
    """
    path = run / RESULTS
    try:
        new = not path.exists()
        with path.open("a", encoding="utf-8") as file:
            file.write(_line(summary))
            file.flush()
            os.fsync(file.fileno())
        if new:
            force_to_disk(run)
    except OSError as error:
        raise disk_error(error, path) from error


def read_results(run: Path) -> tuple[Summary, ...]:
    """Read the summaries of a run's ended episodes; the last line of an episode counts.

    Raises:
        InputError: The file is broken or of a newer version.
    """
    path = run / RESULTS
    if not path.is_file():
        return ()
    found: dict[EpisodeKey, Summary] = {}
    try:  # A truncated last line is ignored; the episode's log has the same data.
        lines = complete_lines(path)
    except InputError as error:
        raise _damaged(run, error.message) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():  # nothing is lost by it
            continue
        try:
            summary = summary_from_json(parse_line(line))
        except _NewerResultError as error:
            raise InputError(
                f"{path}:{number}:1: {error}", hint="Use a newer GaraBench to read it."
            ) from error
        except (TypeError, KeyError, ValueError) as error:
            raise _damaged(run, f"{path}:{number}:1: not a result: {error}") from error
        found.pop(summary.key, None)
        found[summary.key] = summary
    return tuple(found.values())


def _damaged(run: Path, message: str) -> InputError:
    folder = shlex.quote(str(run))
    hint = (
        f"To find what is damaged: garabench runs fsck {folder}\n"
        f"To write the results again from the logs: garabench runs rebuild {folder}"
    )
    return InputError(message, hint=hint)


def summarize_episodes(run: Path, file: RunFile) -> Iterable[Summary]:
    """Iterate over the summaries of a run's ended episodes from their logs, in the plan's order.

    Logs of version 2 and before do not have the length of the reference solution; the existing results
    provide it.

    Args:
        run: The run's folder.
        file: Its ``run.json``.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    try:
        lengths = {summary.task: summary.solution_steps for summary in read_results(run)}
    except InputError:
        lengths = {}
    reference = {agent.name for agent in file.agents if agent.reference}
    trees = TreeOpener.of_run(run)
    for key in file.episode_keys():
        folder = run / key.folder
        summary = summarize(
            read_events(folder),
            reference=key.agent in reference,
            solution_steps=lengths.get(key.task, 0),
            open_tree=trees.of_episode(folder),
        )
        if summary is not None:
            yield summary


def rebuild_results(run: Path, file: RunFile) -> tuple[Summary, ...]:
    """Rewrite a run's results from the records of its episodes, in the plan's order.

    Args:
        run: The run's folder.
        file: Its ``run.json``.

    Raises:
        InputError: A record is broken or of a newer version.
        RecordError: The results cannot be written.
    """
    found = tuple(summarize_episodes(run, file))
    write_atomic(run / RESULTS, "".join(map(_line, found)).encode(), durable=True)
    return found


def _line(summary: Summary) -> str:
    return with_checksum(json.dumps(summary_to_json(summary), ensure_ascii=False)) + "\n"
