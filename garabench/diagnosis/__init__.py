"""DiagEval: is a failure the agent's or the environment's? Probes from the point of failure decide.

`attribution` moves the signal p by Bayes' rule and orders probes by expected information gain, `routing`
distributes candidates by failure category, and `loop` is the diagnosis of one failure as a state machine; all
are functions of values. A diagnosis knows what a tester sees on the screen, and a goal check as a witness: no
module here imports a goal, a task, a solution or a defect. It may import `agents.models`, `records`, `stats`
and `core`; `garabench.probing` performs the probes. Start reading at `loop`.
"""
