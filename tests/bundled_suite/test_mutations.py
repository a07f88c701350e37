"""Deliberate mistakes, most of them drawn by seed: a proof or a check catches each."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from garabench.core.condition import Keywords
from garabench.core.goal import bind, placeholders
from garabench.core.seeds import generator
from garabench.core.selector import normalize
from garabench.core.steps import DeviceStep, TapStep
from garabench.core.tree import UiNode, UiTree
from garabench.errors import CombinedInputError
from garabench.lint.screen_texts import shows
from garabench.lint.suite_check import check_suite
from garabench.proof.findings import ProofCheck, ProofFinding, Variant
from garabench.proof.path_performer import SOLUTION
from garabench.proof.prove_task import prove_task
from garabench.suite.suite import SuiteTask
from garabench.virtual.apps.amap.store import AmapStore
from garabench.virtual.apps.amazon.store import AmazonStore
from garabench.virtual.apps.bilibili.store import BilibiliStore
from garabench.virtual.apps.ctrip.store import CtripStore
from garabench.virtual.apps.facebook.store import FacebookStore
from garabench.virtual.apps.gmaps.store import GmapsStore
from garabench.virtual.apps.jd.store import JdStore
from garabench.virtual.apps.weibo.store import WeiboStore
from garabench.virtual.kit.framework import App
from tests.bundled import bundled_suite
from tests.virtual.apps.driver import Driver, PhoneFacts
from tests.virtual.apps.driver_performer import APPS, DriverPerformer

SEEDS = range(2)
PROFILE = "android-34:1080x2400"
SUITE = bundled_suite()
TASKS = tuple(item for item in SUITE.tasks.values() if not item.task.setup)


def drawn(seed: int, what: str) -> random.Random:
    return generator(seed, "mutation", what)


def failures(item: SuiteTask, performer: DriverPerformer | None = None) -> tuple[ProofFinding, ...]:
    """Return the failures of a task's proof, except that about the number of near misses."""
    proof = prove_task(item, SUITE, [(Variant(PROFILE), performer or DriverPerformer(PROFILE))]).proof
    return tuple(finding for finding in proof.failures if finding.check is not ProofCheck.NEAR_MISS_KINDS)


_CHOICES = ("any", "accept", "lookalikes")


def _named_always(item: SuiteTask) -> list[str]:
    """Return the parameters that every correct path of a task needs, in either language of the phone."""

    def without_choices(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without_choices(part) for key, part in value.items() if key not in _CHOICES}
        if isinstance(value, list):
            return list(map(without_choices, value))
        return "" if isinstance(value, str) and "|" in value else value

    return sorted(
        item.task.goal.with_.keys() & placeholders(without_choices(SUITE.goals[item.goal.id].holds))
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_goal_that_names_another_object_is_caught(seed: int) -> None:
    draw = drawn(seed, "object")
    item = draw.choice([each for each in TASKS if _named_always(each)])
    given = dict(item.task.goal.with_)
    name = draw.choice(_named_always(item))
    given[name] = 777 if isinstance(given[name], int | float) else f"{given[name]}二"
    try:
        wrong = replace(item, goal=bind(SUITE.goals[item.goal.id], given))
    except ValidationError as error:
        assert "is not a single value of type" in str(error)
        return
    assert ProofCheck.SOLVED in {finding.check for finding in failures(wrong)}


FIELDS = {"text", "text_contains", "text_matches", "desc", "desc_contains", "desc_matches", "near"}
AROUND = {"inside", "has", "sibling"}


def _broken(written: Any, numbers: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], str, Any]]:
    """Yield a condition as written, with one mistake that makes it accept more.

    A part of an ``all`` is left out, or a field of a selector that names a parameter. This is independent of
    the mutants that a proof uses.

    Yields:
        The numbers of the part, the field's name, and what is left.
    """
    for kind, value in written.items():
        if kind == "all" and len(value) > 1:
            for place in range(len(value)):
                yield (*numbers, place + 1), "", {"all": value[:place] + value[place + 1 :]}
        if kind in ("all", "any"):
            for place, part in enumerate(value):
                for where, field, left in _broken(part, (*numbers, place + 1)):
                    yield where, field, {kind: [*value[:place], left, *value[place + 1 :]]}
        elif kind in ("exists", "selected", "checked"):
            for field, left in _opened(value):
                yield numbers, field, {kind: left}


