"""DiagEval: is a failure the agent's or the environment's? Probes from the point of failure decide.

The pure core: `probe` (probes and their results), `attribution` (the Bayesian update, the order by expected
information gain, the stop rule), `routing` (categories, weights, quotas). Where the other parts are:

* `garabench.core.checkpoint`: `Checkpoint`, `Restored` and the `Restorer` protocol. Restorers (snapshot,
  replay with interruptions) are in `garabench.episode` and `garabench.device`.
* `garabench.virtual.defects`: defects as ground truth. No module here imports them, a goal or a solution: a
  diagnosis knows what a tester sees, and the goal check as a witness.
* Probes are performed beside the core, through `garabench.episode`, on devices of `garabench.campaign`.

Start reading at `attribution`.
"""
