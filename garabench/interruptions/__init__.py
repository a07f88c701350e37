"""Interruptions on a device: show the companion app's windows, follow them up, and track how they end.

It imports `garabench.core` and `garabench.device`. Start with `inject`, which shows an interruption and
verifies it on the tree, and `lifecycle`, the pure state of one interruption; `system` has the anomalies that
need no companion app.
"""
