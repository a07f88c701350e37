"""Benchmarks of speed and memory, run with ``make bench``.

Each module measures one subject and returns `benchmarks.report.Measure` values; ``__main__`` runs them, so
start there. May import all of `garabench`; nothing imports `benchmarks`.
"""
