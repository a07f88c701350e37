"""The forms of names of agents that are programs of their own."""

from __future__ import annotations

from garabench.agents.spec import Scheme

SCHEMES: tuple[Scheme, ...] = ()
