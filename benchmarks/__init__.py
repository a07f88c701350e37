"""Measurements of speed and memory, run by hand: ``make bench``."""
