"""Statistics over episode summaries: success rates, intervals, paired tests, model usage.

Pure functions of values; may import `core` and `records`, and never touches a device.
Start with `measures`; `rates` holds Wilson's interval, `paired_tests` McNemar's test.
"""