def _opened(selector: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in selector.items():
        rest = {other: each for other, each in selector.items() if other != key}
        if key in FIELDS and "{" in value and rest and not rest.keys() <= AROUND:
            yield key, rest
        elif key in AROUND:
            for field, left in _opened(value):
                yield f"{key}.{field}", {**selector, key: left}


def _is_guard(guards: Sequence[dict[str, Any]], numbers: tuple[int, ...], field: str) -> bool:
    """Return whether a guard of the goal covers the mistake."""
    named = f"{'.'.join(map(str, numbers))}.{field}."
    return any(
        named.startswith(f"{guard.get('part', '')}.{guard.get('field', '')}".rstrip(".") + ".")
        for guard in guards
    )


def _breakable(*, fields: bool) -> list[tuple[str, tuple[int, ...], str, Any]]:
    """Return each mistake in a goal that must be caught on the driver's phone."""
    used = {item.goal.id for item in TASKS} - {
        item.goal.id for item in SUITE.tasks.values() if item.task.setup
    }
    return [
        (goal["id"], numbers, field, left)
        for path in sorted((SUITE.root / "goal_schemas").glob("*.yaml"))
        for goal in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["goals"]
        if goal["id"] in used and "use" not in str(goal["holds"])
        for numbers, field, left in _broken(goal["holds"])
        if bool(field) is fields and not _is_guard(goal.get("guards", ()), numbers, field)
    ]


@pytest.mark.parametrize("fields", [False, True], ids=["part", "field"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_weaker_goal_is_caught(seed: int, fields: bool) -> None:
    name, numbers, field, left = drawn(seed, f"goal {fields}").choice(_breakable(fields=fields))
    weak = SUITE.goals[name].model_copy(update={"holds": left})
    users = [item for item in TASKS if item.goal.id == name]
    assert any(failures(replace(item, goal=bind(weak, dict(item.task.goal.with_)))) for item in users), (
        f"{name} without {numbers} {field}"
    )


NEAR_SYNONYMS = {
    "历史记录": "历史足迹",
    "收藏夹": "珍藏夹",
    "粉丝": "拥护者",
    "排行榜": "名次榜",
    "我的订单": "本人订单",
    "优惠券": "折让券",
    "购物车": "购物篮",
    "立即购买": "马上买下",
    "待收货": "等收货",
    "微博热搜": "微博热查",
    "隐私设置": "私密设置",
    "Your Orders": "Your Purchases",
    "Shopping Cart": "Shopping Trolley",
    "Your friends": "Your buddies",
    "Create story": "Write tale",
    "Want to go": "Wish to go",
    "Your lists": "Your catalogs",
}
"""What a screen shows, and what it might as well say, and does not."""


def _odd(word: str) -> str:
    return word[0] + "囧" + word[1:]


def _in_rules(word: Callable[[str], bool]) -> list[tuple[str, str]]:
    """Return the keywords of a kind in rules, each with its app."""
    return sorted(
        {
            (bound.app, each)
            for bound in SUITE.rules.values()
            for part in bound.rule.when.all
            if isinstance(part, Keywords)
            for each in part.keywords.of
            if word(each)
        }
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("slip_of", [_odd, NEAR_SYNONYMS.__getitem__], ids=["slip", "synonym"])
def test_a_keyword_on_no_screen_is_caught(slip_of: Callable[[str], str], seed: int, tmp_path: Path) -> None:
    draw = drawn(seed, "keyword")
    app, word = draw.choice(
        _in_rules(lambda each: len(each) >= 2 and not each.isascii())
        if slip_of is _odd
        else _in_rules(NEAR_SYNONYMS.__contains__)
    )
    for folder in ("tasks", "goal_schemas", "rules"):
        shutil.copytree(SUITE.root / folder, tmp_path / folder)
    slip = slip_of(word)
    for path in (tmp_path / "rules").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        if f"app: {app}\n" in text:
            path.write_text(re.sub(rf"(?<=[\[ \"']){re.escape(word)}(?=[,\]\"'])", slip, text), "utf-8")
    with pytest.raises(CombinedInputError, match=re.escape(slip)) as caught:
        check_suite(tmp_path)
    assert f"no screen of {app} shows the keyword {slip!r}" in str(caught.value)


def test_no_near_synonym_is_on_a_screen() -> None:
    """Otherwise it would not be a mistake to search for it."""
    for app, word in _in_rules(NEAR_SYNONYMS.__contains__):
        assert not shows(app, NEAR_SYNONYMS[word]), (app, word)


class RelabelledDriver(Driver):
    """A phone on which one label of an app was changed."""

    def __init__(self, app: App, label: str, shown: str) -> None:
        self._label, self._shown = label, shown
        super().__init__(PROFILE, app)

    def facts(self) -> PhoneFacts:
        seen = super().facts()
        return replace(seen, tree=UiTree(tuple(map(self._node, seen.tree.roots)), seen.tree.rotation))

    def _node(self, node: UiNode) -> UiNode:
        text = self._shown if normalize(node.text) == normalize(self._label) else node.text
        return replace(node, text=text, children=tuple(map(self._node, node.children)))


class RelabelledPerformer(DriverPerformer):
    """A performer whose trees have one changed label."""

    def __init__(self, label: str, shown: str) -> None:
        super().__init__(PROFILE)
        self._label, self._shown = label, shown

    def begin(self, app: str, setup: Sequence[DeviceStep], path: str = SOLUTION) -> None:
        assert not setup, "the driver has no shell"
        self._driver = RelabelledDriver(APPS[app], self._label, self._shown)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_button_with_another_label_is_caught(seed: int) -> None:
    labels = [
        (item.task.id, step.tap.text)
        for item in TASKS
        for step in item.task.solution
        if isinstance(step, TapStep) and step.tap.text
    ]
    name, label = drawn(seed, "label").choice(sorted(labels))
    assert (
        failures(SUITE.tasks[name], RelabelledPerformer(label, label)) == ()
    )  # so the changed label is the cause
    found = failures(SUITE.tasks[name], RelabelledPerformer(label, "改名了"))
    (solved,) = [finding for finding in found if finding.check is ProofCheck.SOLVED]
    assert "cannot perform step" in solved.reason and f"text={label}" in solved.reason


TOGGLES: tuple[tuple[type, str, tuple[str, ...]], ...] = (
    (AmapStore, "set_favorite", ("amap-favorite-tongji", "amap-favorite-drop-station")),
    (AmapStore, "set_setting", ("amap-navigation-night-brief", "amap-navigate-silently")),
    (AmapStore, "set_offline", ("amap-offline-chengdu",)),
    (AmazonStore, "set_on_list", ("amazon-list-duo-plus",)),
    (BilibiliStore, "set_liked", ("bili-like-song-live", "bili-take-back-like")),
    (BilibiliStore, "set_following", ("bili-follow-science-uploader", "bili-unfollow-vlogger")),
    (BilibiliStore, "set_later", ("bili-watch-speedrun-later",)),
    (CtripStore, "set_favorite", ("ctrip-favorite-look-alike-hotel",)),
    (CtripStore, "set_setting", ("ctrip-sms-offers-off",)),
    (FacebookStore, "set_followed", ("fb-follow-bakery-oregon",)),
    (FacebookStore, "set_friendship", ("fb-confirm-leila",)),
    (FacebookStore, "set_membership", ("fb-ask-to-join-oregon-bakers",)),
    (GmapsStore, "set_saved", ("gmaps-save-stanford", "gmaps-list-museum-day")),
    (GmapsStore, "set_setting", ("gmaps-timeline-off", "gmaps-theme-like-the-phone")),
    (JdStore, "set_favorite", ("jd-favorite-monitor-in-range", "jd-unfavorite-coffee")),
    (JdStore, "set_followed", ("jd-follow-chair-shop",)),
    (JdStore, "set_setting", ("jd-night-quiet", "jd-default-pay-at-door")),
    (WeiboStore, "set_liked", ("weibo-like-newest-article",)),
    (WeiboStore, "set_favorite", ("weibo-keep-post-found-on-a-page", "weibo-keep-newest-of-the-city")),
    (WeiboStore, "set_blocked", ("weibo-release-from-blocklist",)),
    (WeiboStore, "set_follows_topic", ("weibo-follow-most-discussed-topic",)),
)
STORES = tuple(dict.fromkeys(store for store, _, _ in TOGGLES))


def test_every_toggle_is_a_method_of_its_store() -> None:
    assert [name for store, name, _ in TOGGLES if not callable(getattr(store, name, None))] == []


@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__module__.split(".")[-2])
def test_a_toggle_that_does_nothing_is_caught(store: type, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = drawn(0, f"toggle {store.__module__}")
    method, tasks = draw.choice([(method, tasks) for of, method, tasks in TOGGLES if of is store])
    task = SUITE.tasks[draw.choice(tasks)]

    def nothing(self: object, *what: object, **more: object) -> None:
        """Do nothing, like a painted button."""

    dead: Callable[..., None] = nothing
    monkeypatch.setattr(store, method, dead)
    (solved,) = [finding for finding in failures(task) if finding.check is ProofCheck.SOLVED]
    assert solved.reason.startswith("does not hold") or "cannot perform step" in solved.reason
