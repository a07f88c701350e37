"""``garabench rules watch``."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from garabench.authoring.rule_watch import RuleCloseness, WatchedScreen, watch_rules
from garabench.cli.command_classes import Command
from garabench.cli.completion import rule_name
from garabench.cli.error_exits import report_errors
from garabench.cli.number_range import NumberRange
from garabench.cli.suite_option import suite_option
from garabench.core.clock import SystemClock
from garabench.core.phrases import counted
from garabench.device.device import Device
from garabench.suite.rule_selection import select_rules
from garabench.suite.suite import Suite

_BAR = 10
_MAX_LISTED = 20


@click.command(cls=Command)
@click.option("--device", "serial", required=True, metavar="SERIAL", help="Use this device.")
@click.option(
    "--rule",
    "names",
    multiple=True,
    default=("all",),
    metavar="RULE",
    shell_complete=rule_name,
    help="Watch these rules: an id, an app, a glob or all; repeatable; default: all.",
)
@suite_option
@click.option("--stop-after", type=NumberRange(min=0), metavar="SECONDS", help="Stop after this time.")
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each screen.")
@report_errors
def watch(
    serial: str, names: tuple[str, ...], root: Path | None, stop_after: float | None, as_json: bool
) -> None:
    """Show live how close the rules are to firing.

    The table lists the rules of the app in the foreground, the closest first, and what each one lacks. It
    follows the screen until Ctrl-C. Nothing is injected.

    \b
    Example:
        garabench rules watch --device SERIAL --stop-after 1
    """
    clock = SystemClock()
    rules = select_rules(Suite.load(root), names)
    begun = clock.monotonic()

    def stop() -> bool:
        return stop_after is not None and clock.monotonic() - begun >= stop_after

    console = Console()
    with Device.connect(serial, clock) as device:
        if as_json or not console.is_terminal:
            write = _print_json if as_json else _print_lines
            watch_rules(device, rules, write, clock=clock, stop=stop)
            return
        with Live(console=console, auto_refresh=False) as live:
            watch_rules(
                device,
                rules,
                lambda screen: live.update(_table(screen), refresh=True),
                clock=clock,
                stop=stop,
            )


def _print_json(screen: WatchedScreen) -> None:
    click.echo(json.dumps(dataclasses.asdict(screen), ensure_ascii=False))


def _print_lines(screen: WatchedScreen) -> None:
    click.echo(f"{screen.app or 'no app'}: {counted(len(screen.rules), 'rule')}")
    for each in screen.rules[:_MAX_LISTED]:
        click.echo(f"  {each.closeness:4.0%} {_state(each):6} {each.rule}  {each.missing}".rstrip())


def _state(each: RuleCloseness) -> str:
    return {True: "fires", False: "", None: "?"}[each.fires]


def _table(screen: WatchedScreen) -> Table:
    table = Table(title=Text(screen.app or "no app"), box=None)  # a text of the screen is never markup
    for column in ("rule", "close", "", "lacks"):
        table.add_column(column, overflow="ellipsis", no_wrap=True)
    for each in screen.rules[:_MAX_LISTED]:
        full = round(each.closeness * _BAR)
        bar = "█" * full + "·" * (_BAR - full)
        state = _state(each) or f"{each.closeness:.0%}"
        table.add_row(*(Text(cell) for cell in (each.rule, bar, state, each.missing)))
    return table
