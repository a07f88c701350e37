"""Performs diagnoses: reads failures from a run, performs their probes on devices, and stores the results.

It stands beside `garabench.diagnosis`, which decides and touches nothing. `diagnose_run` is a diagnosis of a
run on several devices, `perform_probe` performs one probe through `garabench.episode`, `probe_agent` replays
the prefix, performs the probe's steps and hands over to a continuation, `failed_case` reads a failure. Only
this package knows the task of a probe: its solution continues a probe, and its goal is the witness. It may
import what `garabench.campaign` may, and `garabench.diagnosis`. Start reading at `diagnose_run`.
"""
