"""Properties of every selector on every tree."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.core.geometry import Rect
from garabench.core.selector import Selector, find, matches, normalize
from garabench.core.tree import UiNode, UiTree, parse_tree

_trees = st.recursive(
    st.builds(
        UiNode,
        text=st.sampled_from(["a", "b", " a ", ""]),
        resource_id=st.sampled_from(["p:id/x", "p:id/y", "q:id/x", ""]),
        cls=st.sampled_from(["android.widget.Button", "android.view.View"]),
        selected=st.booleans(),
        bounds=st.builds(Rect, *[st.integers(0, 9)] * 4),
    ),
    lambda inner: st.builds(
        UiNode,
        text=st.sampled_from(["a", ""]),
        resource_id=st.sampled_from(["p:id/row", ""]),
        children=st.lists(inner, max_size=4).map(tuple),
    ),
    max_leaves=12,
).map(lambda root: UiTree((root,)))
_plain: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["x", "p:id/x", "row"]),
        "text": st.sampled_from(["a", "b"]),
        "class": st.sampled_from(["Button", "android.view.View"]),
        "selected": st.booleans(),
    },
).filter(bool)


def places(tree: UiTree, keys: dict[str, Any]) -> list[int]:
    """Return the positions of the selected elements in the tree's order."""
    chosen = {id(node) for node in find(tree, Selector.model_validate(keys))}
    return [place for place, node in enumerate(tree.nodes) if id(node) in chosen]


@given(_trees, _plain, _plain)
def test_all_given_fields_must_match(tree: UiTree, one_: dict[str, Any], two: dict[str, Any]) -> None:
    if one_.keys() & two.keys():
        return
    assert set(places(tree, one_ | two)) == set(places(tree, one_)) & set(places(tree, two))


@given(_trees, _plain, st.integers(-6, 6))
def test_an_index_picks_one_match_in_the_trees_order(tree: UiTree, keys: dict[str, Any], at: int) -> None:
    every = find(tree, Selector.model_validate(keys))
    chosen = find(tree, Selector.model_validate(keys | {"index": at}))
    assert [id(node) for node in chosen] == [id(node) for node in every[at:][:1] if -len(every) <= at]


@given(_trees, _plain, _plain)
def test_inside_and_has_mirror_each_other(tree: UiTree, outer: dict[str, Any], inner: dict[str, Any]) -> None:
    below = places(tree, inner | {"inside": outer})
    above = places(tree, outer | {"has": inner})
    assert bool(below) == bool(above)
    assert set(below) <= set(places(tree, inner))
    for place in below:
        around = {id(node) for node in tree.ancestors(tree.nodes[place])}
        assert around & {id(tree.nodes[up]) for up in above}


@given(_trees, _plain)
def test_matches_are_the_same_after_a_round_trip_through_xml(tree: UiTree, keys: dict[str, Any]) -> None:
    again = parse_tree(tree.to_xml())
    if all(node.text == node.text.strip() for node in tree.nodes):
        assert places(again, keys) == places(tree, keys)


@given(_trees, _plain)
def test_a_selector_has_a_description_and_round_trips(tree: UiTree, keys: dict[str, Any]) -> None:
    selector = Selector.model_validate(keys)
    again = Selector.model_validate(selector.model_dump(by_alias=True, exclude_unset=True))
    assert again == selector
    assert all(str(value) in selector.describe() for value in keys.values())


_looked_up: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["x", "p:id/x", "row", "", "none"]),
        "text": st.sampled_from(["a", " b ", "", "e\u0301", "none"]),
        "text_contains": st.sampled_from(["a", "é", "", " ", "none"]),
        "text_matches": st.sampled_from(["^a", "b$"]),
        "desc": st.sampled_from(["a", ""]),
        "desc_contains": st.sampled_from(["a", "\n"]),
        "class": st.sampled_from(["Button", "android.view.View", "View", ""]),
        "xpath": st.sampled_from(["//node[@text='a']", "//node[node]"]),
        "selected": st.booleans(),
        "near": st.sampled_from(["a", "é", "none"]),
    },
).filter(bool)
_rich_trees = st.recursive(
    st.builds(
        UiNode,
        text=st.sampled_from(["a", " a", "ab", "b", "é", "e\u0301x", "", "a\nb"]),
        desc=st.sampled_from(["", "a", "é", " x\ny"]),
        resource_id=st.sampled_from(["p:id/x", "q:id/x", "x", "", "p:id/row"]),
        cls=st.sampled_from(["android.widget.Button", "android.view.View", "View", "x.", ""]),
        selected=st.booleans(),
    ),
    lambda inner: st.builds(
        UiNode,
        text=st.sampled_from(["a", ""]),
        resource_id=st.sampled_from(["p:id/row", ""]),
        children=st.lists(inner, max_size=4).map(tuple),
    ),
    max_leaves=14,
)
_many_roots = st.lists(_rich_trees, max_size=2).map(lambda roots: UiTree(tuple(roots)))


def scanned(tree: UiTree, selector: Selector) -> list[UiNode]:
    """Return the elements that a scan without an index selects."""
    paths = []

    def walk(node: UiNode, path: tuple[UiNode, ...]) -> None:
        paths.append((*path, node))
        for child in node.children:
            walk(child, (*path, node))

    for root in tree.roots:
        walk(root, ())
    if selector.xpath is not None:
        with_text, parents = selector.xpath == "//node[@text='a']", selector.xpath == "//node[node]"
        paths = [
            path
            for path in paths
            if (with_text and path[-1].text == "a") or (parents and bool(path[-1].children))
        ]
    chosen = [path for path in paths if matches(path[-1], selector)]
    if selector.near is None or not chosen:
        return [path[-1] for path in chosen]
    wanted = normalize(selector.near)
    anchors = [
        (*reversed([*tree.ancestors(node)]), node)
        for node in tree.nodes
        if wanted in (normalize(node.text), normalize(node.desc))
    ]

    def shared(path: tuple[UiNode, ...]) -> int:
        return max((sum(a is b for a, b in zip(path, other, strict=False)) for other in anchors), default=0)

    best = max(shared(path) for path in chosen)
    return [path[-1] for path in chosen if best and shared(path) == best]


@settings(max_examples=400)
@given(_many_roots, st.lists(_looked_up, min_size=1, max_size=4))
def test_the_index_and_a_scan_find_the_same(tree: UiTree, several: list[dict[str, Any]]) -> None:
    tree = parse_tree(tree.to_xml())  # so that every element is a separate object
    for keys in several:
        selector = Selector.model_validate(keys)
        assert [id(node) for node in find(tree, selector)] == [id(node) for node in scanned(tree, selector)]


@given(_many_roots)
def test_derived_values_are_built_once(tree: UiTree) -> None:
    built: list[UiTree] = []

    def build(given_tree: UiTree) -> int:
        built.append(given_tree)
        return len(given_tree.nodes)

    assert tree.derived(build) == tree.derived(build) == len(tree.nodes)
    assert built == [tree]
