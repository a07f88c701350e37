"""``garabench agents check``."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from garabench.agentcheck.board_checks import BUTTONS
from garabench.agentcheck.check_agent import agent_maker, check_agent, checkable
from garabench.agentcheck.check_results import BoardCheckGrade, BoardCheckKind, BoardCheckResult
from garabench.agentcheck.prompts import LANGUAGES
from garabench.campaign.devices import open_devices
from garabench.cli.command_classes import Command
from garabench.cli.completion import agent_names
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.interruption import Interruption
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.records.plan import DECISION_SECONDS
from garabench.suite.suite import Suite

_INTERRUPTION = "low-battery"
_MARKS = {BoardCheckGrade.PASSED: "ok", BoardCheckGrade.WARNED: "!!", BoardCheckGrade.FAILED: "FAIL"}


@click.command("check", cls=Command)
@click.argument("name", shell_complete=agent_names)
@click.option(
    "--device",
    default="virtual",
    show_default=True,
    metavar="DEVICE",
    help="Use this device: virtual, virtual:PROFILE or a serial.",
)
@click.option(
    "--episode",
    "episodes",
    type=click.Choice([check.value for check in BoardCheckKind]),
    multiple=True,
    help="Run only this episode; repeatable.",
)
@click.option(
    "--taps",
    type=click.IntRange(min=1, max=BUTTONS),
    default=BUTTONS,
    show_default=True,
    help="Tap this number of buttons, one decision each.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Choose the language of the instructions.",
)
@click.option("--seed", default=0, show_default=True, help="Set the seed of the button order.")
@click.option(
    "--decision-seconds",
    type=float,
    default=DECISION_SECONDS,
    show_default=True,
    help="Limit the time of each decision, in seconds.",
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("runs/agent-check"),
    show_default=True,
    help="Write taps.png, a picture of the taps, and fault.log, the agent's tracebacks, into this folder.",
)
@suite_option
@click.option(
    "--interruption",
    default=_INTERRUPTION,
    show_default=True,
    metavar="ID",
    help="Show this interruption of the suite, or of the built-in one, over the board.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def check(
    name: str,
    device: str,
    episodes: tuple[str, ...],
    taps: int,
    language: str,
    seed: int,
    decision_seconds: float,
    out: Path,
    root: Path | None,
    interruption: str,
    as_json: bool,
) -> None:
    """Check that an agent's taps land and its texts arrive.

    The agent NAME performs five short episodes on a target board: taps, text input, scrolling, its answer, an
    interruption. The report shows where its taps landed and names the likely mistake in its coordinates. The
    exit status is 1 if a check fails and 3 if its model cannot be reached.

    \b
    Example:
        garabench agents check heuristic --episode done
    """
    spec = checkable(name)
    clock = SystemClock()
    shown = _interruption(root, interruption)
    checks = tuple(check for check in BoardCheckKind if not episodes or check.value in episodes)

    def print_result(result: BoardCheckResult) -> None:
        if not as_json:
            click.echo(f"{_MARKS[result.grade]:5}{result.check.value:13}{result.text}")
            for line in result.details:
                click.echo(f"{'':18}{line}")

    with open_devices((device,), clock, seed=seed) as leases, tempfile.TemporaryDirectory() as scratch:
        phone = leases[0].connect()
        try:
            checked = check_agent(
                phone,
                agent_maker(spec, Path(scratch), clock, decision_seconds),
                spec.name,
                out / spec.name,
                shown,
                language=language,
                taps=taps,
                only=checks,
                seed=seed,
                on_result=print_result,
            )
        finally:
            phone.close()
    if as_json:
        click.echo(json.dumps(checked.as_json(), ensure_ascii=False, indent=2))
    else:
        if checked.diagnosis is not None:
            click.echo(f"\nCoordinates: {checked.diagnosis.text}")
        if checked.picture is not None:
            click.echo(f"Plot: {checked.picture}")
        if checked.fault_log is not None:
            click.echo(f"Traceback: {checked.fault_log}")
        click.echo("\nAll checks passed." if checked.passed else "\nSome checks failed.")
    if not checked.passed:
        raise click.exceptions.Exit(1)


def _interruption(root: Path | None, name: str) -> Interruption:
    """Return an interruption of a suite or, if it has none of this id, of the built-in one."""
    suites = [Suite.load(root), *([] if root is None else [Suite.load()])]
    for suite in suites:
        if name in suite.interruptions:
            return suite.interruptions[name]
    known = {each for suite in suites for each in suite.interruptions}
    raise InputError(f"unknown interruption {name!r}", hint=did_you_mean(name, known))
