"""``garabench init``."""

from __future__ import annotations

from pathlib import Path

import click

from garabench.authoring.suite_template import template_files
from garabench.cli.command_classes import Command
from garabench.cli.entry_files import write_app_schema
from garabench.cli.error_exits import report_errors
from garabench.cli.output_files import write_file
from garabench.errors import InputError
from garabench.suite.files import FOLDERS


@click.command(cls=Command)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@report_errors
def init(folder: Path) -> None:
    """Create a suite in DIR.

    The suite has a task, a goal, two rules and an interruption for Bilibili, with comments. It passes
    `check` and its proof, runs on the virtual phone, and uses the built-in suite by id. The schemas in
    `schemas/` give editors completion and validation. A DIR that has tasks, goals or rules already is
    refused.

    \b
    Example:
        garabench init my-suite
    """
    files = template_files()
    existing = [name for name in files if (folder / name).exists() and not name.startswith("schemas/")]
    if existing:
        raise InputError(f"{folder / existing[0]} already exists", hint="Choose another folder.")
    if mixed := [name for name in FOLDERS if (folder / name).is_dir()]:
        raise InputError(
            f"{folder / mixed[0]} already exists; the template's files would be mixed with its own",
            hint="Choose another folder. To add to a suite, use `garabench tasks new`, `goals new`"
            f" or `rules new` with --suite {folder}.",
        )
    for name, text in files.items():
        write_file(folder / name, text.encode())
    write_app_schema(folder)
    click.echo(f"{folder}: a suite with one task, one goal, two rules and one interruption")
    click.echo("Next:")
    click.echo(f"  garabench check {folder}   find mistakes")
    click.echo(f"  garabench run --suite {folder} --agents dismiss   run it on a virtual phone")
    click.echo(f"  garabench tasks prove --suite {folder}   prove its task")
    click.echo(f'  [tool.garabench] suite = "{folder}" in pyproject.toml makes --suite the default')
