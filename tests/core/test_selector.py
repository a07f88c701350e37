from __future__ import annotations

import pytest
from pydantic import ValidationError

from garabench.core.selector import Selector, find
from garabench.core.tree import UiNode, UiTree, parse_tree


def node(text: str = "", entry: str = "", *children: UiNode, **more: object) -> UiNode:
    resource = f"p:id/{entry}" if entry else ""
    return UiNode(text=text, resource_id=resource, package="p", children=children, **more)  # type: ignore[arg-type]


ROW_1 = node("", "row", node("晴天", "title"), node("周杰伦", "author"), node("关注", "follow"))
ROW_2 = node("", "row", node("晴天", "title"), node("某人", "author"), node("关注", "follow", selected=True))
TREE = UiTree((node("", "list", ROW_1, ROW_2, cls="android.widget.ListView"),))


def one(**keys: object) -> tuple[UiNode, ...]:
    return find(TREE, Selector.model_validate(keys))


def test_a_selector_finds_every_matching_element() -> None:
    assert one(text="晴天") == (ROW_1.children[0], ROW_2.children[0])
    assert one(id="row") == (ROW_1, ROW_2)
    assert one(id="p:id/row") == (ROW_1, ROW_2)
    assert one(id="other:id/row") == ()


def test_relations_restrict_the_matches() -> None:
    assert one(id="follow", near="某人") == (ROW_2.children[2],)
    assert one(id="follow", sibling={"text": "周杰伦"}) == (ROW_1.children[2],)
    assert one(id="row", has={"text": "某人"}) == (ROW_2,)
    assert one(id="title", inside={"id": "row", "has": {"selected": True}}) == (ROW_2.children[0],)
    assert one(id="follow", near="谁") == ()


def test_index_counts_from_either_end() -> None:
    assert one(id="title", index=1) == (ROW_2.children[0],)
    assert one(id="title", index=-1) == (ROW_2.children[0],)
    assert one(id="title", index=2) == ()


def test_a_class_matches_by_its_last_part_and_states_are_compared() -> None:
    assert one(**{"class": "ListView"}) == TREE.roots
    assert one(selected=True) == (ROW_2.children[2],)


def test_text_is_compared_in_nfc_and_trimmed() -> None:
    tree = UiTree((node(" Café "),))
    assert find(tree, Selector(text="Cafe\u0301"))


def test_an_xpath_expression_selects_elements() -> None:
    assert one(xpath='//node[@text="周杰伦"]/following-sibling::node') == (ROW_1.children[2],)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({}, "at least one field"),
        ({"index": 0}, "at least one field"),
        ({"text_matches": "("}, "not a regular expression"),
        ({"text_matches": r"(a+)\1"}, "linear time"),
        ({"xpath": "//["}, "not an XPath"),
        ({"txt": "x"}, "txt"),
    ],
)
def test_an_invalid_selector_is_refused(keys: dict[str, object], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Selector.model_validate(keys)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("/", "ends at or goes above the root"),
        ("./..", "ends at or goes above the root"),
        ("/hierarchy", "the root of the tree, which is not on the screen"),
        ("count(//node)", "returns a number"),
        ("string(//node)", "returns a text"),
        ("//node[@text='a']/@content-desc", "selects attributes"),
        ("//node | //comment()", "selects attributes, texts or comments"),
        ("//node[a:b]", "Undefined namespace prefix"),
        ("document('x')//node", "it has no function document"),
    ],
)
def test_xpath_that_cannot_select_an_element_of_the_screen_is_refused(expression: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Selector(xpath=expression)


@pytest.mark.parametrize("steps", ["/../..", "/ancestor::node()", "/ancestor-or-self::*", "/../../../../.."])
def test_xpath_that_goes_up_selects_elements_of_the_screen_only(steps: str) -> None:
    tree = UiTree((node("", "c", node("", "b", node("", "a"))),))
    found = {each.entry for each in find(tree, Selector(xpath=f"//node{steps}"))}
    assert found <= {"a", "b", "c"}
    assert ("c" in found) == (steps != "/../../../../..")


@pytest.mark.parametrize(
    ("xpath", "texts"),
    [
        ("//node/..", ["a", "b"]),
        ("//node/../..", ["a"]),
        ("//node/../../..", []),
        ("//node/../../../..", []),
        ("//node/../../../*", ["a"]),
    ],
)
def test_an_xpath_finds_nothing_above_the_root(xpath: str, texts: list[str]) -> None:
    tree = parse_tree(b'<hierarchy><node text="a"><node text="b"><node text="c"/></node></node></hierarchy>')
    assert [node.text for node in find(tree, Selector(xpath=xpath))] == texts
