"""Command line: ``garabench GROUP VERB``."""

from __future__ import annotations

import importlib.metadata
import logging
import sys
from pathlib import Path

import click

from garabench.cli.lazy_group import LazyGroup

_GROUPS = (
    "agents",
    "check",
    "compare",
    "device",
    "goals",
    "interruptions",
    "phone",
    "rules",
    "run",
    "runs",
    "schemas",
    "tasks",
)


@click.group(
    cls=LazyGroup,
    modules={name: f"garabench.cli.{name}" for name in _GROUPS},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(importlib.metadata.version("garabench"), prog_name="garabench")
@click.option("-v", "--verbose", count=True, help="Log to standard error; -vv includes every device call.")
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Log every device call to this file, with keys redacted.",
)
@click.pass_context
def main(ctx: click.Context, verbose: int, log_file: Path | None) -> None:
    """Measure how well GUI agents on Android cope with interruptions.

    \b
    Example:
        garabench --version
    """
    if verbose or log_file:
        from garabench.records import run_log

        if log_file:
            ctx.with_resource(run_log.log_to(_log_file(log_file), logging.DEBUG))
        if verbose:
            level = logging.INFO if verbose == 1 else logging.DEBUG
            ctx.with_resource(run_log.log_to(run_log.stream_handler(sys.stderr), level))


def _log_file(path: Path) -> logging.Handler:
    from garabench.errors import GaraError
    from garabench.records import run_log

    try:
        return run_log.file_handler(path)
    except GaraError as error:
        raise click.BadParameter(str(error), param_hint="--log-file") from error
