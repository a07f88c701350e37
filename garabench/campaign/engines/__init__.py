"""Engines: where the devices of a run are, and how their workers are reached.

An engine opens devices, examines them before the run, and makes a worker for each: `local_engine` on this
computer, `ray_engine` on a Ray cluster. It imports what `garabench.campaign` may; only `ray_cluster` imports
Ray, which is an optional package. Start with `run_engine`, the interface that the executor uses.
"""
