from __future__ import annotations

import dataclasses
import itertools
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.geometry import Rect
from garabench.core.tree import MAX_BYTES, NOWHERE, TreeError, UiNode, UiTree, parse_tree
from tests.cases import every_case

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


def test_the_status_bar_does_not_affect_the_signature() -> None:
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
def test_an_invalid_tree_is_refused(xml: str, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        parse_tree(xml)


@pytest.mark.timeout(60)
def test_a_hundred_thousand_nodes_are_read() -> None:
    row = '<node text="row" bounds="[0,0][1,1]">' + '<node text="cell"/>' * 9 + "</node>"
    tree = parse_tree("<hierarchy>" + row * 10_000 + "</hierarchy>")
    assert len(tree.nodes) == 100_000
    assert tree.parent_of(tree.nodes[-1]) is tree.roots[-1]
    assert tree.signature == UiTree(tree.roots).signature


def test_a_node_that_was_read_is_like_any_other() -> None:
    (read,) = parse_tree('<hierarchy><node text="a" index="2" displayed="false"/></hierarchy>').roots
    made = UiNode(text="a", index=2, visible=False)
    assert (type(read), read, hash(read)) == (UiNode, made, hash(made))
    with pytest.raises(dataclasses.FrozenInstanceError):
        read.text = "b"  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(read)) == dataclasses.replace(read) == read  # noqa: S301  # made here


@given(st.text(max_size=200))
def test_any_text_gives_a_tree_or_a_tree_error(text: str) -> None:
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
def test_a_tree_round_trips(roots: list[UiNode], rotation: int) -> None:
    tree = UiTree(tuple(roots), rotation)
    assert parse_tree(tree.to_xml()) == tree


ONE = '<hierarchy><node text="{}" bounds="[0,0][1,1]"/></hierarchy>'
LAUGHS = "".join(
    f'<!ENTITY {name} "{expanded}">'
    for name, expanded in ((after, f"&{before};" * 10) for before, after in itertools.pairwise("abcdefghijk"))
)
LONG = '<!DOCTYPE h [<!ENTITY a "' + "x" * 100_000 + '">]>'


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "xml",
    [
        "<hierarchy>" + "<node>" * 100_000 + "</node>" * 100_000 + "</hierarchy>",
        "<hierarchy>" + "<other>" * 100_000 + "</other>" * 100_000 + "</hierarchy>",
        f'<!DOCTYPE h [<!ENTITY a "ha">{LAUGHS}]><hierarchy><node text="&k;"/></hierarchy>',
        f'<!DOCTYPE h [<!ENTITY a "ha">{LAUGHS}]><hierarchy><node>&k;</node></hierarchy>',
        LONG + '<hierarchy><node text="' + "&a;" * 5_000 + '"/></hierarchy>',
        '<!DOCTYPE h [<!ENTITY a "ha">]><hierarchy><node text="&a;"/></hierarchy>',
        '<!DOCTYPE h [<!ENTITY % a SYSTEM "file:///etc/hostname"> %a;]><hierarchy/>',
        '<!DOCTYPE hierarchy SYSTEM "file:///etc/hostname"><hierarchy/>',
        "<!DOCTYPE hierarchy><hierarchy/>",
        b" " * (MAX_BYTES + 1),
    ],
    ids=[
        "deep",
        "deep-other",
        "laughs",
        "laughs-below",
        "quadratic",
        "one",
        "parameter",
        "outer",
        "bare",
        "big",
    ],
)
def test_entity_expansion_and_external_entities_are_refused(xml: str | bytes) -> None:
    with pytest.raises(TreeError):
        parse_tree(xml)


