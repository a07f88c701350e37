"""``garabench agents check``."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from garabench.agents.setting import DECISION_SECONDS
from garabench.campaign.agentcheck.check import check_agent, checkable, maker
from garabench.campaign.agentcheck.probes import BUTTONS
from garabench.campaign.agentcheck.results import Finding, Grade, Probe
from garabench.campaign.agentcheck.words import LANGUAGES
from garabench.campaign.devices import open_devices
from garabench.campaign.suite import Suite
from garabench.cli.complete import agent_names
from garabench.cli.errors import plainly
from garabench.core.clock import SystemClock

INTERRUPTION = "low-battery"
_SIGNS = {Grade.PASSED: "ok", Grade.WARNED: "!!", Grade.FAILED: "FAIL"}


@click.command("check")
@click.argument("name", shell_complete=agent_names)
@click.option("--device", default="virtual", show_default=True, help="virtual, virtual:PROFILE, or a serial.")
@click.option(
    "--only",
    type=click.Choice([probe.value for probe in Probe]),
    multiple=True,
    help="Only this episode; may be given several times.",
)
@click.option(
    "--taps",
    type=click.IntRange(min=1, max=BUTTONS),
    default=BUTTONS,
    show_default=True,
    help="Buttons to tap: each costs a decision.",
)
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option("--seed", default=0, show_default=True, help="Of the buttons' order.")
@click.option("--seconds", type=float, default=DECISION_SECONDS, show_default=True, help="For a decision.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("runs/agent-check"),
    show_default=True,
    help="Folder for the picture of the taps, and an agent's fault.log.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def check(
    name: str,
    device: str,
    only: tuple[str, ...],
    taps: int,
    language: str,
    seed: int,
    seconds: float,
    out: Path,
    as_json: bool,
) -> None:
    """Check an agent's wiring: do its taps land where it meant, does text arrive, is it heard?

    Five short episodes on a target board. It draws where the taps landed, and says what confuses the
    coordinates. It ends with status 1 when a check fails, and with 3 when no model can be reached.

    \b
    Example:
        garabench agents check heuristic --only done
    """
    spec = checkable(name)
    clock = SystemClock()
    suite = Suite.load()
    wanted = tuple(probe for probe in Probe if not only or probe.value in only)

    def tell(finding: Finding) -> None:
        if not as_json:
            click.echo(f"{_SIGNS[finding.grade]:5}{finding.probe.value:13}{finding.text}")
            for line in finding.details:
                click.echo(f"{'':18}{line}")

    with open_devices((device,), clock, seed=seed) as leases, tempfile.TemporaryDirectory() as scratch:
        phone = leases[0].connect()
        try:
            checked = check_agent(
                phone,
                maker(spec, Path(scratch), clock, seconds),
                spec.name,
                out / spec.name,
                suite.interruptions[INTERRUPTION],
                language=language,
                taps=taps,
                only=wanted,
                seed=seed,
                tell=tell,
            )
        finally:
            phone.close()
    if as_json:
        click.echo(json.dumps(checked.as_json(), ensure_ascii=False, indent=2))
    else:
        if checked.diagnosis is not None:
            click.echo(f"\nCoordinates: {checked.diagnosis.text}")
        if checked.picture is not None:
            click.echo(f"Picture: {checked.picture}")
        if checked.fault_log is not None:
            click.echo(f"Traceback: {checked.fault_log}")
        click.echo("\nThe wiring works." if checked.passed else "\nThe wiring does not work.")
    if not checked.passed:
        raise click.exceptions.Exit(1)
