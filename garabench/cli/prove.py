"""``garabench tasks prove``."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import click

from garabench.campaign.devices import open_devices
from garabench.campaign.prove import Proof
from garabench.campaign.run import MOST_PHONES
from garabench.campaign.stage import failures, summary
from garabench.campaign.stage import prove as perform
from garabench.campaign.suite import Suite
from garabench.cli.complete import task_selector
from garabench.cli.errors import plainly
from garabench.core.clock import SystemClock


@click.command()
@click.argument("selector", default="all", shell_complete=task_selector)
@click.option(
    "--suite",
    "root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A suite's folder; default: the suite that comes with GaraBench.",
)
@click.option("--device", default="virtual", show_default=True, help="virtual, virtual:PROFILE or a serial.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=64),
    help="Virtual phones at once; default: one for each core, at most 4.",
)
@click.option(
    "--out",
    default=Path("runs/proofs"),
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the screen and the tree of what failed are kept.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def prove(selector: str, root: Path | None, device: str, jobs: int | None, out: Path, as_json: bool) -> None:
    """Prove the tasks that SELECTOR selects, on a device.

    Of each task is shown: its goal does not hold before; its solution reaches the goal, and not before the
    last step; no near miss meets the goal; each of its rules fires on the solution's way. The exit status
    is 1 when something could not be proven.

    \b
    Example:
        garabench tasks prove bili-like-song-live
    """
    suite = Suite.load(root)
    items = suite.select(selector)
    phones = min(jobs or min(os.cpu_count() or 1, MOST_PHONES), len(items))
    with open_devices([device], SystemClock(), phones=phones) as leases:
        proofs = perform(items, suite, leases, keep_in=out, tell=None if as_json else _tell)
    if as_json:
        rows = [{**dataclasses.asdict(proof), "ok": proof.ok} for proof in proofs]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        good = sum(proof.ok for proof in proofs)
        click.echo(f"{good} of {len(proofs)} tasks are proven, on {leases[0].kind} devices.")
    if not all(proof.ok for proof in proofs):
        raise click.exceptions.Exit(1)


def _tell(proof: Proof) -> None:
    lines = [f"{proof.task:44} {summary(proof)}"]
    for finding in failures(proof):
        subject = f" {finding.subject}" if finding.subject else ""
        lines.append(f"    {finding.check.value}{subject}: {finding.why}")
        if finding.evidence:
            lines.append(f"        see {finding.evidence}")
    click.echo("\n".join(lines))
