"""Prove that tasks are solvable, that wrong endings are rejected, and that interruptions are survivable.

A proof performs a task's solution, alternative solutions, near misses and interruption exits on a device and
returns findings. May import `campaign` and everything below it.
Start with `prove_task`; `prove_many` adds several devices, the cache and checks across tasks.
"""
