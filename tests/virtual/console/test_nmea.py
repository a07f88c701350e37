"""Positions in sentences of NMEA 0183."""

from __future__ import annotations

import pytest

from garabench.virtual.console.nmea import nmea_position


@pytest.mark.parametrize(
    ("sentence", "position"),
    [
        ("$GPGGA,001431,0118.0000,N,10351.0000,W,0,00,,-19.6,M,4.1,M,,0000*5B", (1.3, -103.85)),
        ("$GPRMC,001431,A,0118.0000,S,10351.0000,E,0,0,010101,,,A*5B", (-1.3, 103.85)),
        ("$GPGGA,001431,9030.0000,N,10351.0000,W,0", None),  # beyond the pole
        ("$GPGGA,001431,0160.0000,N,10351.0000,W,0", None),  # 60 minutes
        ("$GPGGA,001431,0118.0000,E,10351.0000,W,0", None),  # a latitude in the east
        ("$GPGGA,001431,one,N,10351.0000,W,0", None),
        ("$GPGGA,001431", None),
        ("$GPXXX,1", None),
        ("", None),
    ],
)
def test_position(sentence: str, position: tuple[float, float] | None) -> None:
    found = nmea_position(sentence)
    assert (None if found is None else (round(found[0], 6), round(found[1], 6))) == position
