"""Logs of Inspect (https://inspect.aisi.org.uk): one per agent and condition, with a sample per episode.

Infeasible tasks have separate logs, since their success rate is another measure.

The logs are written without the package ``inspect_ai``, by its format version 2.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from garabench.core.usage import NO_USAGE, Usage
from garabench.export.episode_rows import counts_as
from garabench.records.episode import Episode
from garabench.records.reader import Run
from garabench.records.results import Summary
from garabench.records.run_layout import RUN_FILE

LOG_VERSION = 2
"""The version of Inspect's log format."""
_SCORER = "goal"
_SCORES = {"success": "C", "failure": "I"}


def write_inspect_logs(run: Run, folder: Path) -> int:
    """Write a log per agent and condition into a folder, apart for infeasible tasks.

    Episodes are samples, seeds are epochs. An episode that ended in error has an error instead of a score.
    One whose outcome is unknown, or whose interruption could not be shown, has no score: Inspect would count
    any other value as a failure.

    Returns:
        The number of samples.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    folder.mkdir(parents=True, exist_ok=True)
    groups: dict[tuple[str, str, bool], list[tuple[Episode, Summary]]] = {}
    for episode in run.episodes:
        if (summary := episode.summary) is not None:
            groups.setdefault((summary.agent, summary.condition, summary.infeasible), []).append(
                (episode, summary)
            )
    created = datetime.fromtimestamp((run.folder / RUN_FILE).stat().st_mtime, tz=UTC).replace(microsecond=0)
    for (agent, condition, infeasible), members in groups.items():
        task = f"garabench-{condition}{'-infeasible' if infeasible else ''}"
        log = _log(run, agent, task, members, created.isoformat())
        stamp = created.isoformat().replace(":", "-")
        name = f"{stamp}_{log['eval']['task']}_{log['eval']['task_id']}.json"
        text = json.dumps(log, ensure_ascii=False).encode(errors="replace")
        (folder / name).write_bytes(text)
    return sum(map(len, groups.values()))


def _log(
    run: Run, agent: str, task: str, members: list[tuple[Episode, Summary]], created: str
) -> dict[str, Any]:
    seeds = {seed: number for number, seed in enumerate(sorted({item.seed for _, item in members}), start=1)}
    summaries = [summary for _, summary in members]
    counted = [counts_as(summary) for summary in summaries]
    scored = [counted_as for counted_as in counted if counted_as in _SCORES]
    accuracy = scored.count("success") / len(scored) if scored else 0.0
    tasks = list(dict.fromkeys(summary.task for summary in summaries))
    usage = [summary.usage for summary in summaries if summary.usage is not None]
    return {
        "version": LOG_VERSION,
        "status": "success",
        "eval": {
            "eval_id": _id(run, agent, task, "eval"),
            "run_id": _id(run, "run"),
            "created": created,
            "task": task,
            "task_id": _id(run, agent, task, "task"),
            "task_version": run.file.suite_hash[:12],
            "dataset": {"name": "garabench", "samples": len(tasks), "sample_ids": tasks, "shuffled": False},
            "model": f"garabench/{agent}",
            "config": {"epochs": len(seeds)},
            "packages": {"garabench": run.file.garabench},
            "metadata": {
                "run": run.folder.name,
                "condition": members[0][1].condition,
                "device_kind": run.kind.value,
                "device": run.environment.model,
                "suite_hash": run.file.suite_hash,
                "stress_level": run.plan.interruptions,
                "end": run.plan.end.value,
            },
        },
        "plan": {"name": "plan", "steps": []},
        "results": {
            "total_samples": len(members),
            "completed_samples": len(members) - counted.count("error"),
            "scores": [
                {
                    "name": _SCORER,
                    "scorer": _SCORER,
                    "scored_samples": len(scored),
                    "unscored_samples": len(members) - len(scored),
                    "metrics": {"accuracy": {"name": "accuracy", "value": accuracy}} if scored else {},
                }
            ],
        },
        "stats": {
            "started_at": created,
            "completed_at": created,
            "model_usage": _usage(agent, usage),
        },
        "samples": [_sample(episode, summary, seeds[summary.seed]) for episode, summary in members],
    }


def _sample(episode: Episode, summary: Summary, epoch: int) -> dict[str, Any]:
    started = episode.started
    instruction = "" if started is None else started.instruction
    counted_as = counts_as(summary)
    sample: dict[str, Any] = {
        "id": summary.task,
        "epoch": epoch,
        "input": instruction,
        "target": "C",
        "messages": _messages(episode, instruction),
        "metadata": {
            "seed": summary.seed,
            "counts_as": counted_as,
            "reason": summary.reason,
            "unknown": summary.unknown,
            "steps": summary.steps,
            "interruptions": [each.interruption for each in summary.interruptions if each.shown],
            "exits": list(summary.exits),
        },
        "model_usage": _usage(summary.agent, [] if summary.usage is None else [summary.usage]),
        "total_time": summary.seconds,
    }
    if counted_as == "error":
        sample["error"] = {"message": summary.fault or summary.reason, "traceback": "", "traceback_ansi": ""}
    elif counted_as in _SCORES:
        answer = None if episode.ended is None else episode.ended.answer
        sample["scores"] = {
            _SCORER: {"value": _SCORES[counted_as], "answer": answer, "explanation": summary.reason}
        }
    return sample


def _messages(episode: Episode, instruction: str) -> list[dict[str, Any]]:
    """Return the episode as a conversation: each action is a call of a tool."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": instruction, "source": "input"}]
    for number, action in enumerate(episode.actions):
        if action.decided is None:
            continue
        arguments = dict(action.decided.action)
        name = str(arguments.pop("type", "action"))
        call = f"call-{number}"
        messages.append(
            {
                "role": "assistant",
                "content": action.decided.thought,
                "tool_calls": [{"id": call, "function": name, "arguments": arguments, "type": "function"}],
            }
        )
        if (performed := action.performed) is not None:
            result = "performed" if performed.ok else "not possible"
            content = f"{result}: {performed.detail}" if performed.detail else result
            messages.append({"role": "tool", "content": content, "tool_call_id": call, "function": name})
    return messages


def _usage(agent: str, usage: list[Usage]) -> dict[str, Any]:
    if not usage:
        return {}
    total = sum(usage, NO_USAGE)
    return {
        f"garabench/{agent}": {
            "input_tokens": total.sent,
            "output_tokens": total.received,
            "total_tokens": total.sent + total.received,
            "input_tokens_cache_read": total.cached,
            "reasoning_tokens": total.reasoning,
            "total_cost": None if total.cost is None else float(total.cost),
        }
    }


def _id(run: Run, *parts: str) -> str:
    """Return an id that is the same for every export of a run."""
    text = "\x1f".join((run.folder.name, run.file.suite_hash, *parts))
    return hashlib.sha256(text.encode()).hexdigest()[:22]
