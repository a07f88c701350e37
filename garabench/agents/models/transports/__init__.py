"""Clients of model endpoints, one module a protocol; each is loaded when an agent first speaks it.

May import `garabench.agents.models` and the vendors' packages. Start with `catalog`.
"""
