"""DiagEval: is a failure the agent's or the environment's? Probes from the point of failure decide.

A diagnosis is made of functions of values: it knows what a tester sees on the screen, and a goal check as a
witness, so no module here imports a goal, a task, a solution or a defect. It may import `agents.models`,
`records`, `stats` and `core`; `garabench.probing` performs the probes. Start reading at `loop`, the diagnosis
of one failure as a state machine, then `attribution` (the probability after a probe, and the next probe) and
`routing` (candidates by failure category).
"""
