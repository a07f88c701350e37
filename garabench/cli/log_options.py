"""Options ``-v`` and ``--log-file``, with one meaning before and after the command."""

from __future__ import annotations

import contextlib
import logging
import sys
from pathlib import Path

import click

_VERBOSITY = f"{__name__}.verbosity"
_LOGS = f"{__name__}.logs"


def log_options() -> list[click.Parameter]:
    """Return new instances of the options; they act by themselves and pass no value to the command."""
    return [
        click.Option(
            ["-v", "--verbose"],
            count=True,
            expose_value=False,
            callback=_log_to_stderr,
            help="Log to standard error; -vv includes every device call.",
        ),
        click.Option(
            ["--log-file"],
            type=click.Path(dir_okay=False, path_type=Path),
            expose_value=False,
            callback=_log_to_file,
            help="Log every device call to this file, with keys redacted.",
        ),
    ]


def _log_to_stderr(ctx: click.Context, param: click.Parameter, value: int) -> None:
    """Start logging to standard error; ``-v`` before and ``-v`` after the command make ``-vv``."""
    if not value or ctx.resilient_parsing:
        return
    from garabench.records import run_log

    total = ctx.meta.get(_VERBOSITY, 0) + value
    ctx.meta[_VERBOSITY] = total
    level = logging.INFO if total == 1 else logging.DEBUG
    _start_log(ctx, "stderr", run_log.stream_handler(sys.stderr), level)


def _log_to_file(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    """Start logging to a file; the option after the command overrides the one before it."""
    if value is None or ctx.resilient_parsing:
        return
    from garabench.errors import GaraError
    from garabench.records import run_log

    try:
        handler = run_log.file_handler(value)
    except GaraError as error:
        raise click.BadParameter(str(error), param_hint="--log-file") from error
    _start_log(ctx, "file", handler, logging.DEBUG)


def _start_log(ctx: click.Context, target: str, handler: logging.Handler, level: int) -> None:
    """Log until the program ends, instead of any earlier log to the same target."""
    from garabench.records import run_log

    logs: dict[str, contextlib.ExitStack] = ctx.meta.setdefault(_LOGS, {})
    if target in logs:
        logs[target].close()
    logs[target] = ctx.find_root().with_resource(contextlib.ExitStack())
    logs[target].enter_context(run_log.log_to(handler, level))
