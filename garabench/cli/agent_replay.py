"""``garabench agents replay``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.campaign.reread import Reread, reread
from garabench.campaign.store import RunStore
from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly

_MOST_SHOWN = 20


@click.command()
@click.argument("run", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--as", "instead", default="", metavar="AGENT", help="Read all replies by that agent's profile."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every reply that is read differently.")
@plainly
def replay(run: Path, instead: str, as_json: bool) -> None:
    """Read the recorded replies of a RUN again, with no model, and tell what is read differently.

    Exit status 1 when something is. With `garabench run --replay RUN` whole episodes are performed again with
    the recorded replies.

    \b
    Example:
        garabench agents replay runs/models
    """
    store = RunStore.open(run)
    found = tuple(reread(store, Suite.load(), instead))
    changed = [each for each in found if not each.same]
    if as_json:
        rows = [dataclasses.asdict(each) for each in changed]
        click.echo(json.dumps({"replies": len(found), "changed": rows}, ensure_ascii=False, indent=2))
    else:
        for each in changed[:_MOST_SHOWN]:
            click.echo(_line(each))
        if len(changed) > _MOST_SHOWN:
            click.echo(f"and {len(changed) - _MOST_SHOWN} more")
        click.echo(f"{len(found)} replies read, {len(changed)} of them differently than in {run}")
    if changed:
        raise click.exceptions.Exit(1)


def _line(each: Reread) -> str:
    place = f"{each.episode} step {each.step}" + (f", repair {each.number}" if each.number else "")
    said = " ".join(each.text.split())
    return f"{place}\n  said: {said[:160]}\n  then: {_told(each.then)}\n  now:  {_told(each.now)}"


def _told(outcome: dict[str, object]) -> str:
    return json.dumps(outcome.get("action") or outcome, ensure_ascii=False)
