"""Clients of model endpoints, one module per protocol; each is loaded when it is first used.

May import `garabench.agents.models` and the vendors' packages. Start with `catalog`.
"""
