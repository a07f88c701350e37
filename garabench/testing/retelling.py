"""How a client that repeats its model's actions will tell of one: read for the device, and written again."""

from __future__ import annotations

from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.reply import Parsed
from garabench.agents.modes.history import bare, words_for
from garabench.core.action import Action


def retold(action: Action, dialect: Dialect, view: View) -> str:
    """The line of a prompt that tells of an action.

    Args:
        action: What the model answers.
        dialect: In which it does.
        view: What the places in it refer to.
    """
    written = dialect.render(action, view)
    if written is None:
        return words_for(action)
    read = dialect.parse(written, view)
    if not isinstance(read, Parsed):
        return bare(written)
    again = dialect.render(read.action, view)
    return words_for(read.action) if again is None else bare(again)
