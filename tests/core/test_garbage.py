"""Searches for unreachable cycles become rarer, never more frequent."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from garabench.core.garbage import collect_rarely


@pytest.fixture(autouse=True)
def _thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_pythons_default_is_raised() -> None:
    gc.set_threshold(700, 10, 10)
    collect_rarely()
    newest, *older = gc.get_threshold()
    assert newest > 10_000
    assert older == [10, 10]


def test_a_larger_number_stays() -> None:
    gc.set_threshold(1_000_000, 5, 5)
    collect_rarely()
    assert gc.get_threshold() == (1_000_000, 5, 5)
