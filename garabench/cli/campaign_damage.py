"""Say that a run's campaign log is damaged."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from garabench.core.phrases import counted
from garabench.records.campaign_log import damaged_lines


def warn_of_damaged_lines(folder: Path) -> None:
    """Print to standard error how many lines of a run's campaign log are damaged; nothing if none is."""
    number = sum(1 for _ in damaged_lines(folder))
    if number:
        were = "was" if number == 1 else "were"
        click.echo(
            f"{counted(number, 'damaged line')} {were} ignored; "
            f"see {shlex.join(['garabench', 'runs', 'fsck', str(folder)])}",
            err=True,
        )
