"""``garabench check``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from garabench.cli.check_output import check_options, report
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.output_files import write_file
from garabench.cli.suite_option import suite_option
from garabench.errors import CombinedInputError, InputError
from garabench.lint.finding_formats import FindingFormat
from garabench.lint.path_check import PathCheck, check_paths, repaired_files
from garabench.suite.files import display_path


@click.command(cls=Command)
@suite_option
@check_options
@click.option("--fix", is_flag=True, help="Repair mechanical mistakes first; comments and order stay.")
@report_errors
def check(paths: tuple[Path, ...], root: Path | None, format_: str, as_json: bool, fix: bool) -> None:
    """Check suites, folders and files.

    Each PATH is a suite, a file of one, or a file on its own; the default is the suite that --suite selects.
    All mistakes are reported with file, line and column. The exit status is 2 if there are errors, and 1 if
    there are only warnings. A comment in the file silences a warning: # garabench: ignore[CODE] REASON

    --fix repairs spaces and duplicates in lists, tabs, full-width colons, byte order marks, UTF-16, unused
    ignore comments, and the first line with which editors complete the file.

    \b
    Example:
        garabench check
        garabench check --json
    """
    if fix:
        for path, repaired in list(repaired_files(paths or (root,))):
            write_file(path, repaired.data)
            click.echo(f"{display_path(path)}: {', '.join(repaired.repairs)}", err=True)
    results = tuple(map(_with_app_files, check_paths(paths or (root,))))
    report(results, FindingFormat.JSON if as_json else FindingFormat(format_), counts=_counts(results))


def _with_app_files(result: PathCheck) -> PathCheck:
    """Return a suite's result with the mistakes in its app files."""
    files = () if result.suite is None else result.suite.app_files
    if not files:
        return result
    from garabench.virtual.app_files.app_loader import read_app  # slow: loads all apps

    mistakes: list[InputError] = []
    for path in files:
        try:
            read_app(Path(display_path(path)))
        except InputError as error:
            mistakes += error.errors if isinstance(error, CombinedInputError) else [error]
    if not mistakes:
        return result
    return replace(result, findings=(*result.findings, *mistakes), summary="")


def _counts(results: tuple[PathCheck, ...]) -> dict[str, Any]:
    """Count the entries of all checked suites."""
    suites = [each.suite for each in results if each.suite is not None]
    if not suites:
        return {}
    parts = ("tasks", "infeasible", "goals", "rules", "interruptions", "anomalies")
    counts: dict[str, Any] = {name: sum(len(getattr(each.own, name)) for each in suites) for name in parts}
    return {**counts, "suite": suites[0].digest} if len(suites) == 1 else counts
