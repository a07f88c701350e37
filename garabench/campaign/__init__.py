"""Runs: plan the episodes, open the devices, perform the episodes, resume an interrupted run.

Imports everything from `garabench.episode` downward. Start with `run`, which joins `planner`, `devices` and
`executor`.
"""
