from __future__ import annotations

from typing import Any

import pytest
from uiautomator2._selector import Selector as ClientSelector

from garabench.virtual.u2.accessibility import AxScreen
from garabench.virtual.u2.rpc import RpcError
from garabench.virtual.u2.ui_selector import Relation, UiSelector, chained, parse_selector
from tests.cases import every_case
from tests.virtual.u2.trees import node, scene, window

LABELS = node(
    "TextView", text="Search 视频", desc="Find it", rid="app.one:id/search", clickable=True, selected=True
)
ROOT = next(iter(AxScreen(scene(window(LABELS))).roots()))


@every_case(
    ("fields", "holds"),
    [
        ({"text": "Search 视频"}, True),
        ({"text": "Search"}, False),
        ({"textContains": "视频"}, True),
        ({"textContains": "SEARCH"}, True),
        ({"textStartsWith": "search"}, True),
        ({"textStartsWith": "视频"}, False),
        ({"textMatches": "Search.*"}, True),
        ({"textMatches": "Search"}, False),
        ({"className": "android.widget.TextView"}, True),
        ({"classNameMatches": ".*TextView"}, True),
        ({"description": "Find it"}, True),
        ({"descriptionContains": "ind"}, True),
        ({"descriptionMatches": "F.*t"}, True),
        ({"descriptionStartsWith": "Find"}, True),
        ({"packageName": "app.one"}, True),
        ({"packageNameMatches": r"app\..*"}, True),
        ({"resourceId": "app.one:id/search"}, True),
        ({"resourceIdMatches": ".*:id/search"}, True),
        ({"resourceIdMatches": "search"}, False),
        ({"clickable": True}, True),
        ({"clickable": False}, False),
        ({"longClickable": True}, False),
        ({"scrollable": False}, True),
        ({"enabled": True}, True),
        ({"focusable": True}, True),
        ({"focused": False}, True),
        ({"selected": True}, True),
        ({"checkable": False, "checked": False}, True),
        ({"text": "Search 视频", "clickable": False}, False),
        ({}, True),
    ],
)
def test_each_field_of_the_clients_selector(fields: dict[str, Any], holds: bool) -> None:
    selector = parse_selector(dict(ClientSelector(**fields)))
    assert selector.first.holds(ROOT, ignore_case=True) is holds


def test_by_selectors_are_case_sensitive() -> None:
    selector = parse_selector(dict(ClientSelector(textContains="SEARCH")))
    assert not selector.first.holds(ROOT, ignore_case=False)


def test_fields_outside_the_mask_are_ignored() -> None:
    assert parse_selector({"mask": 0, "text": "nothing"}) == parse_selector({})


def test_chains_are_parsed_in_order() -> None:
    client = ClientSelector(resourceId="a").child(text="b").sibling(className="c", instance=2)
    selector = parse_selector(dict(client))
    assert [relation for relation, _ in selector.chain] == [Relation.CHILD, Relation.SIBLING]
    assert selector.last.instance == 2
    assert str(selector) == (
        "UiSelector[RESOURCE_ID=a, CHILD=UiSelector[TEXT=b, PARENT=UiSelector[CLASS=c, INSTANCE=2]]]"
    )


@pytest.mark.parametrize(
    ("fields", "simple"),
    [
        ({"text": "a"}, True),
        ({"text": "a", "instance": 0}, False),
        ({"index": 1, "text": "a"}, False),
        ({}, False),
    ],
)
def test_when_the_server_uses_a_by_selector(fields: dict[str, Any], simple: bool) -> None:
    assert parse_selector(dict(ClientSelector(**fields))).simple is simple


@every_case(
    "wire",
    [
        None,
        7,
        "text",
        [],
        {"mask": "1"},
        {"mask": 1},
        {"mask": 1, "text": None},
        {"mask": 1, "text": []},
        {"mask": 0x800000, "index": "x"},
        {"mask": 0x01000000, "instance": -1},
        {"childOrSibling": "child"},
        {"childOrSibling": ["child"], "childOrSiblingSelector": [5]},
        {"childOrSibling": ["child"] * 99, "childOrSiblingSelector": [{}] * 99},
    ],
)
def test_invalid_selectors_are_rejected(wire: Any) -> None:
    with pytest.raises(RpcError):
        parse_selector(wire)


def test_a_selector_nested_too_deeply_is_rejected() -> None:
    wire: dict[str, Any] = {}
    for _ in range(500):
        wire = {"childOrSibling": ["child"], "childOrSiblingSelector": [wire]}
    with pytest.raises(RpcError):
        parse_selector(wire)


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "*", "x" * 3000])
def test_a_bad_pattern_is_a_java_exception(pattern: str) -> None:
    selector = parse_selector({"mask": 4, "textMatches": pattern})
    with pytest.raises(RpcError) as caught:
        selector.first.holds(ROOT, ignore_case=True)
    assert caught.value.message == "java.util.regex.PatternSyntaxException"


def test_an_instance_belongs_to_the_last_link() -> None:
    selector = parse_selector(dict(ClientSelector(text="a").child(text="b")))
    assert selector.with_instance(3).chain[0][1].instance == 3
    assert selector.with_instance(3, of_first=True).first.instance == 3


def test_chained_joins_two_selectors() -> None:
    base, link = (
        parse_selector({"mask": 1, "text": "a"}),
        parse_selector(dict(ClientSelector(text="b").child(text="c"))),
    )
    joined = chained(base, Relation.SIBLING, link)
    assert isinstance(joined, UiSelector)
    assert [relation for relation, _ in joined.chain] == [Relation.SIBLING, Relation.CHILD]
