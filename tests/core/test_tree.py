from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.geometry import Rect
from garabench.core.tree import TreeError, UiNode, UiTree, parse_tree

U2 = """<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="1">
  <node index="0" text="09:41" resource-id="com.android.systemui:id/clock" class="android.widget.TextView"
    package="com.android.systemui" content-desc="" bounds="[0,0][100,50]" visible-to-user="true"/>
  <node index="0" text="" class="android.widget.FrameLayout" package="tv.danmaku.bili"
    bounds="[0,0][100,200]">
    <node index="0" text="稻香" resource-id="tv.danmaku.bili:id/title" class="android.widget.TextView"
      package="tv.danmaku.bili" bounds="[0,50][100,90]" selected="true" clickable="true"/>
  </node>
</hierarchy>"""


def test_both_roots_of_a_u2_dump_are_read() -> None:
    tree = parse_tree(U2)
    assert tree.rotation == 1
    assert [root.package for root in tree.roots] == ["com.android.systemui", "tv.danmaku.bili"]
    title = tree.nodes[-1]
    assert (title.text, title.entry, title.bounds, title.selected) == (
        "稻香",
        "title",
        Rect(0, 50, 100, 90),
        True,
    )
    assert tree.parent_of(title) is tree.roots[1]
    assert title.enabled and title.visible  # absent attributes are Android's defaults
    assert [node.text for node in tree.app_nodes] == ["", "稻香"]


def test_the_ticking_clock_does_not_disturb_stillness() -> None:
    later = U2.replace("09:41", "09:42")
    assert parse_tree(U2).signature == parse_tree(later).signature
    assert parse_tree(U2).signature != parse_tree(U2.replace("稻香", "晴天")).signature


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        ("", "not valid XML"),
        ("<hierarchy>", "not valid XML"),
        ("ERROR: null root node returned by UiTestAutomationBridge.", "not valid XML"),
        ("<html/>", "begins with <html>"),
        (
            '<!DOCTYPE hierarchy [<!ENTITY x SYSTEM "file:///etc/hostname">]><hierarchy>&x;</hierarchy>',
            "document type",
        ),
        ("<hierarchy>" + "<node>" * 500 + "</node>" * 500 + "</hierarchy>", "deeper"),
        ("<hierarchy>" + "<node/>" * 100_001 + "</hierarchy>", "more than 100000"),
    ],
)
def test_what_is_no_tree_is_refused(xml: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        parse_tree(xml)


def test_a_hundred_thousand_nodes_are_read() -> None:
    tree = parse_tree("<hierarchy>" + '<node text="x" bounds="[0,0][1,1]"/>' * 100_000 + "</hierarchy>")
    assert len(tree.nodes) == 100_000


@given(st.text(max_size=200))
def test_any_text_is_a_tree_or_a_tree_error(text: str) -> None:
    try:
        parse_tree(text)
    except TreeError as error:
        assert str(error)


_text = st.text(
    st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\ufffe\uffff"), max_size=12
).map(lambda text: " ".join(text.split()))
_leaf = st.builds(
    UiNode,
    text=_text,
    desc=_text,
    resource_id=st.sampled_from(["", "p:id/a", "p:id/b"]),
    checked=st.booleans(),
    enabled=st.booleans(),
    bounds=st.builds(Rect, *[st.integers(-5, 3000)] * 4),
)
_nodes = st.recursive(
    _leaf,
    lambda inner: st.builds(
        UiNode, text=_text, cls=st.just("android.view.View"), children=st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=12,
)


@given(st.lists(_nodes, max_size=3), st.integers(0, 3))
def test_a_tree_survives_being_written_and_read(roots: list[UiNode], rotation: int) -> None:
    tree = UiTree(tuple(roots), rotation)
    assert parse_tree(tree.to_xml()) == tree
