from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.core.geometry import Rect
from garabench.core.selector import Selector, find
from garabench.core.shortest_selector import selector_yaml, shortest_selector
from garabench.core.tree import UiNode, UiTree


def node(text: str = "", id_: str = "", *children: UiNode, cls: str = "android.widget.TextView") -> UiNode:
    return UiNode(
        text=text,
        resource_id=f"com.x:id/{id_}" if id_ else "",
        cls=cls,
        bounds=Rect(0, 0, 10, 10),
        children=children,
    )


LIST = UiTree(
    (
        node(
            "",
            "list",
            node("", "row", node("Wi-Fi", "title"), node("", "switch", cls="android.widget.Switch")),
            node("", "row", node("Bluetooth", "title"), node("", "switch", cls="android.widget.Switch")),
            node("OK"),
            node("", "", node("same"), node("same")),
            node("x" * 1_000_000),
            node("Sort", "", cls="android.widget.Button"),
            node("Sort", "", cls="android.widget.TextView"),
        ),
    )
)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (0, "{id: list}"),
        (2, "{text: Wi-Fi}"),
        (3, "{id: switch, near: Wi-Fi}"),
        (7, "{text: OK}"),
        (9, "{text: same, index: 0}"),
        (11, f"{{text_contains: {'x' * 24}}}"),
        (12, "{class: Button}"),
    ],
)
def test_shortest(place: int, expected: str) -> None:
    assert selector_yaml(shortest_selector(LIST, LIST.nodes[place])) == expected


TEXTS = st.sampled_from(["", "", "a", "b", " a ", "null", "1", "{", "'\"", "\u202eabc", "line\nbreak", "界"])
IDS = st.sampled_from(["", "", "one", "two"])
NODES = st.recursive(
    st.builds(node, TEXTS, IDS),
    lambda inner: st.builds(
        lambda text, id_, children: node(text, id_, *children), TEXTS, IDS, st.lists(inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(NODES, min_size=1, max_size=2))
def test_it_selects_the_node_and_no_other(roots: list[UiNode]) -> None:
    tree = UiTree(tuple(roots))
    for each in tree.nodes:
        selector = shortest_selector(tree, each)
        assert [id(found) for found in find(tree, selector)] == [id(each)]
        assert Selector.model_validate(yaml.safe_load(selector_yaml(selector))) == selector
