"""Performs diagnoses: reads failures from a run, performs their probes on devices, and stores the results.

`garabench.diagnosis` decides and touches nothing; here the task of a probe is known, whose solution continues
a probe and whose goal is the witness. It may import `garabench.diagnosis`, `garabench.campaign` and
everything below them. Start reading at `diagnose_run` (a run
on several devices), then `case_reader` (reads a failure), `perform_probe` (one probe) and `probe_agent`
(replays the prefix, performs the probe's steps and hands over to a continuation).
"""
