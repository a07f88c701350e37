"""One episode: a pure state machine decides, and the runner performs its commands on a device.

It imports `garabench.agents`, `garabench.interruptions`, `garabench.goals`, `garabench.rules`,
`garabench.effects`, `garabench.device`, `garabench.records` and `garabench.core`. Start with `machine`, then
read its output and input, `commands` and `command_results`; `runner` does the I/O.
"""
