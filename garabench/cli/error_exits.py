"""Turn exceptions into error messages and exit statuses."""

from __future__ import annotations

import errno
import functools
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from garabench.errors import CombinedInputError, GaraError, NotReadyError

_P = ParamSpec("_P")
_R = TypeVar("_R")
INTERRUPTED = 130
PIPE_CLOSED = 141
"""Exit status of a command that SIGPIPE ended, as in a shell."""


def write_traceback(error: BaseException) -> Path | None:
    """Write a traceback to a temporary file and return its path, or None if it cannot be written."""
    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="garabench-", suffix=".log", delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
    except OSError:  # the disk may be full, which may also be the cause of the fault
        return None
    return Path(file.name)


def discard_output() -> None:
    """Redirect stdout to the null device, so that Python's flush at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_error(error: GaraError) -> None:
    """Print an error, or each of several in one and their count if they are many."""
    errors: tuple[object, ...] = (error,)
    if isinstance(error, CombinedInputError):
        errors = error.errors
    elif isinstance(error, NotReadyError):
        errors = error.problems
    for each in errors:
        click.echo(f"Error: {each}", err=True)
    if isinstance(error, CombinedInputError) and error.count_text:
        click.echo(error.count_text, err=True)


def report_errors(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Make a command end with an error message and an exit status instead of a traceback.

    The status is 2 for wrong input, 3 for a device or model that cannot be reached, 130 for Ctrl-C, 141 for a
    closed pipe (``… | head``), and 1 for a bug in GaraBench, whose traceback is written to a file.
    """

    @functools.wraps(command)
    def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return command(*args, **kwargs)
        except GaraError as error:
            print_error(error)
            raise click.exceptions.Exit(error.exit_status) from error
        except BrokenPipeError as error:  # the reader has closed the pipe, as `head` does
            discard_output()
            raise click.exceptions.Exit(PIPE_CLOSED) from error
        except KeyboardInterrupt as error:
            click.echo("\nInterrupted.", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from error
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # every bug is reported as a message and a file
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                discard_output()
                click.echo("Error: the disk is full; the last file is incomplete", err=True)
            else:
                path = write_traceback(error)
                where = f"see {path}" if path else "the traceback could not be written"
                click.echo(f"Error: bug in GaraBench ({type(error).__name__}); {where}", err=True)
            raise click.exceptions.Exit(1) from error

    return wrapped
