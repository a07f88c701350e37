"""Record a task from a person's use of a phone: each touch becomes a step that finds its element again.

The package may import what `garabench.authoring` may. `element_selector`, `gesture_steps` and
`getevent_lines` are functions of values; `person_agent` is an agent whose decisions a person makes, so that a
recording is an episode in the common record format. Start with `record_task`.
"""
