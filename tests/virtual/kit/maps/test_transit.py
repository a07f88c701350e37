from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.atlas import atlas
from garabench.virtual.kit.maps.geo import metres_between
from garabench.virtual.kit.maps.transit import Ride, TransitOption, TransitPlan, Walk, journeys
from tests.cases import every_case

ATLAS = atlas("shanghai", "beijing", "chengdu", "guangzhou")
AT = {place.name: place.at for place in ATLAS.places}
PAIRS = (
    ("同济大学(四平路校区)", "上海交通大学(徐汇校区)"),
    ("同济大学(四平路校区)", "同济大学(嘉定校区)"),
    ("故宫博物院", "颐和园"),
    ("四川大学(望江校区)", "成都双流国际机场"),
    ("广州塔", "广州南站"),
)


def plans(start: str, end: str, option: TransitOption, hour: float = 10) -> tuple[TransitPlan, ...]:
    return journeys(ATLAS, AT[start], AT[end], option, hour)


@every_case(("start", "end"), PAIRS)
@every_case("option", [o for o in TransitOption if o is not TransitOption.NO_METRO])
def test_journeys_are_complete(start: str, end: str, option: TransitOption) -> None:
    found = plans(start, end, option)
    assert found
    assert len({plan.lines for plan in found}) == len(found)
    for plan in found:
        assert isinstance(plan.legs[0], Walk)
        assert isinstance(plan.legs[-1], Walk)
        assert plan.legs[0].points[0] == AT[start]
        assert plan.legs[-1].points[-1] == AT[end]
        assert plan.fare >= 2
        assert all(leg.seconds >= 0 for leg in plan.legs)
        for one, other in zip(plan.legs, plan.legs[1:], strict=False):
            assert metres_between(one.points[-1], other.points[0]) < 1
        for ride in plan.rides:
            assert ride.stops == len(ride.points) - 1 >= 1


@pytest.mark.parametrize(("start", "end"), PAIRS)
def test_preferences_sort_the_journeys(start: str, end: str) -> None:
    for option, values in (
        (TransitOption.FAST, [plan.seconds for plan in plans(start, end, TransitOption.FAST)]),
        (TransitOption.FEW_CHANGES, [plan.changes for plan in plans(start, end, TransitOption.FEW_CHANGES)]),
        (
            TransitOption.LITTLE_WALKING,
            [plan.walking for plan in plans(start, end, TransitOption.LITTLE_WALKING)],
        ),
    ):
        assert values == sorted(values), option


def test_known_journeys() -> None:
    direct = plans(*PAIRS[0], TransitOption.RECOMMENDED)[0]
    assert direct.lines == ("地铁10号线",)
    assert (direct.changes, direct.fare) == (0, 4)
    bus = plans("北京大学", "中国人民大学", TransitOption.RECOMMENDED)[0]
    assert (bus.lines, bus.fare) == (("332路",), 2)


def test_without_the_metro_only_buses_remain() -> None:
    for plan in plans(*PAIRS[0], TransitOption.NO_METRO):
        assert {ride.kind for ride in plan.rides} == {"bus"}
    assert plans("故宫博物院", "颐和园", TransitOption.NO_METRO) == ()


def test_the_metro_preference_puts_it_before_buses() -> None:
    first = plans("北京大学", "中国人民大学", TransitOption.METRO_FIRST)[0]
    assert {ride.kind for ride in first.rides} == {"metro"}


def test_no_journeys_at_night() -> None:
    assert plans(*PAIRS[0], TransitOption.RECOMMENDED, hour=3.0) == ()
    assert plans(*PAIRS[0], TransitOption.RECOMMENDED, hour=22.8)[0].rides[0].kind == "bus"


def test_another_city_is_reached_by_train() -> None:
    (plan,) = plans("外滩", "北京大学", TransitOption.RECOMMENDED)
    kinds = [leg.kind for leg in plan.legs if isinstance(leg, Ride)]
    assert "train" in kinds
    assert plan.fare > 553
    assert 5 * 3600 < plan.seconds < 9 * 3600
