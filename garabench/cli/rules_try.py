"""``garabench rules try``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from garabench.authoring.rule_trial import InterruptionTrial, RuleTrial, try_rule
from garabench.campaign.devices import open_devices
from garabench.cli.command_classes import Command
from garabench.cli.completion import rule_name
from garabench.cli.error_exits import report_errors
from garabench.cli.number_range import NumberRange
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.interruption import Mode
from garabench.errors import InputError
from garabench.suite.rule_selection import select_rules
from garabench.suite.suite import Suite

_FIRES = {True: "would fire here", False: "would not fire here", None: "might fire here"}


@click.command("try", cls=Command)
@click.argument("rule", shell_complete=rule_name)
@click.option("--device", "serial", required=True, metavar="SERIAL", help="Use this device.")
@click.option(
    "--mode",
    type=click.Choice([each.value for each in Mode]),
    default=Mode.DUAL.value,
    show_default=True,
    help="Choose the mode: dual offers the easy exit, forced does not.",
)
@click.option("--press", metavar="BUTTON", help="Press this button; default: wait until you answer.")
@click.option(
    "--wait",
    type=NumberRange(min=0, max=3600),
    default=30.0,
    show_default=True,
    help="Wait at most this many seconds for the answer.",
)
@suite_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def try_(
    rule: str,
    serial: str,
    mode: str,
    press: str | None,
    wait: float,
    root: Path | None,
    as_json: bool,
) -> None:
    """Inject the interruption of RULE now.

    It appears on the current screen, whether the rule fires there or not. Answer it on the device, or
    name a button with --press; its follow-up is performed. Afterwards, changed settings are restored. The
    exit status is 1 if the interruption was not shown, not answered, or its follow-up failed.

    \b
    Example:
        garabench rules try bili-home-youth-mode --device SERIAL --press dismiss
    """
    suite = Suite.load(root)
    chosen = select_rules(suite, (rule,))
    if len(chosen) != 1:
        raise InputError(f"{rule!r} selects {len(chosen)} rules instead of one", hint="Give an id.")

    def shown(trial: InterruptionTrial) -> None:
        if not as_json:
            click.echo(_shown(trial))
            if trial.shown and trial.buttons and press is None:
                labels = ", ".join(f"{label} ({key})" for key, label in trial.buttons)
                click.echo(f"  answer it on the device: {labels}")

    with (
        open_devices((serial,), SystemClock(), on_message=_message) as leases,
        leases[0].connect() as device,
    ):
        result = try_rule(device, chosen[0], suite, Mode(mode), press=press, wait=wait, on_shown=shown)
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(result), ensure_ascii=False, indent=2, default=str))
    else:
        for line in _lines(result, wait):
            click.echo(line)
    if not all(_is_done(each) for each in result.trials):
        raise click.exceptions.Exit(1)


def _message(text: str) -> None:
    click.echo(text, err=True)


def _is_done(trial: InterruptionTrial) -> bool:
    return trial.shown and bool(trial.exit) and all(each.ok or each.skipped for each in trial.follow_up)


def _shown(trial: InterruptionTrial) -> str:
    if not trial.shown:
        return f"{trial.interruption}: not shown: {trial.reason}"
    seconds = "" if trial.seconds is None else f" after {trial.seconds:.1f} s"
    return f"{trial.interruption}: shown{seconds}, {trial.reason}"


def _lines(result: RuleTrial, wait: float) -> list[str]:
    lines = []
    for each in (trial for trial in result.trials if trial.shown):
        if not each.exit:
            lines.append(
                f"{each.interruption}: nobody answered within {wait:g} s; it was closed, and no button's"
                " follow-up was performed (--press BUTTON answers it, --wait SECONDS waits longer)"
            )
            continue
        lines.append(f"{each.interruption}: {each.exit}")
        lines += [
            f"  {'done' if step.ok else 'not done'}: {step.description}"
            + (f" ({step.detail})" if step.detail else "")
            for step in each.follow_up
        ]
        if each.front:
            lines.append(f"  in the foreground now: {each.front}")
    return [*lines, f"{result.rule} {_FIRES[result.explanation.fires]} ({result.app or 'no app'})"]
