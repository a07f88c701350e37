"""Fuzz tasks: insert random actions into correct solutions, and compare the goal's verdict with the truth.

The truth is the apps' state before and after a walk, which is performed on a virtual phone inside this
process, whose running state is saved after each step of the solution. It may import what `garabench.proof`
may, which includes the parts of `garabench.virtual`. Start with `walk`, then `fuzz_task`.
"""
