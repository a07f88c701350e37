"""Base classes of all commands and groups: log options after each command, and imports on first use."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from garabench.cli.local_path import local
from garabench.cli.log_options import log_options


class Command(click.Command):
    """Command that accepts the log options after its name, as `garabench` does before it.

    Its paths are local: URLs are refused, except by parameters of the type `RunFolder`.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        """Create the command.

        Args:
            args: Passed to `click.Command`.
            options: Passed to `click.Command`.
        """
        super().__init__(*args, **options)
        self.params.extend(log_options())
        for param in self.params:
            if type(param.type) is click.Path:
                param.type = local(param.type)


class Group(click.Group):
    """Group whose commands accept the log options."""

    command_class = Command


class LazyGroup(Group):
    """Group that imports each command on first use, so that one command does not load all the others.

    Each module defines its command under the command's own name, with underscores for hyphens, unless it is
    given as ``module:name``.
    """

    def __init__(self, *args: Any, modules: Mapping[str, str] | None = None, **options: Any) -> None:
        """Create the group.

        Args:
            args: Passed to `click.Group`.
            modules: Dotted module names by command name.
            options: Passed to `click.Group`.
        """
        super().__init__(*args, **options)
        self._modules = dict(modules or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands without importing them."""
        return sorted({*super().list_commands(ctx), *self._modules})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module on first use."""
        if cmd_name in self._modules and cmd_name not in self.commands:
            place, _, name = self._modules[cmd_name].partition(":")
            module = importlib.import_module(place)
            self.add_command(getattr(module, name or cmd_name.replace("-", "_")), cmd_name)
        return super().get_command(ctx, cmd_name)
