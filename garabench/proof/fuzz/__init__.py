"""Fuzz tasks: insert random actions into correct solutions, and compare the goal's verdict with the truth.

The truth is the apps' state before and after a walk. A walk is performed on a virtual phone inside this
process, whose running state is saved after each step of the solution, so that a walk takes a fraction of a
second. May import what `garabench.proof` may. Start with `walk`, then `fuzz_task`.
"""
