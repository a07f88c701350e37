"""``garabench rules check``."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import click

from garabench.cli.check_output import check_files, check_options, checked_entries, report
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.suite_option import suite_option
from garabench.lint.finding_formats import FindingFormat
from garabench.lint.path_check import counted_rules
from garabench.suite.suite import Suite


@click.command(cls=Command)
@suite_option
@check_options
@report_errors
def check(paths: tuple[Path, ...], root: Path | None, format_: str, as_json: bool) -> None:
    """Check rules and interruptions.

    Each PATH is a suite, a file in one, or a single file; the default is the suite that --suite selects.
    For a suite, all errors and the warnings in the files of `rules/` are reported. The exit status is 2 if
    there are errors, and 1 if there are only warnings.

    \b
    Example:
        garabench rules check
    """
    results = check_files(paths or (root,), ("rules",))
    suites = [each.suite for each in results if each.suite is not None]
    counts: dict[str, Any] = checked_entries(results, ("rules", "interruptions", "anomalies"))
    if suites:  # other files may use the rules of a single file
        counts["unused"] = [name for suite in suites for name in _unused(suite)]
    results = tuple(
        dataclasses.replace(each, summary=_summary(each.suite))
        if each.suite is not None and not each.findings
        else each
        for each in results
    )
    report(results, FindingFormat.JSON if as_json else FindingFormat(format_), counts=counts)


def _unused(suite: Suite) -> list[str]:
    """Return the rules of a suite that no task names."""
    used = {name for item in suite.every_task.values() for name in item.task.rules}
    return [name for name in suite.own.rules if name not in used]


def _summary(suite: Suite) -> str:
    unused = _unused(suite)
    return f"{counted_rules(suite.own)} are valid." + (f"\nUnused: {', '.join(unused)}" if unused else "")
