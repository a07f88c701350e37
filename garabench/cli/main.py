"""Command line: ``garabench GROUP VERB``."""

from __future__ import annotations

import importlib.metadata

import click

from garabench.cli.command_classes import LazyGroup
from garabench.cli.log_options import log_options
from garabench.core.garbage import collect_rarely

_GROUPS = (
    "agents",
    "bundle",
    "check",
    "compare",
    "device",
    "diagnose",
    "doctor",
    "emulators",
    "export",
    "goals",
    "graph",
    "init",
    "interruptions",
    "leaderboard",
    "phone",
    "report",
    "rules",
    "run",
    "runs",
    "schemas",
    "tasks",
    "verify",
)


@click.group(
    cls=LazyGroup,
    modules={name: f"garabench.cli.{name}" for name in _GROUPS} | {"view": "garabench.cli.viewer"},
    params=log_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(importlib.metadata.version("garabench"), prog_name="garabench")
def main() -> None:
    """Measure how well GUI agents on Android cope with interruptions.

    \b
    Example:
        garabench --version
    """
    collect_rarely()
