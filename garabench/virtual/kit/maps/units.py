"""Distances and durations as map apps write them in Chinese."""

from __future__ import annotations


def distance_text(metres: float) -> str:
    """Format a distance: ``850米``, ``3.2公里``, ``1068公里``."""
    if metres < 1000:
        return f"{max(1, round(metres))}米"
    kilometres = metres / 1000
    return f"{kilometres:.1f}公里" if kilometres < 100 else f"{round(kilometres)}公里"


def duration_text(seconds: float) -> str:
    """Format a duration: ``25分钟``, ``1小时8分钟``, ``13小时``."""
    hours, minutes = divmod(max(1, round(seconds / 60)), 60)
    if not hours:
        return f"{minutes}分钟"
    return f"{hours}小时{minutes}分钟" if minutes else f"{hours}小时"
