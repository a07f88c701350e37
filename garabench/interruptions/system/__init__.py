"""System anomalies on a device: perform those of `garabench.core.anomalies`, verify them, see them answered.

It imports `garabench.core`, `garabench.device` and `garabench.interruptions`. Start with `perform`.
"""
