from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.app import APP
from garabench.virtual.apps.ctrip.links import PAGES, target
from garabench.virtual.kit.framework import Intent
from tests.virtual.apps.ctrip.robot import Robot


@pytest.mark.parametrize(
    ("uri", "page", "extras"),
    [
        ("ctrip://wireless/hotel_detail?hotel=hz-hyatt", names.HOTEL, {"hotel": "hz-hyatt"}),
        ("ctrip://wireless/flight_list?start=%E4%B8%8A%E6%B5%B7", names.FLIGHT_LIST, {"start": "上海"}),
        ("ctrip://wireless/nowhere?x=1", names.MAIN, {}),
        ("http://wireless/hotel_list", names.MAIN, {}),
        ("ctrip://[", names.MAIN, {}),
        ("", names.MAIN, {}),
    ],
)
def test_link_targets(uri: str, page: str, extras: dict[str, str]) -> None:
    assert target(uri) == (page, extras)


@given(st.text())
def test_any_link_has_a_target(uri: str) -> None:
    assert target(uri)[0] in APP.activities


def test_all_link_targets_exist() -> None:
    assert set(PAGES.values()) <= APP.activities.keys()


def test_a_link_opens_its_page_and_back_closes_it() -> None:
    robot = Robot()
    link = "ctrip://wireless/hotel_detail?hotel=hz-hyatt"
    robot.phone.activities.start(Intent(action="android.intent.action.VIEW", data=link))
    robot.settle()
    assert robot.text(id="hotel_title") == "杭州凯悦酒店"
    robot.back()
    assert not robot.sees(id="hotel_title")


def test_the_flight_list_shows_accompanying_children() -> None:
    robot = Robot()
    robot.open(names.FLIGHT_INQUIRE)
    robot.tap(id="flight_children")
    robot.tap(id="flight_search")
    robot.settle()
    assert robot.text(id="list_way") == "经济舱·儿童"
