"""What is left of a plan is named by a selector that selects exactly that."""

from __future__ import annotations

import pytest

from garabench.suite.short_selector import short_selector
from garabench.suite.suite import Suite


@pytest.fixture(scope="module")
def suite() -> Suite:
    return Suite.load()


@pytest.mark.parametrize(
    ("planned", "without", "selector"),
    [
        ("all", "jd", "all,-jd"),
        ("jd,bilibili", "jd", "bilibili"),
        ("jd,bilibili", "bili-like-*", None),
        ("jd,bilibili", "jd-order-two-books", "bilibili,jd,-jd-order-two-books"),
        ("sample", "bilibili", "sample,-bilibili"),
        ("jd-order-two-books,bili-like-song-live", "jd-order-two-books", "bili-like-song-live"),
        ("bilibili,infeasible", "bilibili", None),
        ("all,-amap", "jd", None),
    ],
)
def test_a_short_selector_selects_what_is_left(
    suite: Suite, planned: str, without: str, selector: str | None
) -> None:
    items, out = suite.select(planned), suite.select(without)
    chosen = tuple(item for item in items if item not in out)
    found = short_selector(suite, items, chosen)
    assert suite.select(found) == chosen
    if selector is not None:
        assert found == selector
