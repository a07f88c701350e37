"""Engines: where the devices of a run are, and how their workers are reached.

An engine opens devices, examines them before the run, and makes a worker for each; one executor performs the
plan with whichever. `run_engine` has the interface, `local_engine` the devices of this computer, `ray_engine`
those of a Ray cluster. Only `ray_cluster` imports Ray, which is an optional package. Imports what
`garabench.campaign` may. Start with `run_engine`.
"""
