"""Match rules against a screen and decide which one fires, as pure functions.

Imports `garabench.core` only. Start with `engine`; `explain` reports why a rule fires or does not.
"""
