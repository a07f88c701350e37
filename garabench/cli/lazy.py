"""A group whose commands are loaded when they are asked for: a command does not wait for all the others."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group of commands by the module in which each is; each module names its command as it is called."""

    def __init__(self, *args: Any, places: Mapping[str, str] | None = None, **options: Any) -> None:
        """Prepare.

        Args:
            args: Of `click.Group`.
            places: Modules by the name of their command.
            options: Of `click.Group`.
        """
        super().__init__(*args, **options)
        self._places = dict(places or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, without loading them."""
        return sorted({*super().list_commands(ctx), *self._places})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, loaded when this is the first time."""
        if cmd_name in self._places and cmd_name not in self.commands:
            module = importlib.import_module(self._places[cmd_name])
            self.add_command(getattr(module, cmd_name.replace("-", "_")), cmd_name)
        return super().get_command(ctx, cmd_name)
