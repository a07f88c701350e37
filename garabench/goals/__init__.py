"""Read the facts that a goal needs from a device, and check the goal on a settled screen.

Imports `garabench.core` and `garabench.device`. Start with `goal_check`.
"""
