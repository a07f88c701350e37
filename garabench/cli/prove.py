"""``garabench tasks prove``."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import click

from garabench.campaign.benches import open_benches
from garabench.campaign.devices import VIRTUAL
from garabench.campaign.proof import Proof, summary
from garabench.campaign.proof_cache import ProofCache, default_folder
from garabench.campaign.proofs import Prover
from garabench.campaign.run import MOST_PHONES
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
@click.option("--cache/--no-cache", default=True, help="Use what virtual phones have proven before.")
@click.option("--brief", is_flag=True, help="One line for each task that is not proven, and the sum.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def prove(
    selector: str,
    root: Path | None,
    device: str,
    jobs: int | None,
    out: Path,
    cache: bool,
    brief: bool,
    as_json: bool,
) -> None:
    """Prove the tasks that SELECTOR selects, on virtual phones of two kinds, languages and seeds.

    Of each task is shown: its goal does not hold before; its solution reaches the goal, and not before the
    last step; no near miss meets the goal, and each part of the goal is needed for that; each of its rules
    fires on the solution's way, and after each exit of its interruption, in each mode that offers it, the
    task is solved; its end meets no other task's goal. Of tasks that cannot be done (`infeasible`): giving up
    is right after the solution's way, and after no near miss's. The exit status is 1 when something could not
    be proven.

    \b
    Example:
        garabench tasks prove bili-like-song-live
    """
    suite = Suite.load(root)
    items = suite.select(selector)
    kept = ProofCache(default_folder()) if cache and device == VIRTUAL else None
    most = jobs or min(os.cpu_count() or 1, MOST_PHONES)
    with contextlib.ExitStack() as stack:
        prover = Prover(
            suite,
            lambda tasks: stack.enter_context(open_benches(device, SystemClock(), jobs=min(most, tasks))),
            cache=kept,
            keep_in=out,
            performed=_silence if brief else _progress,
        )
        proofs = prover.prove(items)
    if as_json:
        click.echo(json.dumps([proof.to_json() for proof in proofs], ensure_ascii=False, indent=2))
    else:
        for proof in proofs:
            if not brief:
                _tell(proof)
            elif not proof.ok:
                click.echo(_in_one_line(proof))
        good = sum(proof.ok for proof in proofs)
        click.echo(f"{good} of {len(proofs)} tasks are proven, on {prover.kind or VIRTUAL} devices.")
    if not all(proof.ok for proof in proofs):
        raise click.exceptions.Exit(1)


def _progress(task: str, done: int, of: int) -> None:
    click.echo(f"[{done}/{of}] {task}", err=True)


def _silence(task: str, done: int, of: int) -> None:
    """Tell of nothing while it goes on."""


def _in_one_line(proof: Proof) -> str:
    """A task that is not proven: the first thing that is not, and where it is seen."""
    first = proof.failures[0]
    what = " ".join(part for part in (first.check.value, first.subject) if part)
    seen = f"; see {first.evidence}" if first.evidence else ""
    return f"{proof.task}: {summary(proof)}: {what}: {first.why}{seen}"


def _tell(proof: Proof) -> None:
    lines = [f"{proof.task:44} {summary(proof)}"]
    for finding in proof.failures:
        subject = f" {finding.subject}" if finding.subject else ""
        where = f" (on {finding.variant})" if finding.variant else ""
        lines.append(f"    {finding.check.value}{subject}: {finding.why}{where}")
        if finding.evidence:
            lines.append(f"        see {finding.evidence}")
    click.echo("\n".join(lines))
