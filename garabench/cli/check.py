"""``garabench check``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from garabench.campaign.check import check_suite
from garabench.campaign.filecheck import check_file
from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly
from garabench.errors import InputError, InputErrors


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON; for whole suites only.")
@plainly
def check(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check the suite that comes with GaraBench, or those in the folders PATHS, or single files of a suite.

    \b
    Example:
        garabench check
    """
    if as_json and any(path.is_file() for path in paths):
        raise InputError("--json is for whole suites: name their folders")
    errors: list[InputError] = []
    for path in paths or (None,):
        try:
            click.echo(check_file(path) if path is not None and path.is_file() else _suite(path, as_json))
        except InputErrors as error:
            errors += error.errors
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputErrors(tuple(errors))


def _suite(root: Path | None, as_json: bool) -> str:
    suite = check_suite(root)
    if as_json:
        parts = ("tasks", "infeasible", "goals", "rules", "interruptions", "anomalies")
        counts = {name: len(getattr(suite, name)) for name in parts}
        return json.dumps({**counts, "suite": suite.digest}, indent=2)
    beside = f" and {len(suite.infeasible)} that cannot be done" if suite.infeasible else ""
    return (
        f"{counted(len(suite.tasks), 'task')}{beside}, {counted(len(suite.goals), 'goal')}, "
        f"{rules_counted(suite)} are in order (suite {suite.digest[:12]})."
    )


def rules_counted(suite: Suite) -> str:
    """How many rules a suite has, and how many interruptions: windows, anomalies of the system, or both."""
    anomalies = counted(len(suite.anomalies), "anomaly", "anomalies") if suite.anomalies else ""
    windows = len(suite.interruptions)
    shown = counted(windows, "interruption") if windows or not anomalies else ""
    return " and ".join(filter(None, (counted(len(suite.rules), "rule"), shown, anomalies)))


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: ``1 rule``, ``2 rules``.

    Args:
        number: How many.
        one: What one is called.
        many: What several are called, where that is not one with an s.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"
