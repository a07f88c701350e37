"""The options and the output that `check`, `rules check` and `goals check` share."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from garabench.errors import CombinedInputError, InputError
from garabench.lint.codes import FindingLevel
from garabench.lint.finding_formats import (
    FindingFormat,
    finding_row,
    github_commands,
    sarif,
    severity_of,
)
from garabench.lint.path_check import PathCheck, check_paths
from garabench.suite.files import FOLDERS

_F = TypeVar("_F", bound=Callable[..., Any])
_PRINTED = 200
"""More mistakes than a person reads at once are printed as a number."""


def check_options(command: _F) -> _F:
    """Add the arguments and options of a check: PATH, --format and --json."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON; the same as --format json."),
        click.option(
            "--format",
            "format_",
            type=click.Choice([each.value for each in FindingFormat]),
            default=FindingFormat.TEXT.value,
            show_default=True,
            help="Choose the output format: text, json, github (annotations in a workflow) or sarif.",
        ),
        click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


def check_files(paths: Sequence[Path | None], folders: Sequence[str] = FOLDERS) -> tuple[PathCheck, ...]:
    """Check files and folders, those of apps included.

    Args:
        paths: Files and folders; None for the built-in suite.
        folders: Report warnings only in files of these folders of a suite.
    """
    return check_paths(paths, folders, check_app=_app_mistakes)


def checked_entries(checks: Sequence[PathCheck], kinds: Sequence[str]) -> dict[str, int]:
    """Count the entries of some kinds in all that was checked."""
    return {kind: sum(each.counts.get(kind, 0) for each in checks) for kind in kinds}


def _app_mistakes(path: Path) -> Sequence[InputError]:
    from garabench.virtual.app_files.app_loader import read_app  # slow: loads all apps

    try:
        read_app(path)
    except InputError as error:
        return error.errors if isinstance(error, CombinedInputError) else (error,)
    return ()


def report(
    checks: Sequence[PathCheck], format_: FindingFormat, *, counts: dict[str, Any] | None = None
) -> None:
    """Print the results of checks, and exit with 2 if there are errors, or with 1 if only warnings.

    Args:
        checks: The results.
        format_: The output format.
        counts: Further values for the format json.
    """
    findings = [finding for check in checks for finding in check.findings]
    if findings:
        findings = list(CombinedInputError(tuple(findings)).errors)
    silenced = sum(check.silenced for check in checks)
    match format_:
        case FindingFormat.TEXT:
            _print_text(checks, findings, silenced)
        case FindingFormat.JSON:
            rows = [finding_row(each) for each in findings]
            data = {**(counts or {}), "silenced": silenced, "findings": rows}
            click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        case FindingFormat.GITHUB:
            click.echo(github_commands(findings), nl=False)
        case FindingFormat.SARIF:
            click.echo(sarif(findings))
    if findings:
        failed = any(check.failed for check in checks)
        raise click.exceptions.Exit(InputError.exit_status if failed else 1)


def _print_text(checks: Sequence[PathCheck], findings: Sequence[InputError], silenced: int) -> None:
    for check in checks:
        if check.summary:
            click.echo(check.summary)
    for each in findings[:_PRINTED]:
        warning = severity_of(each) is FindingLevel.WARNING
        head, *rest = str(each).split("\n")
        name = f"Warning: {head} [{each.code}]" if warning else f"Error: {head}"
        click.echo("\n".join([name, *rest]), err=True)
    if len(findings) > _PRINTED:
        hidden = len(findings) - _PRINTED
        click.echo(
            f"… and {hidden} more; correct these first, or print all of them with --format json", err=True
        )
    if findings and (count := CombinedInputError(tuple(findings)).count_text):
        click.echo(count, err=True)
    if silenced:
        warnings = "warning is" if silenced == 1 else "warnings are"
        click.echo(f"{silenced} {warnings} silenced by comments.", err=True)
