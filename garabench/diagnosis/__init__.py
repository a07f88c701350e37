"""DiagEval: is a failure the agent's or the environment's? Probes from the point of failure decide.

A pure core. `attribution` moves the signal p by Bayes' rule and orders probes by expected information gain,
`routing` distributes candidates by failure category, `loop` is the diagnosis of one failure as a state
machine, and `probe` has the values. A diagnosis knows what a tester sees on the screen, and a goal check as a
witness: no module here imports a goal, a task, a solution or a defect.

Where the rest is: `garabench.core.checkpoint` has the checkpoint of an episode and the protocol of what
restores it; implementations (snapshot; replay with the recorded interruptions) are in `garabench.episode`
and `garabench.device`. Defects as ground truth are in ``garabench.virtual.defects``. Probes are performed
through `garabench.episode`, on devices of `garabench.campaign`. Start reading at `loop`.
"""
