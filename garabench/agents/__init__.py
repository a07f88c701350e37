"""Agents: what a benchmark run can be performed with, and how each is found by its name.

An agent turns an observation into a decision (`interface`). Start there, then read `registry`, which
resolves names, and `context`, which is what an agent is made with. May import `core`, `records` (the log of
a program's output) and `errors`; never `device`, tasks' goals or anything above.
"""
