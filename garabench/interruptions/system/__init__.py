"""System anomalies on a device: perform those of `garabench.core.anomalies`, verify them, and detect answers.

It imports `garabench.core`, `garabench.device` and `garabench.interruptions`. Start with `perform`.
"""
