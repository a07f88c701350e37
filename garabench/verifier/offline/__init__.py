"""The offline judge: judge an episode without a model, from its recorded screens and actions.

The rubric comes from the typed goal and the reference solution of the episode's task, and the evidence from
the whole path. The judge never evaluates the goal: it may import `core`, `suite` and the types of the
verifier, but neither `garabench.goals`, `garabench.core.evaluate` nor `garabench.proof`. Start reading at
`offline_judge`, then `task_rubric` (makes the rubric), `screen_evidence` (reads one screen), `tracking`
(follows what the goal asks for), `path_evidence` (collects), `decision` (decides on the outcome) and
`failure_rules` (names the failures).
"""
