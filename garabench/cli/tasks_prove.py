"""``garabench tasks prove``."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from garabench.campaign.consent import Consent
from garabench.campaign.device_kind import VIRTUAL
from garabench.campaign.devices import MAX_PHONES
from garabench.cli.command_classes import Command
from garabench.cli.completion import task_selector
from garabench.cli.confirm import ask_to_wipe
from garabench.cli.error_exits import report_errors
from garabench.cli.proof_progress import ProofProgress
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.progress import Progress
from garabench.errors import InputError
from garabench.proof.cache import ProofCache, proof_cache_folder
from garabench.proof.defect_matrix import pairs, prove_pairs, select_defects, update_table_file
from garabench.proof.defect_proof import DefectProof
from garabench.proof.devices import open_device_groups
from garabench.proof.expected_effects_writer import DerivedEffects, derive_all
from garabench.proof.expected_effects_writer import write_effects as write_effects_of
from garabench.proof.findings import Proof, summary_line
from garabench.proof.prove_many import Prover
from garabench.proof.step_progress import ProofStep
from garabench.suite.suite import Suite, SuiteTask
from garabench.virtual.defects.defect import TaskImpact


@click.command(cls=Command)
@click.argument("selector", default="all", shell_complete=task_selector)
@suite_option
@click.option(
    "--device",
    default="virtual",
    show_default=True,
    metavar="DEVICE",
    help="Use this device: virtual, virtual:PROFILE or a serial.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=64),
    help="Use this number of parallel virtual phones; default: one per core, at most 4.",
)
@click.option(
    "--out",
    metavar="DIR",
    default=Path("runs/proofs"),
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the screenshots and UI trees of failed proofs into this folder.",
)
@click.option(
    "--cache/--no-cache", default=True, help="Reuse proofs that are still valid; virtual phones only."
)
@click.option(
    "--defect",
    metavar="DEFECTS",
    help="Prove which tasks these defects break instead: ids separated by commas, or `all`.",
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --defect, write the table of broken tasks to FILE; the rows of other tasks are preserved.",
)
@click.option(
    "--write-effects",
    is_flag=True,
    help="Derive what the tasks ask to change instead, and write it into tasks/expected_effects/.",
)
@click.option("--brief", is_flag=True, help="Print one line per failed task and the total.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--yes", is_flag=True, help="Allow wiping the data of the tasks' apps on a real device.")
@report_errors
def prove(
    selector: str,
    root: Path | None,
    device: str,
    jobs: int | None,
    out: Path,
    cache: bool,
    defect: str | None,
    write: Path | None,
    write_effects: bool,
    brief: bool,
    as_json: bool,
    yes: bool,
) -> None:
    """Prove that tasks are solvable, checked correctly, and interrupted.

    SELECTOR is an id, an app, a tag, a glob, `all`, or several of these separated by commas. Each task is
    performed on virtual phones with two profiles, languages and seeds. A proof shows that

    \b
    - the goal does not hold at the start, nor before the last step of the solution;
    - the solution meets the goal, and no near miss does;
    - each condition of the goal is needed to reject a near miss;
    - the solution and its alternatives change what is recorded as expected, and
      nothing else, where the apps offer their state;
    - each rule fires during the solution, and the task can be solved after each
      exit of its interruption, in each mode that offers the exit;
    - the final state meets the goal of no other task.

    For an infeasible task, giving up must pass after the solution and fail after each near miss. The exit
    status is 1 if a proof fails. On a real device every path wipes the data of the task's app, which needs
    consent (--yes). With --device, each step is shown as it begins, in a line per step if stderr is not a
    terminal.

    With --defect, the solution and the alternatives of each task of the defect's app are performed on a
    phone with the defect. The proof shows that no known solution works, or only sometimes, or only with a
    workaround, as the defect declares.

    With --write-effects, the solutions and alternatives are performed, and what they change is written as the
    tasks' expected effects. Review the differences: an episode that changes anything else has side effects.

    \b
    Example:
        garabench tasks prove bili-like-song-live
    """
    suite = Suite.load(root)
    items = suite.select(selector)
    packages = sorted({item.app for item in items})

    def wipe(serials: tuple[str, ...]) -> None:
        ask_to_wipe(serials, packages, yes=yes)

    if defect is not None:
        if device != VIRTUAL:
            raise InputError("only virtual phones have defects", hint="Leave --device out.")
        _prove_defects(defect, items, jobs or min(os.cpu_count() or 1, MAX_PHONES), write, brief, as_json)
        return
    if write is not None:
        raise InputError("--write needs --defect")
    if write_effects:
        _write_effects(suite, items, device, jobs or min(os.cpu_count() or 1, MAX_PHONES), brief, wipe)
        return
    proof_cache = ProofCache(proof_cache_folder()) if cache and device == VIRTUAL else None
    max_jobs = jobs or min(os.cpu_count() or 1, MAX_PHONES)
    with contextlib.ExitStack() as stack:
        progress = stack.enter_context(ProofProgress(Console(stderr=True), by_step=device != VIRTUAL))
        prover = Prover(
            suite,
            lambda tasks: stack.enter_context(
                open_device_groups(
                    device,
                    SystemClock(),
                    jobs=min(max_jobs, tasks),
                    items=items,
                    wipe=wipe,
                    interrupted=True,
                    apps=suite.app_files,
                )
            ),
            cache=proof_cache,
            evidence_dir=out,
            on_progress=_silence if brief else progress.task_ended,
            on_step=_no_step if brief else progress.step_begins,
        )
        proofs = prover.prove(items)
    if as_json:
        click.echo(json.dumps([proof.to_json() for proof in proofs], ensure_ascii=False, indent=2))
    else:
        for proof in proofs:
            if not brief:
                _print_proof(proof)
            elif not proof.ok:
                click.echo(_failure_line(proof))
        proven = sum(proof.ok for proof in proofs)
        click.echo(f"{proven} of {len(proofs)} tasks are proven on {prover.kind or VIRTUAL} devices.")
    if not all(proof.ok for proof in proofs):
        raise click.exceptions.Exit(1)


def _prove_defects(
    names: str, items: Sequence[SuiteTask], jobs: int, write: Path | None, brief: bool, as_json: bool
) -> None:
    """Prove which tasks some defects break, print it, and write the table if a file is given."""
    chosen = select_defects(names)
    wanted = pairs(chosen, items)

    def report(progress: Progress[DefectProof]) -> None:
        if not brief:
            found = progress.result
            counter = f"[{progress.done}/{progress.total}]"
            click.echo(f"{counter} {found.defect} {found.task}: {found.impact}", err=True)

    proofs = prove_pairs(wanted, SystemClock(), jobs=jobs, on_progress=report)
    if write is not None:
        update_table_file(proofs, write)
    as_declared = {proof.defect for proof in proofs if proof.impact is proof.declared}
    idle = [each.id for each in chosen if each.id not in as_declared]
    if as_json:
        click.echo(json.dumps([asdict(proof) for proof in proofs], ensure_ascii=False, indent=2))
    else:
        for proof in proofs:
            if not proof.ok or (proof.affected and not brief):
                reason = proof.outcomes[0].reason if proof.impact is TaskImpact.IMPOSSIBLE else ""
                declared = "" if proof.ok else f", declared {proof.declared}"
                click.echo(f"{proof.defect} {proof.task}: {proof.impact}{declared} {reason}".rstrip())
        for name in idle:
            click.echo(f"{name}: breaks none of these tasks as declared")
        broken = len({proof.task for proof in proofs if proof.affected})
        click.echo(f"{len(chosen) - len(idle)} of {len(chosen)} defects break {broken} tasks.")
    if idle or not all(proof.ok for proof in proofs):
        raise click.exceptions.Exit(1)


def _silence(progress: Progress[Proof]) -> None:
    """Report no progress."""


def _no_step(step: ProofStep) -> None:
    """Report no step."""


def _failure_line(proof: Proof) -> str:
    """Return the first failure of a proof and its evidence as one line."""
    first = proof.failures[0]
    what = " ".join(part for part in (first.check.value, first.subject) if part)
    evidence = f"; see {first.evidence}" if first.evidence else ""
    return f"{proof.task}: {summary_line(proof)}: {what}: {first.reason}{evidence}"


def _print_proof(proof: Proof) -> None:
    lines = [f"{proof.task:44} {summary_line(proof)}"]
    for finding in proof.failures:
        subject = f" {finding.subject}" if finding.subject else ""
        where = f" (on {finding.variant})" if finding.variant else ""
        lines.append(f"    {finding.check.value}{subject}: {finding.reason}{where}")
        if finding.evidence:
            lines.append(f"        see {finding.evidence}")
    click.echo("\n".join(lines))


def _write_effects(
    suite: Suite, items: Sequence[SuiteTask], device: str, jobs: int, brief: bool, wipe: Consent
) -> None:
    """Derive and write the expected effects of tasks; the exit status is 1 if some could not be derived."""

    def report(progress: Progress[DerivedEffects]) -> None:
        each = progress.result
        if each.problem:
            click.echo(f"{each.item.task.id}: {each.problem}", err=True)
        elif not brief:
            counts = " or ".join(str(len(variant)) for variant in each.variants or ())
            click.echo(f"[{progress.done}/{progress.total}] {each.item.task.id}: {counts} effects", err=True)

    with contextlib.ExitStack() as stack:
        groups = stack.enter_context(
            open_device_groups(
                device,
                SystemClock(),
                jobs=min(jobs, len(items)),
                items=items,
                wipe=wipe,
                apps=suite.app_files,
            )
        )
        derived = derive_all(items, groups, report)
    for path in write_effects_of(suite, derived):
        click.echo(f"{path} written.")
    failed = sum(bool(each.problem) for each in derived)
    click.echo(f"The effects of {len(derived) - failed} of {len(derived)} tasks are derived.")
    if failed:
        raise SystemExit(1)
