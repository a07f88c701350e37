"""Positions in NMEA 0183 sentences, which ``geo nmea`` of the emulator console takes."""

from __future__ import annotations

import re


def nmea_position(sentence: str) -> tuple[float, float] | None:
    """Return latitude and longitude of a ``$GPGGA`` or ``$GPRMC`` sentence; None for any other text."""
    words = sentence.partition("*")[0].split(",")
    first = {"$GPGGA": 2, "$GPRMC": 3}.get(words[0])
    if first is None or len(words) < first + 4:
        return None
    latitude = _degrees(words[first], words[first + 1], "NS", 90)
    longitude = _degrees(words[first + 2], words[first + 3], "EW", 180)
    return None if latitude is None or longitude is None else (latitude, longitude)


def _degrees(text: str, side: str, sides: str, limit: int) -> float | None:
    """Return the degrees of ``DDDMM.MMMM``."""
    if not re.fullmatch(r"\d{3,5}(\.\d{1,9})?", text, re.ASCII) or len(side) != 1 or side not in sides:
        return None
    whole, minutes = divmod(float(text), 100)
    value = whole + minutes / 60
    if minutes >= 60 or value > limit:
        return None
    return value if side == sides[0] else -value
