"""Benchmarks of speed and memory, run with ``make bench``.

Each module measures one subject and returns `benchmarks.report.Measure` values; start with
``__main__``, which runs them. May import all of `garabench`; nothing imports `benchmarks`.
"""