@every_case(
    ("xml", "reason"),
    [
        (ONE.format("a\0b"), "character U.0000"),
        (ONE.format("a\0b").encode(), "character U.0000"),
        (ONE.format("a\x01b"), "invalid token"),
        (ONE.format("&#0;"), "reference to invalid character number"),
        (ONE.format("&#xD800;"), "reference to invalid character number"),
        (ONE.format("&nope;"), "undefined entity"),
        (ONE.format("a < b"), "not valid XML"),
        (ONE.format("a") * 2, "junk after document element"),
        (ONE.format("a")[:-5], "not valid XML"),
        ('<hierarchy><node text="a" text="b"/></hierarchy>', "duplicate attribute"),
        ("<hierarchy><node text=a/></hierarchy>", "not valid XML"),
        ('<hierarchy xmlns="urn:x"/>', "begins with"),
        (ONE.format("é").encode("latin-1"), "not valid XML"),
        (('<?xml version="1.0" encoding="utf-8"?>' + ONE.format("稻")).encode("gbk"), "not valid XML"),
        # Another encoding could hide a document type; Android always writes UTF-8.
        ('<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE h+AD4-<hierarchy/>', "not valid XML"),
        (b'<?xml version="1.0" encoding="gbk"?>' + ONE.format("稻香").encode("gbk"), "not valid XML"),
        (ONE.format("稻").encode("utf-16"), "not valid XML"),
        (ONE.format("稻").encode("utf-16-be"), "not valid XML"),
        (b"", "not valid XML"),
        (b"\xff\xfe", "not valid XML"),
        (b"\x1f\x8b\x08\x00", "not valid XML"),
    ],
)
def test_broken_xml_and_wrong_encodings_are_refused(xml: str | bytes, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        parse_tree(xml)


@pytest.mark.parametrize(
    "xml",
    [
        ONE.format("稻香"),
        ONE.format("稻香").encode(),
        "\ufeff" + ONE.format("稻香"),
        b"\xef\xbb\xbf" + ONE.format("稻香").encode(),
        '<?xml version="1.0" encoding="gbk"?>' + ONE.format("稻香"),
        '<?xml version="1.0" encoding="no-such"?>' + ONE.format("稻香"),
        ONE.format("&#x7a3b;&#39321;"),
        "<!-- dumped --><?note?>"
        + ONE.format("稻香").replace("<node", "stray text <![CDATA[<node/>]]><node"),
    ],
)
def test_a_tree_is_read_as_utf_8_whatever_encoding_it_declares(xml: str | bytes) -> None:
    assert [node.text for node in parse_tree(xml).nodes] == ["稻香"]


def test_a_text_of_ten_million_characters_is_read() -> None:
    tree = parse_tree(f'<hierarchy><node text="{"稻" * 10_000_000}"/></hierarchy>')
    assert len(tree.nodes[0].text) == 10_000_000


def test_a_file_outside_is_never_included(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    include = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret}" parse="text"/>'
    tree = parse_tree(f"<hierarchy><node>{include}</node></hierarchy>")
    assert b"secret" not in tree.to_xml()


def test_characters_not_allowed_in_xml_become_a_dot() -> None:
    tree = UiTree((UiNode(text="a\x00b\ud800c"),))
    assert parse_tree(tree.to_xml()).nodes[0].text == "a.b.c"


def test_invalid_values_count_as_missing() -> None:
    tree = parse_tree(
        '<hierarchy rotation="north"><node index="-3" bounds="[0,0]" checked="yes" enabled="no"/>'
        '<node index="99999999999" bounds="[-1,-2][3,4]"/></hierarchy>'
    )
    assert tree.rotation == 0
    first, second = tree.roots
    assert (first.index, first.bounds, first.checked, first.enabled) == (0, NOWHERE, False, False)
    assert (second.index, second.bounds) == (0, Rect(-1, -2, 3, 4))


@given(st.binary(max_size=200))
def test_any_bytes_give_a_tree_or_a_tree_error(data: bytes) -> None:
    for candidate in (data, b"<hierarchy>" + data + b"</hierarchy>"):
        try:
            assert parse_tree(candidate).roots is not None
        except TreeError as error:
            assert str(error)


@given(st.text(max_size=20))
def test_a_text_with_characters_not_allowed_in_xml_is_written(text: str) -> None:
    (node,) = parse_tree(UiTree((UiNode(text=text),)).to_xml()).nodes
    assert len(node.text) == len(text)


def test_appium_names_elements_by_their_class() -> None:
    data = (
        '<hierarchy index="0" rotation="0">'
        '<android.widget.FrameLayout class="A" package="p" bounds="[0,0][9,9]" displayed="true">'
        '<android.widget.TextView class="B" text="a" displayed="false" bounds="[1,2][3,4]"/>'
        "</android.widget.FrameLayout></hierarchy>"
    )
    (root,) = parse_tree(data).roots
    (child,) = root.children
    assert (root.cls, root.package, root.visible) == ("A", "p", True)
    assert (child.text, child.bounds, child.visible) == ("a", Rect(1, 2, 3, 4), False)
