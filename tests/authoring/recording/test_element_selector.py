"""The selector of a touched element: unique, lasting, and independent of sizes and positions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.authoring.recording.element_selector import element_selector
from garabench.core.geometry import Rect
from garabench.core.selector import find
from garabench.core.shortest_selector import selector_yaml
from garabench.core.tree import UiNode, UiTree

WORDS = st.sampled_from(["", "Buy", "Tea", "Tea 3", "¥22", "铁观音", "a\nb", "x" * 80])
IDS = st.sampled_from(["", "org.example:id/row", "org.example:id/title", "org.example:id/price"])
CLASSES = st.sampled_from(["android.widget.TextView", "android.widget.EditText", "android.view.View"])


def _node(children: tuple[UiNode, ...], text: str, desc: str, id_: str, cls: str, edge: int) -> UiNode:
    bounds = Rect(edge, edge, edge + 100, edge + 40)
    return UiNode(text=text, desc=desc, resource_id=id_, cls=cls, bounds=bounds, children=children)


NODES = st.recursive(
    st.builds(_node, st.just(()), WORDS, WORDS, IDS, CLASSES, st.integers(0, 900)),
    lambda inner: st.builds(
        _node, st.lists(inner, max_size=3).map(tuple), WORDS, WORDS, IDS, CLASSES, st.integers(0, 900)
    ),
    max_leaves=10,
)
TREES = st.lists(NODES, min_size=1, max_size=2).map(lambda roots: UiTree(tuple(roots)))


def _scaled(node: UiNode, factor: float) -> UiNode:
    edges = (node.bounds.left, node.bounds.top, node.bounds.right, node.bounds.bottom)
    children = tuple(_scaled(child, factor) for child in node.children)
    return replace(node, bounds=Rect(*(round(edge * factor) for edge in edges)), children=children)


@given(TREES, st.data(), st.sampled_from([0.5, 1.0, 1.7]))
def test_selector_selects_only_its_element_on_any_size(
    tree: UiTree, data: st.DataObject, factor: float
) -> None:
    place = data.draw(st.integers(0, len(tree.nodes) - 1))
    selector = element_selector(tree, tree.nodes[place]).selector
    other = UiTree(tuple(_scaled(root, factor) for root in tree.roots))
    found = find(other, selector)
    assert [node is other.nodes[place] for node in found] == [True]


def _row(title: str, price: str, *, likes: str = "3") -> UiNode:
    return UiNode(
        resource_id="p:id/row",
        cls="android.view.View",
        clickable=True,
        children=(
            UiNode(resource_id="p:id/title", text=title),
            UiNode(resource_id="p:id/price", text=price),
            UiNode(resource_id="p:id/like", desc=f"{likes} likes", clickable=True),
        ),
    )


TREE = UiTree(
    (
        UiNode(
            children=(
                UiNode(resource_id="p:id/search", cls="android.widget.EditText", text="oolong"),
                _row("Oolong", "¥22"),
                _row("Pu'er", "¥26"),
                UiNode(text="Cart", cls="android.widget.Button"),
                UiNode(desc="Back", cls="android.widget.ImageButton"),
                UiNode(cls="android.view.View"),
                UiNode(cls="android.view.View"),
            )
        ),
    )
)


@pytest.mark.parametrize(
    ("path", "expected", "fragile"),
    [
        ((0,), "{id: search}", ""),
        ((1,), "{id: row, has: {id: title, text: Oolong}}", ""),
        ((1, 0), "{id: title, text: Oolong}", ""),
        ((2, 1), "{id: price, text: ¥26}", "number"),
        ((2, 2), "{id: like, sibling: {id: title, text: Pu'er}}", ""),
        ((3,), "{text: Cart}", ""),
        ((4,), "{desc: Back}", ""),
        ((6,), "{class: View, index: 3}", "order"),
    ],
)
def test_most_lasting_selector_is_chosen(path: tuple[int, ...], expected: str, fragile: str) -> None:
    node = TREE.roots[0]
    for place in path:
        node = node.children[place]
    found = element_selector(TREE, node)
    assert selector_yaml(found.selector) == expected
    assert fragile in found.fragile
    assert bool(fragile) is bool(found.fragile)
