"""What a person sees when something goes wrong: a plain sentence and the right exit status."""

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

from garabench.errors import GaraError

_P = ParamSpec("_P")
_R = TypeVar("_R")
INTERRUPTED = 130
PIPE_CLOSED = 141
"""As the shell counts a command that SIGPIPE ended."""


def write_traceback(error: BaseException) -> Path | None:
    """Keep a traceback in a file of its own; where it is, or None where no file can be written."""
    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="garabench-", suffix=".log", delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
    except OSError:  # a full disk, as likely as not the reason of the fault
        return None
    return Path(file.name)


def _give_up_output() -> None:
    """Let nothing more be written: Python's own flush at the end would fail once more, and say so."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def plainly(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Make a command end with a sentence and an exit status instead of a traceback.

    2 for wrong input, 3 for a device or model that cannot be reached, 130 for ctrl-C, 141 when nobody reads
    on (``… | head``), and 1 for a fault of our own, whose traceback goes to a file.
    """

    @functools.wraps(command)
    def wrapped(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return command(*args, **kwargs)
        except GaraError as error:
            click.echo(f"Error: {error}", err=True)
            raise click.exceptions.Exit(error.exit_status) from error
        except BrokenPipeError as error:
            _give_up_output()  # the reader has seen enough, as `head` has
            raise click.exceptions.Exit(PIPE_CLOSED) from error
        except KeyboardInterrupt as error:
            click.echo("\nInterrupted; what was done is kept.", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from error
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # whatever it is, a person gets a sentence and a file, not a traceback
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                _give_up_output()
                click.echo("Error: the disk is full: what was being written is not whole", err=True)
            else:
                path = write_traceback(error)
                where = f"see {path}" if path else "its traceback could not be written"
                click.echo(f"Error: a fault in GaraBench itself ({type(error).__name__}); {where}", err=True)
            raise click.exceptions.Exit(1) from error

    return wrapped
