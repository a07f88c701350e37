"""The Universal Verifier: judge any trajectory by a rubric, apart for process and outcome.

A trajectory comes from a run's record or from another tool's files. Two judges give a `TrajectoryVerdict`:
the model-backed pipeline, and the offline judge, which needs no model. Start reading at `trajectory`,
`rubric` and `verdict`; `taxonomy` has the codes of failure points, and `verdict_store` the files under
``RUN/verdicts``.

It reads records and writes verdicts. It never touches a device.
"""
