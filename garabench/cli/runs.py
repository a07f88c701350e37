"""``garabench runs``."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from garabench.cli.command_classes import Group
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.cli.runs_predict import predict
from garabench.cli.runs_watch import watch
from garabench.core.phrases import counted
from garabench.errors import InputError
from garabench.records.bundle import open_bundle
from garabench.records.disk_usage import disk_usage
from garabench.records.fsck import check_run
from garabench.records.prune import prune as prune_run
from garabench.records.reader import Run, load_run
from garabench.records.remote_runs import copy_run_to, fetch_run
from garabench.records.run_layout import run_folders
from garabench.records.run_merge import merge_runs
from garabench.records.run_writer import RunWriter

_RUN = click.argument("folder", metavar="RUN", type=click.Path(path_type=Path, file_okay=False))
_READ_RUN = click.argument("folder", metavar="RUN", type=RUN_FOLDER)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_OUTCOMES = ("success", "failure", "error", "unknown")
_MEGABYTE = 1_000_000


@click.group(cls=Group)
def runs() -> None:
    """List, check and prune recorded runs.

    \b
    Example:
        garabench runs list
    """


@runs.command("list")
@click.argument("folder", required=False, default="runs", type=click.Path(path_type=Path, file_okay=False))
@_JSON
@report_errors
def list_(folder: Path, as_json: bool) -> None:
    """List the runs in a folder and its subfolders.

    FOLDER defaults to `runs`.

    \b
    Example:
        garabench runs list runs --json
    """
    rows = [_listed(path) for path in run_folders(folder)]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    if not rows:
        click.echo(f"No runs in {folder}.")
    for row in rows:
        click.echo(f"{row['folder']}: {row['error']}" if "error" in row else _line(row))


def _listed(path: Path) -> dict[str, Any]:
    try:
        run = load_run(path)
        return {
            "folder": str(path),
            "garabench": run.file.garabench,
            "kind": run.kind,
            "tasks": len(run.plan.tasks),
            "agents": [agent.name for agent in run.agents],
            "conditions": list(run.plan.conditions),
            "seeds": run.plan.seeds,
            "episodes": _counts(run),
        }
    except InputError as error:  # list the other runs nevertheless
        return {"folder": str(path), "error": error.message}


def _counts(run: Run) -> dict[str, int]:
    plan = run.plan
    outcomes = Counter(summary.known_outcome for summary in run.summaries)
    return {
        "planned": len(plan.tasks) * len(run.agents) * len(plan.conditions) * plan.seeds,
        **{outcome: outcomes[outcome] for outcome in _OUTCOMES},
    }


def _line(row: dict[str, Any]) -> str:
    counts = row["episodes"]
    ended = sum(counts[outcome] for outcome in _OUTCOMES)
    agents = ", ".join(row["agents"])
    return (
        f"{row['folder']:28} {row['kind']:8} {ended}/{counted(counts['planned'], 'episode')}, "
        f"{counted(counts['error'], 'error')}; {counted(row['tasks'], 'task')}, {agents}"
    )


@runs.command()
@_READ_RUN
@_JSON
@report_errors
def show(folder: Path, as_json: bool) -> None:
    """Show the plan, the device and the outcomes of RUN.

    \b
    Example:
        garabench runs show runs/first
    """
    run = load_run(folder)
    if as_json:
        data = run.file.model_dump(mode="json") | {"episodes": _counts(run)}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    plan = run.plan
    click.echo(f"{folder}, recorded by GaraBench {run.file.garabench}, suite {run.file.suite_hash[:12]}")
    _print_values("Device", run.environment.model_dump(mode="json", exclude_none=True))
    _print_values("Plan", plan.model_dump(mode="json", exclude={"tasks", "agents"}, exclude_none=True))
    click.echo(f"Agents\n  {', '.join(f'{agent.name} ({agent.kind})' for agent in run.agents)}")
    click.echo(f"Tasks\n  {', '.join(plan.tasks)}")
    click.echo("Episodes")
    for name, number in _counts(run).items():
        click.echo(f"  {name:17} {number}")
    reasons = Counter((each.known_outcome, each.unknown or each.reason) for each in run.summaries)
    for (outcome, reason), number in sorted(reasons.items()):
        click.echo(f"    {outcome + ': ' + reason:30} {number}")


def _print_values(title: str, values: dict[str, Any]) -> None:
    click.echo(title)
    for name, value in values.items():
        if value != "":
            click.echo(f"  {name:17} {', '.join(value) if isinstance(value, list) else value}")


@runs.command()
@_READ_RUN
@_JSON
@report_errors
def du(folder: Path, as_json: bool) -> None:
    """Show the disk usage of RUN by kind of file.

    \b
    Example:
        garabench runs du runs/first
    """
    usage = disk_usage(load_run(folder))
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(usage), indent=2))
        return
    for name in ("pictures", "trees", "transcripts", "other_files", "total"):
        click.echo(f"{name:12} {_megabytes(getattr(usage, name)):>12}")
    click.echo(f"{'files':12} {usage.files:>12}")
    click.echo(
        f"The records refer to {usage.named} pictures and trees; storing duplicates once saves "
        f"{_megabytes(usage.saved)}."
    )


@runs.command()
@_READ_RUN
@_JSON
@click.pass_context
@report_errors
def fsck(ctx: click.Context, folder: Path, as_json: bool) -> None:
    """Check the files of RUN, which must not be in progress.

    Every log must be readable, every screenshot and tree that it names must be present and unchanged, and
    results.jsonl must match the records of the episodes. The exit status is 1 if a file is wrong.

    \b
    Example:
        garabench runs fsck runs/first
    """
    found = tuple(check_run(load_run(folder)))
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(each) for each in found], ensure_ascii=False, indent=2))
    else:
        for each in found:
            click.echo(f"{each.kind:8} {each.path}: {each.message}")
        click.echo(f"{counted(len(found), 'problem')} in {folder}." if found else f"{folder} is consistent.")
    if found:
        ctx.exit(1)


@runs.command()
@_RUN
@_JSON
@report_errors
def rebuild(folder: Path, as_json: bool) -> None:
    """Rewrite the results of RUN from the records of its episodes.

    The run must not be in progress. Use this for runs of an older GaraBench, which recorded everything but
    computed fewer measures.

    \b
    Example:
        garabench runs rebuild runs/first
    """
    writer = RunWriter.open(folder)
    with writer.lock():
        results = writer.rebuild()
    if as_json:
        click.echo(json.dumps({"folder": str(folder), "results": len(results)}))
    else:
        click.echo(f"{counted(len(results), 'result')} of {folder} rebuilt.")


@runs.command()
@_RUN
@click.option("--dry-run", is_flag=True, help="Remove nothing; only print what would be removed.")
@_JSON
@report_errors
def prune(folder: Path, dry_run: bool, as_json: bool) -> None:
    """Remove files that a run does not need.

    These are the orphaned files of RUN and the screenshots of its earlier attempts. The logs and trees of
    earlier attempts remain, and no result changes.

    \b
    Example:
        garabench runs prune runs/first --dry-run
    """
    result = prune_run(load_run(folder), dry_run=dry_run)
    if as_json:
        data = {
            "orphans": [path.relative_to(folder).as_posix() for path in result.orphans],
            "earlier_pictures": [path.relative_to(folder).as_posix() for path in result.earlier_pictures],
            "bytes": result.size,
            "dry_run": dry_run,
        }
        click.echo(json.dumps(data, indent=2))
        return
    click.echo(
        f"{'Would remove' if dry_run else 'Removed'} {counted(len(result.orphans), 'orphaned file')} and "
        f"{counted(len(result.earlier_pictures), 'picture')} of earlier attempts, {_megabytes(result.size)}."
    )


@runs.command("import")
@click.argument("bundle", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the run into this folder, a new or empty one.",
)
@_JSON
@report_errors
def import_(bundle: Path, out: Path, as_json: bool) -> None:
    """Open the run in BUNDLE, a file written by `garabench bundle`.

    The hash of every file must match the bundle's manifest. Nothing is written if the bundle is damaged,
    altered or unsafe.

    \b
    Example:
        garabench runs import run.zip --out runs/theirs
    """
    run = open_bundle(bundle, out)
    if as_json:
        click.echo(json.dumps({"folder": str(out), "episodes": _counts(run)}))
        return
    ended = sum(_counts(run)[outcome] for outcome in _OUTCOMES)
    click.echo(f"{counted(ended, 'ended episode')} in {out}.")


@runs.command()
@click.argument("folders", metavar="RUN...", nargs=-1, required=True, type=RUN_FOLDER)
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the merged run into this folder, a new or empty one.",
)
@_JSON
@report_errors
def merge(folders: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Merge the runs of several workers into one.

    Each RUN is a part of one campaign, from `garabench run --shard`. If several have an episode, the first
    one that ended without an error counts.

    \b
    Example:
        garabench runs merge runs/first --out runs/merged
    """
    merged = merge_runs(folders, out)
    if as_json:
        click.echo(json.dumps({"folder": str(out), "ended": merged.ended, "skipped": merged.skipped}))
        return
    for line in merged.skipped:
        click.echo(f"skipped: {line}", err=True)
    planned = _counts(merged.run)["planned"]
    click.echo(f"{merged.ended} of {counted(planned, 'episode')} in {out}.")


@runs.command()
@_RUN
@click.argument("url")
@report_errors
def copy(folder: Path, url: str) -> None:
    """Copy RUN to URL.

    URL is a folder on any file system that fsspec knows, such as s3://bucket/runs/first. A repeated copy
    transfers only what has changed.

    \b
    Example:
        garabench runs copy runs/first memory://runs/first
    """
    click.echo(f"{counted(copy_run_to(folder, url), 'file')} copied.")


@runs.command()
@click.argument("url")
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the run into this folder: a new one, or that of an earlier copy.",
)
@_JSON
@report_errors
def fetch(url: str, out: Path, as_json: bool) -> None:
    """Copy the run at URL to this computer, to read or resume it.

    \b
    Example:
        garabench runs fetch memory://runs/first --out runs/copied
    """
    run = fetch_run(url, out)
    if as_json:
        click.echo(json.dumps({"folder": str(out), "episodes": _counts(run)}))
        return
    click.echo(f"{counted(len(run.summaries), 'ended episode')} in {out}.")


runs.add_command(watch)
runs.add_command(predict)


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f} MB"
