"""The Universal Verifier: judge any trajectory by a rubric, process and outcome separately.

A trajectory comes from a run's record or from another tool's files. A model judges it in the stages of
`pipeline`, which ends in a `TrajectoryVerdict`. Start reading at `trajectory`,
`rubric` and `verdict`; `taxonomy` has the codes of failure points, and `verdict_store` the files under
``RUN/verdicts``.

It reads records and writes verdicts; it may import `agents`, `records`, `stats`, `suite`, `web` and
`core`, and never touches a device.
"""
