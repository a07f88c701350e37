"""Agents: the programs that a run tests, and how each is found by its name.

An agent turns an observation into a decision (`interface`). Start there, then read `registry`, which
resolves names, and `context`, the data that an agent is constructed with. May import `core`, `records` (the
log of a program's output) and `errors`; never `device`, tasks' goals or anything above.
"""
