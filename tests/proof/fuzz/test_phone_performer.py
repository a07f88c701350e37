"""The phone inside this process: facts, effects, and returning to a saved moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.core.app_state import SYSTEM
from garabench.core.selector import Selector, find
from garabench.core.steps import (
    HomeStep,
    KeyStep,
    RotateStep,
    ScrollSpec,
    ScrollStep,
    TapStep,
    TypeSpec,
    TypeStep,
    WaitForStep,
)
from garabench.proof.findings import VARIANTS
from garabench.proof.fuzz.phone_performer import PhonePerformer

APP = "tv.danmaku.bili"
TEA_SHOP = Path(__file__).parents[3] / "docs/examples/tea-shop/apps/tea-shop.yaml"
SEARCH = TapStep(tap=Selector(id="expand_search"))
TYPE = TypeStep(type=TypeSpec(text="稻香", into=Selector(id="search_src_text"), clear=True, submit=True))


@pytest.fixture(scope="module")
def performer() -> PhonePerformer:
    return PhonePerformer.start(VARIANTS[0])


def test_a_saved_moment_comes_back_with_its_effects(performer: PhonePerformer) -> None:
    performer.begin(APP)
    assert performer.effects() != ()
    assert all(app.none for app in performer.effects())
    first, page = performer.save(), performer.page
    assert [performer.perform(step) for step in (SEARCH, TYPE)] == ["", ""]
    assert performer.page != page
    (app,) = [each for each in performer.effects() if each.package == APP]
    assert [record.kind for record in app.added] == ["recent-search"]
    performer.load(first)
    assert performer.page == page
    assert all(each.none for each in performer.effects())


def test_facts(performer: PhonePerformer) -> None:
    performer.begin(APP)
    facts = performer.facts()
    assert facts.focus is not None
    assert facts.focus.package == APP
    assert facts.setting("global", "wifi_on") == "1"
    assert facts.setting("global", "nowhere") == "null"
    assert facts.package_state(APP, "running")
    assert not facts.package_state("com.nowhere", "installed")
    assert '"kind":"setting"' in (facts.content(f"content://org.garabench.state/{APP}") or "")
    assert facts.content("content://org.garabench.state/com.nowhere") is None
    assert facts.content("content://com.other/x") is None


def test_steps_that_cannot_be_performed_say_why(performer: PhonePerformer) -> None:
    performer.begin(APP)
    nowhere = Selector(id="nowhere")
    assert performer.perform(TapStep(tap=nowhere)) == "id=nowhere is not on screen"
    assert performer.perform(WaitForStep(wait_for=nowhere)) == "id=nowhere does not appear"
    assert performer.perform(TypeStep(type=TypeSpec(text="x"))) == "no text field has the focus"


def test_turning_the_phone_leaves_no_setting_behind(performer: PhonePerformer) -> None:
    performer.begin(APP)
    assert performer.perform(RotateStep()) == ""
    assert performer.settle().rotation == 0
    (system,) = [each for each in performer.effects() if each.package == SYSTEM]
    assert system.none


def test_scrolling_and_other_apps(performer: PhonePerformer) -> None:
    performer.begin(APP)
    top = find(performer.settle(), Selector(id="title"))
    assert performer.perform(ScrollStep(scroll=ScrollSpec(amount=0.2))) == ""
    assert find(performer.settle(), Selector(id="title")) != top
    assert performer.perform(HomeStep()) == ""
    assert performer.page.package != APP
    assert performer.perform(KeyStep(key="recents")) == ""


def test_a_performer_has_the_apps_of_a_suite() -> None:
    performer = PhonePerformer.start(VARIANTS[0], [TEA_SHOP])
    performer.begin("org.example.teashop")
    assert find(performer.settle(), Selector(text="铁观音"))
