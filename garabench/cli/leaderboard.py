"""``garabench leaderboard``."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from garabench.cli.command_classes import Group
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import RunFolder
from garabench.cli.output_files import write_file
from garabench.cli.suite_option import suite_option
from garabench.core.phrases import counted
from garabench.records.bundle import open_bundle
from garabench.records.reader import Run, load_run
from garabench.report.leaderboard import make_submission, read_submission, submission_problems
from garabench.suite.suite import Suite

_RUNS = click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=RunFolder(path_type=Path))


@click.group(cls=Group)
def leaderboard() -> None:
    """Write and validate submissions to a leaderboard.

    \b
    Example:
        garabench leaderboard create runs/first --submitter "Me"
    """


@leaderboard.command()
@_RUNS
@click.option("--submitter", required=True, help="Name the person or team that submits.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write this JSON file; default: print it."
)
@report_errors
def create(runs: tuple[Path, ...], submitter: str, out: Path | None) -> None:
    """Write the scores of runs as a submission.

    Each RUN is a folder, or a file written by `garabench bundle`. The scores are computed from the logs of
    the episodes. `garabench schemas leaderboard` prints the JSON Schema.

    \b
    Example:
        garabench leaderboard create runs/first --submitter "Me" --out submission.json
    """
    with _opened(runs) as opened:
        text = make_submission(opened, submitter).model_dump_json(indent=2) + "\n"
    if out is None:
        click.echo(text, nl=False)
    else:
        write_file(out, text.encode())
        click.echo(f"Submission: {out}")


@leaderboard.command()
@click.argument("submission", type=click.Path(path_type=Path, dir_okay=False))
@_RUNS
@suite_option
@click.option("--any-suite", is_flag=True, help="Accept runs of another suite.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
@report_errors
def validate(
    ctx: click.Context,
    submission: Path,
    runs: tuple[Path, ...],
    root: Path | None,
    any_suite: bool,
    as_json: bool,
) -> None:
    """Validate SUBMISSION against the records of its runs.

    Each RUN is a folder, or a file written by `garabench bundle`. All scores are computed again from the
    logs of the episodes and must match. The runs must be complete, unchanged, and of the suite of --suite.
    The exit status is 1 if the submission is not valid.

    \b
    Example:
        garabench leaderboard validate submission.json runs/first --any-suite
    """
    stated = read_submission(submission)
    with _opened(runs) as opened:
        problems = list(submission_problems(stated, opened, "" if any_suite else Suite.load(root).digest))
    if as_json:
        click.echo(json.dumps({"valid": not problems, "problems": problems}, ensure_ascii=False, indent=2))
    else:
        for problem in problems:
            click.echo(problem)
        click.echo(f"Not valid: {counted(len(problems), 'problem')}." if problems else "Valid.")
    if problems:
        ctx.exit(1)


@contextlib.contextmanager
def _opened(paths: tuple[Path, ...]) -> Iterator[list[Run]]:
    """Open runs from folders and bundles; what is opened from bundles is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="garabench-") as temporary:
        yield [
            open_bundle(path, Path(temporary) / str(number) / path.stem) if path.is_file() else load_run(path)
            for number, path in enumerate(paths)
        ]
