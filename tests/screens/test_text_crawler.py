"""The texts that stand with the package are what the apps show today.

On an app's first screens that is looked at each time. What lies behind them is gone through only where the
words in the app's sources have changed since the texts were written; `garabench tasks texts --stale` writes
them anew, after which this is quick per_object.
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
def test_what_an_app_shows_today_stands_with_the_package(app) -> None:  # type: ignore[no-untyped-def]
    """Else `garabench tasks texts` is to be asked to write it anew."""
    crawler = AppCrawler(app, "zh")
    assert crawler.explore(TOUCHES, CrawlOptions()) == TOUCHES
    kept = ScreenTexts.load().apps[app.package].texts
    forms = {DIGITS.sub("0", text) for text in kept}
    today = crawler.texts[app.package]
    assert len(today) > 20
    assert not [text for text in sorted(today) if DIGITS.sub("0", text) not in forms]


@pytest.mark.timeout(3000)  # a crawler of a whole app
@pytest.mark.parametrize("app", APPS, ids=lambda app: app.package)
def test_what_an_app_shows_was_written_since_its_words_changed(app) -> None:  # type: ignore[no-untyped-def]
    kept = AppTexts.read(BUNDLED / f"{app.package}.json")
    today = kept.texts
    if kept.made_from != texts_fingerprint(app):
        today = crawl_texts(SUITE, packages=[app.package])[app.package]
    new = sorted(_forms(today) - _forms(kept.texts))
    assert new == [], "write them anew: garabench tasks texts --stale"


def _forms(texts: frozenset[str]) -> set[str]:
    """Texts with one and the same number for all, since numbers change while an app runs."""
    return {DIGITS.sub("0", text) for text in texts}
