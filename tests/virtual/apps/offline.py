"""What an app's servers do: nothing without a network but the app's notice, and the thing once it is back."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.virtual.apps.hand import AppHand

Moves = Callable[[Any], None]


@dataclass(frozen=True)
class Act:
    """An act that wants the app's servers.

    `go` comes to it with a network; `do` are the last touches, which can be repeated when they were in vain.
    """

    name: str
    go: Moves
    do: Moves

    def __str__(self) -> str:
        return self.name


def wants_servers(hand: AppHand, act: Act, notice: str) -> None:
    """Check that the act is told by the notice and changes nothing offline, and works afterwards."""
    act.go(hand)
    hand.network(False)
    before = copy.deepcopy(kept(hand))
    act.do(hand)
    assert hand.toast == notice
    assert kept(hand) == before
    hand.network(True)
    act.do(hand)
    assert kept(hand) != before


def kept(hand: AppHand) -> dict[str, Any]:
    """The app's lasting data."""
    installed = hand.phone.packages.get(hand.app.package)
    assert installed is not None
    return installed.data


def opens(activity: str, **extras: Any) -> Moves:
    """Opens a page."""
    return lambda hand: hand.open(activity, **extras)


def taps(*selectors: dict[str, Any]) -> Moves:
    """Taps one after the other."""

    def do(hand: AppHand) -> None:
        for selector in selectors:
            hand.tap(**selector)

    return do
