"""The command line: ``garabench GROUP VERB``; nothing but wiring."""

from __future__ import annotations

import importlib.metadata

import click

from garabench.cli import (
    agents,
    check,
    compare,
    device,
    goals,
    interruptions,
    phone,
    rules,
    run,
    schemas,
    tasks,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("garabench"), prog_name="garabench")
def main() -> None:
    """Find out how well a phone agent keeps going when reality interrupts it.

    \b
    Example:
        garabench --version
    """


main.add_command(agents.agents)
main.add_command(check.check)
main.add_command(compare.compare)
main.add_command(device.device)
main.add_command(goals.goals)
main.add_command(interruptions.interruptions)
main.add_command(phone.phone)
main.add_command(rules.rules)
main.add_command(run.run)
main.add_command(schemas.schemas)
main.add_command(tasks.tasks)
