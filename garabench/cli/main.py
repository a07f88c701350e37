"""The command line: ``garabench GROUP VERB``; nothing but wiring."""

from __future__ import annotations

import importlib.metadata

import click

from garabench.cli.lazy import LazyGroup

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
    "schemas",
    "tasks",
)


@click.group(
    cls=LazyGroup,
    places={name: f"garabench.cli.{name}" for name in _GROUPS},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(importlib.metadata.version("garabench"), prog_name="garabench")
def main() -> None:
    """Find out how well a phone agent keeps going when reality interrupts it.

    \b
    Example:
        garabench --version
    """
