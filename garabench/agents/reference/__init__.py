"""Reference agents: they follow a task's solution."""
