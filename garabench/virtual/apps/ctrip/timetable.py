"""Flights and trains between two cities on a day: deterministic, and plausible for the distance."""

from __future__ import annotations

import datetime as dt
import functools
from dataclasses import dataclass

from garabench.core.seeds import generator
from garabench.virtual.apps.ctrip.content import CtripCity, cities, city_of_station, load

_KMH = 720
_FAST_KMH = 258
_SLOW_KMH = 92
_ROUTE_FACTOR = 1.22
_STOP_CANDIDATES = 6
"""Number of candidate cities for a stopover."""


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight; times are minutes after midnight of its day, `price` is yuan per adult in economy.

    Attributes:
        via: City of the stopover, or empty for a direct flight.
    """

    number: str
    airline: str
    plane: str
    depart: int
    arrive: int
    start: str
    end: str
    price: int
    via: str
    meal: bool
    punctual: int

    @property
    def business(self) -> int:
        """The price in business class, in yuan."""
        return round(self.price * 2.4 / 10) * 10 + 400


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat class of a train: its name, its price in yuan, and the seats left (0: sold out)."""

    name: str
    price: int
    left: int


@dataclass(frozen=True, slots=True)
class Train:
    """A train between two stations."""

    number: str
    start: str
    end: str
    depart: int
    arrive: int
    seats: tuple[Seat, ...]

    @property
    def fast(self) -> bool:
        """Whether it is a G, D or C train."""
        return self.number[0] in "GDC"

    @property
    def price(self) -> int:
        """The price of the cheapest seat, in yuan."""
        return min(seat.price for seat in self.seats)


def clock(minutes: int) -> str:
    """Return a time of day such as 08:05."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def duration_text(minutes: int) -> str:
    """Return a duration such as 2时15分."""
    return f"{minutes // 60}时{minutes % 60:02d}分" if minutes >= 60 else f"{minutes}分"


def day_mark(minutes: int) -> str:
    """Return the mark of an arrival on a later day, such as +1天; empty on the same day."""
    return f"+{minutes // 1440}天" if minutes >= 1440 else ""


@functools.lru_cache(maxsize=256)
def flights(start: str, end: str, day: dt.date) -> tuple[Flight, ...]:
    """Return a day's flights between two cities, by time of departure."""
    here, there = cities().get(start), cities().get(end)
    if here is None or there is None or start == end or not (here.airports and there.airports):
        return ()
    chance = generator(0, "ctrip-flights", start, end)
    km = here.at.km_to(there.at)
    if km < 200:
        return ()
    world = load("cities.json")
    base = 260 + km * 0.52
    count = 9 + round(chance.random() * 7)
    minutes = sorted(chance.sample(range(6 * 60 + 30, 22 * 60, 5), count))
    result = []
    for depart in minutes:
        line = chance.choice(world["airlines"])
        direct = chance.random() < 0.78
        fly = round((km / _KMH * 60 + 45) / 5) * 5 + (0 if direct else 120 + 5 * chance.randrange(12))
        via = "" if direct else _between(here, there, chance.random())
        price = base * chance.uniform(0.62, 1.25) * (0.88 if line["code"] == "9C" else 1)
        number = f"{line['code']}{chance.randrange(1000, 9999)}"
        result.append(
            Flight(
                number=number,
                airline=line["name"],
                plane=chance.choice(world["planes"]),
                depart=depart,
                arrive=depart + fly,
                start=start + chance.choice(here.airports),
                end=end + chance.choice(there.airports),
                price=round(price * (0.8 if via else 1) / 10) * 10 + _by_day(number, day),
                via=via,
                meal=line["meal"],
                punctual=chance.randint(72, 98),
            )
        )
    return tuple(result)


def _between(here: CtripCity, there: CtripCity, where: float) -> str:
    """Return a city for a stopover that is not far off the direct line."""
    others = [city for city in cities().values() if city.airports and city not in (here, there)]
    near = sorted(others, key=lambda city: here.at.km_to(city.at) + city.at.km_to(there.at))[
        :_STOP_CANDIDATES
    ]
    return near[int(where * len(near))].name


def _by_day(number: str, day: dt.date) -> int:
    """Return the price difference of a day: higher on Fridays and Sundays."""
    chance = generator(0, "ctrip-fare", number, day.isoformat())
    return chance.randrange(-3, 4) * 10 + (90 if day.weekday() in (4, 6) else 0)


@functools.lru_cache(maxsize=256)
def trains(start: str, end: str, day: dt.date) -> tuple[Train, ...]:
    """Return a day's trains between two stations, or all those of two cities, by time of departure."""
    here, there = city_of_station(start), city_of_station(end)
    if here is None or there is None or here is there:
        return ()
    found = _all_trains(here, there, day)
    if start != here.name or _is_only_station(start, here):
        found = tuple(train for train in found if train.start == start)
    if end != there.name or _is_only_station(end, there):
        found = tuple(train for train in found if train.end == end)
    return found


def _is_only_station(name: str, city: CtripCity) -> bool:
    """Return whether a city's name can only mean its single station."""
    return city.stations == (name,)


def _all_trains(here: CtripCity, there: CtripCity, day: dt.date) -> tuple[Train, ...]:
    chance = generator(0, "ctrip-trains", here.name, there.name)
    km = here.at.km_to(there.at) * _ROUTE_FACTOR
    result = []
    for depart in sorted(chance.sample(range(6 * 60 + 10, 20 * 60, 4), 15)):
        fast = chance.random() < 0.8
        kind = chance.choice("GGGGD") if fast else chance.choice("ZTK")
        speed = (_FAST_KMH if kind == "G" else 190) if fast else _SLOW_KMH
        minutes = round(km / speed * 60 * chance.uniform(0.92, 1.22)) + 6
        number = f"{kind}{chance.randrange(10, 1999) if fast else chance.randrange(20, 999)}"
        near = 0 if fast else len(here.stations) - 1
        far = 0 if fast else len(there.stations) - 1
        if fast and chance.random() < 0.2:
            near, far = chance.randrange(len(here.stations)), chance.randrange(len(there.stations))
        seats = _seats(kind, km, number, day)
        result.append(
            Train(number, here.stations[near], there.stations[far], depart, depart + minutes, seats)
        )
    return tuple(result)


def _seats(kind: str, km: float, number: str, day: dt.date) -> tuple[Seat, ...]:
    chance = generator(0, "ctrip-seats", number, day.isoformat())

    def left() -> int:
        return chance.choice((0, 3, 8, 16, 99, 99, 99))

    if kind in "GD":
        base = km * (0.46 if kind == "G" else 0.31)
        grades = (
            [("二等座", 1.0), ("一等座", 1.62), ("商务座", 3.1)]
            if kind == "G"
            else [("二等座", 1.0), ("一等座", 1.6)]
        )
    else:
        base = km * 0.12
        grades = [("硬座", 1.0), ("硬卧", 1.8), ("软卧", 2.75)]
    return tuple(Seat(name, max(9, round(base * factor)), left()) for name, factor in grades)
