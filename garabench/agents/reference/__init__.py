"""Reference agents, which follow a task's solution and differ only in how they answer interruptions.

May import `core` and the agent interface. Start with `agent`; `exit_choice` decides which button of an
interruption they press.
"""
