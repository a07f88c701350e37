"""``garabench check``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from garabench.cli.check_output import check_files, check_options, checked_entries, report
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.output_files import write_file
from garabench.cli.suite_option import suite_option
from garabench.lint.finding_formats import FindingFormat
from garabench.lint.path_check import KINDS, PathCheck, repaired_files
from garabench.suite.files import display_path


@click.command(cls=Command)
@suite_option
@check_options
@click.option(
    "--fix", is_flag=True, help="Repair mechanical mistakes first; comments and order are preserved."
)
@report_errors
def check(paths: tuple[Path, ...], root: Path | None, format_: str, as_json: bool, fix: bool) -> None:
    """Check suites, folders and files.

    Each PATH is a suite, a file in one, a single file, or the file of an app; the default is the suite
    that --suite selects.
    All mistakes are reported with file, line and column. The exit status is 2 if there are errors, and 1 if
    there are only warnings. A comment in the file silences a warning: # garabench: ignore[CODE] REASON

    --fix repairs spaces and duplicates in lists, tabs that fit at only one depth, full-width colons, byte
    order marks, UTF-16, unused ignore comments, and the `yaml-language-server` comment in the first line.

    \b
    Example:
        garabench check
        garabench check --json
    """
    if fix:
        for path, repaired in list(repaired_files(paths or (root,))):
            if repaired.repairs:
                write_file(path, repaired.data)
                click.echo(f"{display_path(path)}: {', '.join(repaired.repairs)}", err=True)
            for each in repaired.left:
                click.echo(f"{display_path(path)}: {each}", err=True)
    results = check_files(paths or (root,))
    report(results, FindingFormat.JSON if as_json else FindingFormat(format_), counts=_counts(results))


def _counts(results: tuple[PathCheck, ...]) -> dict[str, Any]:
    """Count the checked entries, with the hash of the suite if it is a single one."""
    counts: dict[str, Any] = checked_entries(results, KINDS)
    suites = [each.suite for each in results if each.suite is not None]
    return {**counts, "suite": suites[0].digest} if len(results) == len(suites) == 1 else counts
