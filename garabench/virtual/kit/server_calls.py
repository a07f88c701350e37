"""Actions that need an app's servers: without a network they change nothing, and the app shows a notice.

A `ServerStore` marks the actions that a real app would send to its servers with `requires_network`. Without
a network such an action raises `NetworkUnreachableError`, as Android's sockets raise
``java.net.UnknownHostException``: the rest of the handler is skipped, and the phone shows the app's notice in
a toast.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from garabench.virtual.kit.framework import Context

NetworkCheck = Callable[[], None]
"""Raises `NetworkUnreachableError` if the app's servers are unreachable."""


class NetworkUnreachableError(Exception):
    """An app needs its servers, but there is no network.

    Attributes:
        notice: The app's message to the user.
    """

    def __init__(self, notice: str) -> None:
        super().__init__(notice)
        self.notice = notice


def network_check(ctx: Context, notice: str) -> NetworkCheck:
    """Return a check of the phone's network; `notice` is the app's message without one."""

    def reach() -> None:
        if not ctx.online:
            raise NetworkUnreachableError(notice)

    return reach


def always_online() -> None:
    """Do nothing: the check of data without a phone."""


class ServerStore:
    """An app's data, part of which lives on its servers.

    Args:
        data: The app's persistent data, modified in place.
        reach: The check of the network.
    """

    def __init__(self, data: dict[str, Any], reach: NetworkCheck = always_online) -> None:
        self._data = data
        self._reach = reach

    def check_network(self) -> None:
        """Raise `NetworkUnreachableError` if the app's servers are unreachable."""
        self._reach()


S = TypeVar("S", bound=ServerStore)
P = ParamSpec("P")
R = TypeVar("R")


def requires_network(act: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Decorate an action of the app's servers: without a network it raises before it changes anything."""

    @functools.wraps(act)
    def checked(store: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        store.check_network()
        return act(store, *args, **kwargs)

    return checked
