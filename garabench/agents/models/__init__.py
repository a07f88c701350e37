"""Agents that are models behind an endpoint: clients, retries, the reply cache, cost, budgets, transcripts.

May import the agent interface, `agents.dialects`, `agents.prompting`, `records` and `core`. Start with
`model_agent` (one episode) and `session` (what the models of a run share); `codecs` turns requests and
replies into values, `transports` sends them.
"""
