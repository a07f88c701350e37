"""``garabench agents replay``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.campaign.reparse import ReparsedReply, reparse
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RUN_FOLDER
from garabench.records.reader import load_run

_MOST_SHOWN = 20


@click.command(cls=Command)
@click.argument("run", type=RUN_FOLDER)
@click.option(
    "--as", "other", default="", metavar="AGENT", help="Parse all replies with the profile of AGENT."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the replies that are parsed differently as JSON."
)
@report_errors
def replay(run: Path, other: str, as_json: bool) -> None:
    """Parse recorded replies again and list the differences.

    No model is called. The exit status is 1 if any reply of RUN is parsed differently than when it was
    recorded. To perform whole episodes with the recorded replies, use `garabench run --replay RUN`.

    \b
    Example:
        garabench agents replay runs/models
    """
    replies = tuple(reparse(load_run(run), other))
    changed = [each for each in replies if not each.unchanged]
    if as_json:
        rows = [dataclasses.asdict(each) for each in changed]
        click.echo(json.dumps({"replies": len(replies), "changed": rows}, ensure_ascii=False, indent=2))
    else:
        for each in changed[:_MOST_SHOWN]:
            click.echo(_lines(each))
        if len(changed) > _MOST_SHOWN:
            click.echo(f"and {len(changed) - _MOST_SHOWN} more")
        click.echo(f"{len(replies)} replies parsed, {len(changed)} of them differently than in {run}")
    if changed:
        raise click.exceptions.Exit(1)


def _lines(each: ReparsedReply) -> str:
    place = f"{each.episode} step {each.step}" + (f", repair {each.number}" if each.number else "")
    reply = " ".join(each.text.split())
    outcomes = f"  before: {_outcome(each.recorded)}\n  now:    {_outcome(each.reparsed)}"
    return f"{place}\n  reply:  {reply[:160]}\n{outcomes}"


def _outcome(outcome: dict[str, object]) -> str:
    return json.dumps(outcome.get("action") or outcome, ensure_ascii=False)
