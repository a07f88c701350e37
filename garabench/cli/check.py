"""``garabench check``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.cli.command_classes import Command
from garabench.cli.counts import counted
from garabench.cli.error_exits import report_errors
from garabench.errors import CombinedInputError, InputError
from garabench.lint.single_file import check_file
from garabench.lint.suite_check import check_suite
from garabench.suite.suite import Suite


@click.command(cls=Command)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON; only for whole suites.")
@report_errors
def check(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check suites, or single files of a suite.

    Each PATH is the folder of a suite or one of its YAML files; the default is the bundled suite. All
    mistakes are reported with file, line and column. The exit status is 2 if there are any.

    \b
    Example:
        garabench check
    """
    if as_json and any(path.is_file() for path in paths):
        raise InputError("--json works for whole suites only", hint="Give the folder of the suite.")
    errors: list[InputError] = []
    for path in paths or (None,):
        try:
            click.echo(check_file(path) if path is not None and path.is_file() else _suite(path, as_json))
        except CombinedInputError as error:
            errors += error.errors
        except InputError as error:
            errors.append(error)
    if errors:
        raise CombinedInputError(tuple(errors))


def _suite(root: Path | None, as_json: bool) -> str:
    suite = check_suite(root)
    if as_json:
        parts = ("tasks", "infeasible", "goals", "rules", "interruptions", "anomalies")
        counts = {name: len(getattr(suite, name)) for name in parts}
        return json.dumps({**counts, "suite": suite.digest}, indent=2)
    infeasible = f" and {len(suite.infeasible)} infeasible ones" if suite.infeasible else ""
    return (
        f"{counted(len(suite.tasks), 'task')}{infeasible}, {counted(len(suite.goals), 'goal')}, "
        f"{rules_counted(suite)} are valid (suite {suite.digest[:12]})."
    )


def rules_counted(suite: Suite) -> str:
    """Count the rules, interruptions and anomalies of a suite in words."""
    anomalies = counted(len(suite.anomalies), "anomaly", "anomalies") if suite.anomalies else ""
    windows = len(suite.interruptions)
    shown = counted(windows, "interruption") if windows or not anomalies else ""
    return " and ".join(filter(None, (counted(len(suite.rules), "rule"), shown, anomalies)))
