"""The texts that stand with the package are what the apps show today."""

from __future__ import annotations

import re

import pytest

from garabench.campaign.app_texts import ShownTexts
from garabench.campaign.shown_texts import all_apps
from garabench.campaign.suite import Suite
from garabench.virtual.tour import Manner, Tour

SUITE = Suite.load()
APPS = [app for app in all_apps() if app.package in {item.app for item in SUITE.tasks.values()}]
DIGITS = re.compile(r"\d+")
TOUCHES = 15


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.package)
def test_what_an_app_shows_today_stands_with_the_package(app) -> None:  # type: ignore[no-untyped-def]
    """Else `garabench tasks texts` is to be asked to write it anew."""
    tour = Tour(app, "zh")
    assert tour.explore(TOUCHES, Manner()) == TOUCHES
    kept = ShownTexts.load().apps[app.package].texts
    forms = {DIGITS.sub("0", text) for text in kept}
    today = tour.shown[app.package]
    assert len(today) > 20
    assert not [text for text in sorted(today) if DIGITS.sub("0", text) not in forms]
