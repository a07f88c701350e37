"""The baseline agent, which needs no model and no solution: rules over the instruction and the screen.

May import `core` and the agent interface, and nothing about tasks, goals, rules or solutions (checked by a
contract). Start with `agent`; `chinese` and `english` parse instructions into `subgoals`.
"""
