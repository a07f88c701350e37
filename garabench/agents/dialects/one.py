"""A reply has to hold one action: the same one written twice is one, two different ones are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from garabench.agents.dialects.reply import Flaw, Malformed

_Found = TypeVar("_Found")


def the_only(found: Sequence[_Found]) -> _Found:
    """The one that there is.

    Raises:
        Malformed: There is none, or there are several.
    """
    if not found:
        raise Malformed(Flaw.NO_ACTION, "the reply holds no action")
    if any(other != found[0] for other in found[1:]):
        raise Malformed(Flaw.SEVERAL_ACTIONS, f"the reply holds {len(found)} actions; write one")
    return found[0]
