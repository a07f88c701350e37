"""The Universal Verifier: judge any trajectory by a rubric, process and outcome separately.

It reads trajectories from a run's record or from another tool's files, and writes verdicts. It may import
`agents`, `records`, `stats`, `suite`, `web` and `core`, and never touches a device. Start reading at
`trajectory`, `rubric` and `verdict`, then `pipeline` (the stages of a model's judgement), `taxonomy` (the
codes of failure points) and `verdict_store` (the files under ``RUN/verdicts``).
"""
