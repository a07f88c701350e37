"""Ride types and their prices."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.virtual.kit.maps.driving_routes import Route


@dataclass(frozen=True, slots=True)
class TaxiKind:
    """A car type.

    Attributes:
        base: Base fare in yuan.
        a_kilometre: Yuan per kilometre.
        minutes: Minutes until pickup.
    """

    name: str
    icon: str
    color: str
    base: float
    a_kilometre: float
    minutes: int


KINDS = (
    TaxiKind("特惠快车", "car_hatchback", "#18B27B", 7, 1.7, 4),
    TaxiKind("出租车", "taxi", "#F5A623", 14, 2.7, 3),
    TaxiKind("舒适专车", "car_estate", "#2E7BFF", 18, 3.6, 6),
)


def fare(kind: TaxiKind, route: Route) -> int:
    """Return the price of a ride in yuan, tolls included."""
    return round(kind.base + route.metres / 1000 * kind.a_kilometre + route.toll)
