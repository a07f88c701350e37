"""Statistics over episode summaries: success rates, intervals, paired tests, model usage.

Pure functions of values; may import `core` and `records`, and never touches a device.
Start with `measures`. The methods, each with its source: `rates` and `intervals` (Wilson, Newcombe),
`paired_tests` (McNemar, sign flips), `bootstrap` (over tasks), `multiple_testing` (Holm), `repeats`
(agreement, flips, pass@k, pass^k) and `power`.
"""
