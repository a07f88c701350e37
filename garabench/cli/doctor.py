"""``garabench doctor``."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path

import click

from garabench.agents.registry import resolve_lists
from garabench.campaign.planner import make_plan, parse_conditions
from garabench.cli.command_classes import Command
from garabench.cli.completion import agent_names, condition_names, task_selector
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.doctor.checks import run_checks
from garabench.doctor.finding import DoctorFinding, Status
from garabench.doctor.fixes import apply_fixes
from garabench.suite.suite import Suite

_COLORS = {Status.PASS: "green", Status.WARN: "yellow", Status.FAIL: "red"}


@click.command(cls=Command)
@click.option(
    "--device", "serials", multiple=True, metavar="SERIAL", help="Check only this device; default: all."
)
@suite_option
@click.option(
    "--tasks",
    "selector",
    default="all",
    show_default=True,
    shell_complete=task_selector,
    metavar="SELECTOR",
    help="Check the apps and the set-up of these tasks of the planned run.",
)
@click.option(
    "--agents",
    multiple=True,
    shell_complete=agent_names,
    metavar="LIST",
    help="Check the models of these agents of the planned run.",
)
@click.option(
    "--conditions",
    default="clean,dual,forced",
    show_default=True,
    shell_complete=condition_names,
    metavar="LIST",
    help="Check these conditions of the planned run.",
)
@click.option(
    "--open-apps/--no-open-apps",
    default=True,
    help="Open each app and look for the elements with which its tasks begin.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Fix what is safe to fix: screen, animations, clock, developer options, a leftover keyboard.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@report_errors
def doctor(
    ctx: click.Context,
    serials: tuple[str, ...],
    root: Path | None,
    selector: str,
    agents: tuple[str, ...],
    conditions: str,
    open_apps: bool,
    fix: bool,
    as_json: bool,
) -> None:
    """Check everything that a run needs.

    Each line is a check and its result; below a failed one is the command that fixes it. No data of an app
    is cleared. The exit status is 1 if a check failed.

    \b
    Example:
        garabench doctor --no-open-apps
    """
    suite, clock = Suite.load(root), SystemClock()
    resolved = resolve_lists(agents) if agents else ()
    plan = make_plan(
        suite.select(selector),
        [agent.named.text for agent in resolved] or ["accept"],
        conditions=parse_conditions(conditions),
    )
    found: list[DoctorFinding] = []
    examined = run_checks(plan, suite, clock, serials=serials or None, agents=resolved, open_apps=open_apps)
    for finding in examined:
        found.append(finding)
        if not as_json:
            _print(finding)
    fixed = tuple(apply_fixes(found, clock)) if fix else ()
    failed = [each for each in found if each.status is Status.FAIL and not _is_fixed(each, fixed)]
    if as_json:
        data = {
            "findings": [dataclasses.asdict(each) for each in found],
            "fixed": [dataclasses.asdict(each) for each in fixed],
        }
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        for finding in fixed:
            _print(finding)
        counts = Counter(each.status for each in found)
        click.echo(", ".join(f"{counts[status]} {status.value}" for status in Status))
        if not fix and any(each.fix for each in found):
            click.echo("Some of these are safe to fix: add --fix.")
    if failed:
        ctx.exit(1)


def _is_fixed(finding: DoctorFinding, fixed: tuple[DoctorFinding, ...]) -> bool:
    return any(
        (each.check, each.subject, each.status) == (finding.check, finding.subject, Status.PASS)
        for each in fixed
    )


def _print(finding: DoctorFinding) -> None:
    status = click.style(f"{finding.status.value:4}", fg=_COLORS[finding.status])
    click.echo(f"{status}  {finding.subject}  {finding.check}: {finding.message}")
    if finding.hint and finding.status is not Status.PASS:
        click.echo(f"      {finding.hint}")
