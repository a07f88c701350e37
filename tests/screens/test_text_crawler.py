"""The bundled texts equal those on the apps' screens.

The first screens of each app are always visited. The other screens are crawled only if the app's sources have
changed since the texts were written; `garabench tasks texts --stale` updates them.
"""

from __future__ import annotations

import re

import pytest

from garabench.lint.screen_texts import BUNDLED, AppTexts, ScreenTexts
from garabench.screens.app_crawler import AppCrawler, CrawlOptions
from garabench.screens.fingerprint import texts_fingerprint
from garabench.screens.text_crawler import all_apps, crawl_texts
from tests.bundled import bundled_suite

SUITE = bundled_suite()
APPS = [app for app in all_apps() if app.package in {item.app for item in SUITE.tasks.values()}]
DIGITS = re.compile(r"\d+")
TOUCHES = 15


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.package)
def test_texts_of_the_first_screens_are_up_to_date(app) -> None:  # type: ignore[no-untyped-def]
    """If this fails, run `garabench tasks texts`."""
    crawler = AppCrawler(app, "zh")
    assert crawler.explore(TOUCHES, CrawlOptions()) == TOUCHES
    recorded = ScreenTexts.load().apps[app.package].texts
    forms = {DIGITS.sub("0", text) for text in recorded}
    today = crawler.texts[app.package]
    assert len(today) > 20
    assert not [text for text in sorted(today) if DIGITS.sub("0", text) not in forms]


@pytest.mark.timeout(3000)  # crawls a whole app
@pytest.mark.parametrize("app", APPS, ids=lambda app: app.package)
def test_texts_were_crawled_since_the_sources_changed(app) -> None:  # type: ignore[no-untyped-def]
    recorded = AppTexts.read(BUNDLED / f"{app.package}.json")
    today = recorded.texts
    if recorded.made_from != texts_fingerprint(app):
        today = crawl_texts(SUITE, packages=[app.package])[app.package]
    new = sorted(_forms(today) - _forms(recorded.texts))
    assert new == [], "update them: garabench tasks texts --stale"


def _forms(texts: frozenset[str]) -> set[str]:
    """Return texts with all numbers replaced, since they change while an app runs."""
    return {DIGITS.sub("0", text) for text in texts}
