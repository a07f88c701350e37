from __future__ import annotations

import pytest

from garabench.virtual.apps.facebook import names
from garabench.virtual.apps.facebook.app import APP
from garabench.virtual.apps.facebook.links import target
from garabench.virtual.kit.framework import Intent
from tests.virtual.apps.facebook.robot import Robot


@pytest.mark.parametrize(
    ("link", "activity", "extras"),
    [
        ("fb://profile/maya", names.PROFILE, {"who": "maya"}),
        ("fb://profile", names.PROFILE, {}),
        ("fb://page/bakery", names.PROFILE, {"who": "bakery"}),
        ("fb://group/bikes", names.GROUP, {"group": "bikes"}),
        ("fb://event/hike", names.EVENT, {"event": "hike"}),
        ("fb://post/hana-print", names.POST, {"post": "hana-print"}),
        ("fb://saved", names.SAVED, {}),
        ("fb://notifications", names.MAIN, {"tab": "Notifications"}),
        ("fb://nowhere", names.MAIN, {"tab": "Home"}),
        ("fb://[broken", names.MAIN, {"tab": "Home"}),
    ],
)
def test_link_targets(link: str, activity: str, extras: dict[str, str]) -> None:
    assert target(link) == (activity, extras)


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("fb://profile/maya", {"id": "profile_name", "text": "Maya Lindqvist"}),
        ("fb://notifications", {"id": "notice_list"}),
        ("fb://event/nothing", {"id": "empty_text", "text": "This event is over"}),
    ],
)
def test_a_link_opens_its_page(link: str, shown: dict[str, str]) -> None:
    robot = Robot()
    robot.phone.activities.start(Intent(action="android.intent.action.VIEW", data=link, package=APP.package))
    robot.settle()
    assert robot.sees(**shown)
