"""What an app's servers keep: without a network nothing of it changes, and the app says so.

A `Store` marks the acts that a real app asks its servers for with `on_servers`. Without a network such an
act raises `Unreachable`, as Android's sockets raise ``java.net.UnknownHostException``: what the handler had
still to do is left out, and the phone shows the app's own notice in a toast.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from garabench.virtual.apps.framework import Context

Reach = Callable[[], None]
"""Asks for the app's servers; raises `Unreachable` where they cannot be reached."""


class Unreachable(Exception):
    """An app's servers were asked for something and there is no network.

    Attributes:
        notice: What the app tells its user.
    """

    def __init__(self, notice: str) -> None:
        super().__init__(notice)
        self.notice = notice


def reach_over(ctx: Context, notice: str) -> Reach:
    """The way to an app's servers over the phone's network; `notice` is what the app says without one."""

    def reach() -> None:
        if not ctx.online:
            raise Unreachable(notice)

    return reach


def reach_always() -> None:
    """The way to servers that are always there: data without a phone around it."""


class Served:
    """An app's data, part of which is its servers'.

    Args:
        data: The app's lasting data, which is changed in place.
        reach: The way to the app's servers.
    """

    def __init__(self, data: dict[str, Any], reach: Reach = reach_always) -> None:
        self._data = data
        self._reach = reach

    def ask_servers(self) -> None:
        """Raise `Unreachable` where the app's servers cannot be reached."""
        self._reach()


S = TypeVar("S", bound=Served)
P = ParamSpec("P")
R = TypeVar("R")


def on_servers(act: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """An act that the app's servers do: it raises `Unreachable` before it changes anything."""

    @functools.wraps(act)
    def asked(store: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        store.ask_servers()
        return act(store, *args, **kwargs)

    return asked
