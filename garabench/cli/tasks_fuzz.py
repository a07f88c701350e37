"""``garabench tasks fuzz``."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Sequence
from pathlib import Path

import click

from garabench.campaign.device_kind import VIRTUAL
from garabench.cli.command_classes import Command
from garabench.cli.completion import task_selector
from garabench.cli.error_exits import report_errors
from garabench.cli.output_files import write_file
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.phrases import counted
from garabench.core.progress import Progress
from garabench.core.task import INFEASIBLE
from garabench.core.yaml_text import flow
from garabench.errors import CombinedInputError, InputError
from garabench.proof.fuzz.accepted_findings import (
    AcceptedFinding,
    covering,
    insertion_data,
    read_accepted,
    with_accepted,
)
from garabench.proof.fuzz.adopt import adopt as adopted_text
from garabench.proof.fuzz.fuzz_figures import (
    FILE,
    FuzzFigures,
    FuzzReport,
    fuzz_figures,
    refused_elsewhere,
)
from garabench.proof.fuzz.walk import FuzzedTask, FuzzFinding, WalkVerdict
from garabench.suite.files import FUZZ_ACCEPTED
from garabench.suite.suite import Suite, SuiteTask

_MAX_REASON = 160
_SHEETS = 20


@click.command(cls=Command)
@click.option(
    "--tasks",
    "selector",
    default="",
    shell_complete=task_selector,
    metavar="SELECTOR",
    help="Select these tasks: ids, apps, tags or globs, separated by commas; default: all, and "
    "the infeasible ones.",
)
@suite_option
@click.option(
    "--walks",
    type=click.IntRange(1, 10_000),
    default=20,
    show_default=True,
    help="Try this number of walks per task.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Set the random seed of the walks.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    help="Use this number of parallel processes; default: one per core.",
)
@click.option(
    "--out",
    metavar="DIR",
    default=Path("runs/fuzz"),
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the results into this folder; valid results in it are reused.",
)
@click.option(
    "--adopt",
    metavar="FINDING",
    help="Write FINDING into its task as a near miss or an alternative instead.",
)
@click.option("--accept", metavar="FINDING", help="Write FINDING into the list of accepted findings instead.")
@click.option("--reason", help="State the reason for --accept: why the goal is right.")
@click.option(
    "--write-figures",
    is_flag=True,
    help="Also measure the time for reading the states, and write tasks/fuzz_figures.json.",
)
@click.option(
    "--sheets",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Also draw {_SHEETS} accepted and {_SHEETS} refused walks, and write pictures of their screens.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def fuzz(
    selector: str,
    root: Path | None,
    walks: int,
    seed: int,
    jobs: int | None,
    out: Path,
    adopt: str | None,
    accept: str | None,
    reason: str | None,
    write_figures: bool,
    sheets: Path | None,
    as_json: bool,
) -> None:
    """Check goals by random actions that are inserted into solutions.

    Each walk is the solution or an alternative of a task, with one to three legal actions inserted at random.
    Some change data, such as a like or another task; others are harmless, such as a short scroll or a visit
    to another tab. Walks are performed on virtual phones. A finding is a walk that

    \b
    - is accepted although it changed something that the task does not ask for, and
      the last page shows a trace of it;
    - is refused although it changed exactly what the task asks for, and no
      inserted action has led to another page or value;
    - changed something that the task does not ask for, with harmless actions only.

    Findings are shrunk to minimal walks. With --adopt, one becomes a near miss or an alternative of its task;
    with --accept, it is listed as accepted in tasks/fuzz_accepted.yaml, with the reason. The exit status is 1
    if there are findings that are not accepted, and 2 if an accepted one is no longer a finding.

    \b
    Example:
        garabench tasks fuzz --tasks bili-watch-speedrun-later --walks 4
    """
    suite = Suite.load(root)
    known = read_accepted(suite.root, suite.every_task)
    if adopt is not None or accept is not None:
        if adopt is not None and accept is not None:
            raise InputError("--adopt and --accept cannot be combined")
        _decide(suite, out, adopt, accept, reason)
        return
    if reason is not None:
        raise InputError("--reason needs --accept")
    from garabench.proof.fuzz.fuzz_many import fuzz_tasks  # slow: loads all apps
    from garabench.proof.fuzz.fuzz_task import NO_EFFECTS

    def report(progress: Progress[FuzzedTask]) -> None:
        each = progress.result
        findings = counted(len(each.findings), "finding")
        click.echo(f"[{progress.done}/{progress.total}] {each.task}: {each.problem or findings}", err=True)

    items = suite.select(selector) if selector else tuple(suite.every_task.values())
    fuzzed = fuzz_tasks(
        suite,
        items,
        walks=walks,
        seed=seed,
        accepted=known,
        jobs=jobs or os.cpu_count() or 1,
        out=out,
        on_progress=report,
    )
    if write_figures:
        _write_figures(suite, items, fuzzed, known, walks, seed)
    if sheets is not None:
        _write_sheets(suite, fuzzed, seed, sheets)
    if as_json:
        click.echo(json.dumps([_as_json(each, known) for each in fuzzed], ensure_ascii=False, indent=2))
    else:
        _print(items, fuzzed, known)
    if unknown := [each.task for each in fuzzed if each.problem == NO_EFFECTS]:
        named = ",".join(unknown)
        own = "" if root is None else f" --suite {root}"
        click.echo(f"Derive the effects first: garabench tasks prove {named}{own} --write-effects", err=True)
    stale = [reason for each in fuzzed for reason in each.stale]
    if stale:
        file = suite.root / FUZZ_ACCEPTED
        raise CombinedInputError(
            tuple(InputError(f"{file}: a stale entry of {each}", hint="Remove it.") for each in stale)
        )
    if any(each.problem or _open(each, known) for each in fuzzed):
        raise click.exceptions.Exit(1)


def _write_figures(
    suite: Suite,
    items: Sequence[SuiteTask],
    fuzzed: Sequence[FuzzedTask],
    accepted: Sequence[AcceptedFinding],
    walks: int,
    seed: int,
) -> None:
    """Write the figures, from which `garabench tasks page` makes a section."""
    from garabench.proof.devices import open_device_groups  # slow: loads all apps
    from garabench.proof.fuzz.state_cost import measure_state_costs

    clock = SystemClock()
    with open_device_groups(VIRTUAL, clock, jobs=1) as groups:
        states = measure_state_costs(suite, items, groups[0].performers[0][1], clock)
    by_app = _by_app(items, fuzzed)
    apps = {group: fuzz_figures(mine, accepted, _items_of(mine, items)) for group, mine in by_app.items()}
    refused = refused_elsewhere(fuzzed)
    report = FuzzReport(walks=walks, seed=seed, apps=apps, refused=refused, states=states)
    path = suite.root / FILE
    write_file(path, f"{report.model_dump_json(indent=1)}\n".encode())
    click.echo(f"{path} written; update the page: garabench tasks page", err=True)


def _write_sheets(suite: Suite, fuzzed: Sequence[FuzzedTask], seed: int, folder: Path) -> None:
    """Write contact sheets of drawn walks, and the table of their verdicts."""
    from garabench.proof.fuzz.walk_sheets import VERDICTS, draw_walks, verdict_table, walk_sheets  # slow

    walks = draw_walks(fuzzed, seed, _SHEETS)
    for each, sheet in walk_sheets(walks, suite):
        data = io.BytesIO()
        sheet.save(data, "PNG")
        write_file(folder / each.file, data.getvalue())
    write_file(folder / VERDICTS, verdict_table(walks).encode())
    click.echo(f"{folder}: {counted(len(walks), 'contact sheet')}; the verdicts are in {VERDICTS}", err=True)


def _by_app(items: Sequence[SuiteTask], fuzzed: Sequence[FuzzedTask]) -> dict[str, list[FuzzedTask]]:
    """Return the results by app; those of infeasible tasks are together."""
    group_of = {item.task.id: item.group if item.task.infeasible is None else INFEASIBLE for item in items}
    found: dict[str, list[FuzzedTask]] = {}
    for each in fuzzed:
        found.setdefault(group_of[each.task], []).append(each)
    return found


def _items_of(fuzzed: Sequence[FuzzedTask], items: Sequence[SuiteTask]) -> list[SuiteTask]:
    names = {each.task for each in fuzzed}
    return [item for item in items if item.task.id in names]


def _open(fuzzed: FuzzedTask, accepted: Sequence[AcceptedFinding]) -> list[FuzzFinding]:
    """Return the findings of a task that are not accepted."""
    return [each for each in fuzzed.findings if covering(each, accepted) is None]


def _decide(suite: Suite, out: Path, adopt: str | None, accept: str | None, reason: str | None) -> None:
    """Adopt or accept a finding."""
    from garabench.proof.fuzz.fuzz_many import RESULTS, find_finding  # slow: loads all apps

    finding = find_finding(out / RESULTS, adopt or accept or "")
    item = suite.every_task.get(finding.task)
    if item is None:
        raise InputError(f"the suite has no task {finding.task}")
    if adopt is not None:
        path = suite.root / "tasks" / f"{item.group}.yaml"
        if not path.is_file():
            raise InputError(
                f"{item.task.id} is not in a file of this suite", hint="Its task belongs to another suite."
            )
        before = path.read_bytes()
        made = adopted_text(before.decode(), str(path), item, finding)
        write_file(path, made.text.encode())
        try:
            Suite.load(suite.root)
        except InputError:
            write_file(path, before)
            raise
        where = "near miss" if made.key == "near_misses" else "alternative"
        click.echo(
            f"{path}: {where} {made.name} of {item.task.id}. Review it, correct the goal, and prove it:"
        )
        click.echo(f"    garabench tasks prove {item.task.id}{suite.command_option}")
        return
    if reason is None:
        raise InputError("--accept needs --reason")
    file = suite.root / FUZZ_ACCEPTED
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    write_file(file, with_accepted(text, finding, reason).encode())
    click.echo(f"{file}: {finding.id} is accepted.")


def _as_json(fuzzed: FuzzedTask, accepted: Sequence[AcceptedFinding]) -> dict[str, object]:
    data = fuzzed.model_dump(mode="json", exclude_unset=True)
    open_ids = {each.id for each in _open(fuzzed, accepted)}
    for finding in data.get("findings", ()):
        finding["accepted"] = finding["id"] not in open_ids
    return data


def _print(
    items: Sequence[SuiteTask], fuzzed: Sequence[FuzzedTask], accepted: Sequence[AcceptedFinding]
) -> None:
    for group, mine in _by_app(items, fuzzed).items():
        click.echo(f"{group:12} {_summary(fuzz_figures(mine, accepted))}")
        for each in mine:
            if each.problem:
                click.echo(f"    {each.task}: {each.problem}")
            for finding in _open(each, accepted):
                click.echo("\n".join(_finding_lines(finding)))
    click.echo(f"{'all':12} {_summary(fuzz_figures(fuzzed, accepted))}")


def _summary(figures: FuzzFigures) -> str:
    accepted = figures.count(WalkVerdict.ACCEPTED, WalkVerdict.ACCEPTED_UNSEEN)
    refused, blocked = figures.count(WalkVerdict.REFUSED), figures.count(WalkVerdict.BLOCKED)
    elsewhere = figures.count(WalkVerdict.REFUSED_ELSEWHERE)
    more = f" ({figures.accepted} accepted)" if figures.accepted else ""
    return (
        f"{counted(figures.tasks, 'task')}, {counted(figures.walks, 'walk')}: {accepted} rightly accepted, "
        f"{refused} rightly refused, {elsewhere} refused elsewhere, {blocked} blocked; "
        f"effects exact in {figures.exact} of {figures.known} with other tasks, "
        f"in {figures.unchanged} of {figures.harmless} with harmless actions only; "
        f"{counted(figures.findings, 'finding')}{more}"
    )


def _finding_lines(finding: FuzzFinding) -> list[str]:
    result = finding.result
    path = f" along {result.walk.path}" if result.walk.path else ""
    lines = [
        f"    {finding.id} {result.verdict.value}{path}: {', '.join(finding.changes) or 'nothing unasked'}"
    ]
    lines += [f"        {flow(insertion_data(each))}" for each in result.walk.inserted]
    if result.trace:
        lines.append(f"        on the page: {'; '.join(text[:60] for text in result.trace)}")
    lines += [f"        {each[:_MAX_REASON]}" for each in result.differences]
    lines.append(f"        goal: {result.reason[:_MAX_REASON]}")
    return lines
