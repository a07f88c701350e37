"""One flat row per ended episode: CSV, Parquet and JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from garabench.core.usage import Usage
from garabench.errors import InputError
from garabench.records.reader import Run
from garabench.records.results import Summary, summary_to_json
from garabench.stats.excluded import exclusion_of

Value = str | int | float | bool | tuple[str, ...] | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def counts_as(summary: Summary) -> str:
    """Return what an episode counts as: ``success``, ``failure``, or why it is in no rate."""
    exclusion = exclusion_of(summary)
    return summary.outcome if exclusion is None else exclusion.value


def episode_rows(run: Run) -> Iterator[Mapping[str, Value]]:
    """Yield a row per ended episode; every row has the same names in the same order."""
    common = _run_columns(run)
    for summary in run.summaries:
        yield common | _episode_columns(run, summary)


def _run_columns(run: Run) -> dict[str, Value]:
    device = run.environment
    return {
        "run": run.folder.name,
        "garabench": run.file.garabench,
        "suite": run.file.suite_hash,
        "device_kind": run.kind.value,
        "device_model": device.model,
        "android": device.release,
        "sdk": device.sdk,
        "stress_level": run.plan.interruptions,
        "end": run.plan.end.value,
    }


def _episode_columns(run: Run, summary: Summary) -> dict[str, Value]:
    agent = run.file.agent(summary.agent)
    after = [each.aftermath for each in summary.interruptions if each.aftermath is not None]
    usage = summary.usage
    return {
        "task": summary.task,
        "app": summary.app or None,
        "agent": summary.agent,
        "agent_kind": None if agent is None else agent.kind.value,
        "profile": None if agent is None else agent.profile or None,
        "condition": summary.condition,
        "seed": summary.seed,
        "counts_as": counts_as(summary),
        "outcome": summary.outcome,
        "reason": summary.reason,
        "unknown": summary.unknown or None,
        "steps": summary.steps,
        "step_limit": summary.step_limit,
        "solution_steps": summary.solution_steps,
        "seconds": float(summary.seconds),
        "deciding_seconds": float(summary.deciding),
        "injected": summary.injected,
        "shown": summary.shown,
        "interruptions": tuple(each.interruption for each in summary.interruptions),
        "categories": tuple(each.category for each in summary.interruptions),
        "missed": summary.missed,
        "exits": summary.exits,
        "recovered": tuple(each.recovered.value for each in after),
        "drift": tuple(sorted({kind.value for each in after for kind in each.drift or ()})),
        "repeated": summary.repeated,
        "goal_reached": summary.goal_reached,
        "infeasible": summary.infeasible,
        "harm": summary.harm,
        "strict": summary.strict,
        "side_effects": summary.side_effects,
        "fault": summary.fault or None,
        "fault_error": summary.fault_error or None,
        **_usage_columns(usage),
    }


def _usage_columns(usage: Usage | None) -> dict[str, Value]:
    names = ("requests", "sent", "received", "cached", "reasoning")
    counts: dict[str, Value] = {name: None if usage is None else getattr(usage, name) for name in names}
    cost = None if usage is None or usage.cost is None else float(usage.cost)
    return counts | {"cost_usd": cost}


def write_csv(run: Run, path: Path) -> int:
    """Write a CSV file; return the number of rows.

    Lists are joined by ``;``. A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    output = io.StringIO()
    rows = list(episode_rows(run))
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(_names(run))
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    path.write_text(output.getvalue(), encoding="utf-8")
    return len(rows)


def _names(run: Run) -> list[str]:
    example = Summary("", "", "", 0, "failure", "", 0)
    return [*_run_columns(run), *_episode_columns(run, example)]


def _cell(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case tuple():
            return _cell(";".join(value))
        case str():
            return f"'{value}" if value.startswith(_FORMULA) else value
        case _:
            return str(value)


def write_jsonl(run: Run, path: Path) -> int:
    """Write a line of JSON per episode, as in ``results.jsonl``, with its run; return the number of lines."""
    common = {**_run_columns(run), "agents": {agent.name: agent.model_dump() for agent in run.agents}}
    with path.open("w", encoding="utf-8") as file:
        for summary in run.summaries:
            line = {"run": common, "counts_as": counts_as(summary), **summary_to_json(summary)}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return len(run.summaries)


def write_parquet(run: Run, path: Path) -> int:
    """Write an Apache Parquet file; return the number of rows.

    Raises:
        InputError: pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise InputError(
            "Parquet needs the package pyarrow", hint="Install it: pip install 'garabench[export]'"
        ) from error
    texts, numbers = pyarrow.string(), pyarrow.int64()
    types = {
        **dict.fromkeys(_names(run), texts),
        **dict.fromkeys(("sdk", "stress_level", "seed", "steps", "step_limit", "solution_steps"), numbers),
        **dict.fromkeys(("injected", "shown", "repeated", "requests", "sent", "received"), numbers),
        **dict.fromkeys(("cached", "reasoning"), numbers),
        **dict.fromkeys(("seconds", "deciding_seconds", "cost_usd"), pyarrow.float64()),
        **dict.fromkeys(("goal_reached", "infeasible", "harm", "strict"), pyarrow.bool_()),
        **dict.fromkeys(
            ("interruptions", "categories", "missed", "exits", "recovered", "drift", "side_effects"),
            pyarrow.list_(texts),
        ),
    }
    rows = [dict(row) for row in episode_rows(run)]
    table = pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(list(types.items())))
    pyarrow.parquet.write_table(table, path)
    return len(rows)
