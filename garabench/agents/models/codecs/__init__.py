"""Requests and replies of each model protocol as values: pure functions, total on any JSON.

May import `garabench.agents.models.messages` and nothing that does I/O. Start with `completions`.
"""
