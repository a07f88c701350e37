"""Agents with a known fault: wrappers that make another agent's mistakes on purpose.

A run of ``faulty:FAULT:AGENT`` fails for a reason that is known to be the agent's, which is what a diagnosis
is measured against. May import `garabench.agents.interface` and `garabench.core`; touches no device.
Start with `faulty_agent`; `mistakes` has the decisions that the faults make.
"""
