"""The wiring check of an agent: five short episodes on a target board, and a diagnosis of its coordinates.

May import `agents`, `device`, `interruptions`, `records` and `core`. Start with `check_agent`; `board_checks`
holds the episodes, `coordinate_diagnosis` explains systematic errors of taps.
"""
