"""Performs diagnoses: reads failures from a run, performs their probes on devices, and stores the results.

`garabench.diagnosis` decides and touches nothing. `diagnose_run` is a diagnosis of a
run on several devices, `perform_probe` performs one probe through `garabench.episode`, `probe_agent` replays
the prefix, performs the probe's steps and hands over to a continuation, `case_reader` reads a failure. Here
the task of a probe is known: its solution continues a probe, and its goal is the witness. May import
`garabench.diagnosis`, `garabench.campaign` and everything below them. Start reading at `diagnose_run`.
"""
