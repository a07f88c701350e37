"""The values that everything else is about: screens, conditions, actions, tasks, goals, rules, events.

Also the pure functions on them: selecting elements, evaluating conditions, planning solution steps, reading
YAML. Imports `garabench.errors` only and does no input or output; `clock` alone reads a clock. Start with
`task`, `condition` and `events`.
"""
