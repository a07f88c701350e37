from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.geometry import Point, Rect
from garabench.core.tree import parse_tree
from garabench.virtual.ui import hit_test
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.dump import u2_xml, uiautomator_xml
from garabench.virtual.ui.layout import lay_out
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene, ViewState, WindowKind
from garabench.virtual.ui.scrolling import reached_end, scroll_by

SCREEN = Rect(0, 0, 400, 800)


def laid(view: w.Widget, state: ViewState | None = None, density: int = 160) -> PlacedNode:
    return lay_out(view, bounds=SCREEN, density=density, package="p", state=state or ViewState())


def scene_of(view: w.Widget, state: ViewState | None = None) -> Scene:
    root = laid(view, state)
    window = PlacedWindow("p/.Main", "p", WindowKind.APPLICATION, SCREEN, root, focused=True)
    return Scene(SCREEN.size, (window,), density=160)


def box(size: float = 40, **more: object) -> w.Widget:
    return w.Widget(**{"width": size, "height": size, **more})  # type: ignore[arg-type]


def places(node: PlacedNode) -> list[tuple[int, int, int, int]]:
    return [(c.bounds.left, c.bounds.top, c.bounds.right, c.bounds.bottom) for c in node.children]


def test_a_row_shares_its_free_space_by_weight() -> None:
    row = w.Row(width=w.MATCH, height=50, gap=10, children=[box(), box(weight=1), box(weight=2)])
    assert [(x1, x2) for x1, _, x2, _ in places(laid(row))] == [(0, 40), (50, 163), (173, 400)]


def test_children_of_a_row_are_centred_and_those_of_a_column_stretched() -> None:
    row = w.Row(width=w.MATCH, height=100, children=[box()])
    assert places(laid(row)) == [(0, 30, 40, 70)]
    column = w.Column(width=w.MATCH, children=[w.Text(text="a"), w.Widget(height=5)])
    assert {(x1, x2) for x1, _, x2, _ in places(laid(column))} == {(0, 400)}


@pytest.mark.parametrize(
    ("justify", "expected"),
    [
        (w.Align.START, [0, 40]),
        (w.Align.CENTER, [160, 200]),
        (w.Align.END, [320, 360]),
        (w.Align.SPACE_BETWEEN, [0, 360]),
        (w.Align.SPACE_AROUND, [80, 280]),
    ],
)
def test_justify(justify: w.Align, expected: list[int]) -> None:
    row = w.Row(width=w.MATCH, justify=justify, children=[box(), box()])
    assert [place[0] for place in places(laid(row))] == expected


def test_margins_and_padding() -> None:
    column = w.Column(width=w.MATCH, padding=w.insets(10), children=[box(margin=w.insets(1, 2, 3, 4)), box()])
    assert places(laid(column)) == [(11, 12, 387, 52), (10, 56, 390, 96)]


def test_a_wrapping_row_starts_a_new_line() -> None:
    row = w.Row(width=100, wrap=True, gap=5, children=[box(), box(), box()])
    assert places(laid(row)) == [(0, 0, 40, 40), (45, 0, 85, 40), (0, 45, 40, 85)]


def test_a_box_aligns_on_both_axes() -> None:
    corner = box(align_self=w.Align.END, align_vertical=w.Align.END)
    assert places(laid(w.Box(width=w.MATCH, height=w.MATCH, children=[corner]))) == [(360, 760, 400, 800)]


def test_text_wraps_and_is_ellipsized() -> None:
    short = laid(w.Text(text="稻香 " * 60, width=200, max_lines=2))
    assert short.text_layout is not None
    assert short.text_layout.ellipsized
    assert len(short.text_layout.lines) == 2
    assert all(line.width <= 200 for line in short.text_layout.lines)


def test_a_list_builds_only_the_rows_in_view() -> None:
    built: list[int] = []

    def row(item: int, index: int) -> w.Widget:
        built.append(index)
        return w.Text(text=f"row {item}", height=50)

    state = ViewState()
    view = w.ListView(
        id="list", width=w.MATCH, height=w.MATCH, items=range(10_000), build=row, item_height=50
    )
    root = laid(view, state)
    assert [child.text for child in root.children] == [f"row {n}" for n in range(16)]
    assert len(built) < 60
    assert root.scroll is not None
    assert root.scroll.maximum == 10_000 * 50 - 800
    assert scroll_by(state, root, 0, 1025)
    assert next(child.text for child in laid(view, state).children) == "row 20"


def test_a_list_of_measured_rows_ends_with_its_last_row() -> None:
    state = ViewState()
    view = w.ListView(
        width=w.MATCH,
        height=w.MATCH,
        header=[box(100)],
        items=list(range(30)),
        columns=2,
        gap=4,
        build=lambda item, index: w.Widget(height=30 + 10 * (item % 3)),
    )
    for _ in range(20):
        scroll_by(state, laid(view, state), 0, 400)
    root = laid(view, state)
    assert root.children[-1].bounds.bottom <= 800
    assert max(child.bounds.bottom for child in root.children) == 800
    assert not scroll_by(state, root, 0, 10)
    assert reached_end(state, root)
    assert not reached_end(state, root)


def test_a_turned_list_stays_at_its_first_visible_row() -> None:
    """Rows are lower where their text needs fewer lines, so an offset in pixels is at another row there."""

    def row(item: int, index: int) -> w.Widget:
        return w.Text(id=f"row{item}", text="稻香 " * 60)

    def first(bounds: Rect) -> tuple[str, int]:
        root = lay_out(view, bounds=bounds, density=160, package="p", state=state)
        child = root.children[0]
        return child.widget.id, bounds.top - child.bounds.top

    state, wide = ViewState(), Rect(0, 0, 800, 400)
    view = w.ListView(width=w.MATCH, height=w.MATCH, header=[box(30, id="head")], items=range(90), build=row)
    assert (first(SCREEN), first(wide)) == (("head", 0), ("head", 0))
    root = laid(view, state)
    low = root.children[1].bounds.height
    scroll_by(state, root, 0, 30 + 20 * low + 7)
    assert first(SCREEN) == ("row20", 7)
    assert first(wide) == ("row20", 7)
    assert first(SCREEN) == ("row20", 7)


def test_scrolling_stays_within_the_content_and_clips() -> None:
    state = ViewState()
    view = w.ScrollView(width=w.MATCH, height=100, children=[box(90, id="a"), box(90, id="b")])
    root = laid(view, state)
    assert root.scroll is not None
    assert root.scroll.maximum == 80
    assert scroll_by(state, root, 0, 500)
    moved = laid(view, state)
    assert moved.children[0].bounds == Rect(0, -80, 400, 10)
    assert moved.children[0].visible == Rect(0, 0, 400, 10)
    tree = parse_tree(u2_xml(scene_of(view, state)))
    assert [str(node.bounds) for node in tree.nodes if node.entry] == ["[0,0][400,10]", "[0,10][400,100]"]


def test_a_tap_falls_through_to_a_clickable_node() -> None:
    view = w.Box(
        width=w.MATCH,
        height=w.MATCH,
        on_click=lambda: None,
        children=[w.Text(text="label"), box(id="small", on_click=lambda: None)],
    )
    scene = scene_of(view)
    for point, name in ((Point(5, 5), "p:id/small"), (Point(300, 300), "")):
        found = hit_test.clickable_at(scene, point)
        assert found is not None
        assert found[1].resource_id == name


def test_a_modal_window_gets_touches_outside_it() -> None:
    below = PlacedWindow(
        "p/.Main", "p", WindowKind.APPLICATION, SCREEN, laid(box(400, on_click=lambda: None))
    )
    dialog = PlacedWindow(
        "p/.Main", "p", WindowKind.DIALOG, Rect(100, 100, 200, 200), laid(box()), modal=True, focused=True
    )
    scene = Scene(SCREEN.size, (below, dialog))
    assert hit_test.clickable_at(scene, Point(10, 10)) is None
    assert "Main" in uiautomator_xml(scene) or parse_tree(uiautomator_xml(scene)).nodes


def test_decoration_is_drawn_but_not_in_the_tree() -> None:
    view = w.Column(
        width=w.MATCH,
        children=[w.Box(important=False, children=[w.Text(id="t", text='a\nb\x00"<')]), w.divider()],
    )
    for xml in (u2_xml(scene_of(view)), uiautomator_xml(scene_of(view))):
        nodes = parse_tree(xml).nodes
        assert [node.cls.rpartition(".")[2] for node in nodes] == ["LinearLayout", "TextView"]
        assert nodes[1].text == 'a\nb."<'


def test_a_clickable_node_without_text_is_naf() -> None:
    plain = uiautomator_xml(scene_of(box(on_click=lambda: None)))
    named = uiautomator_xml(scene_of(box(on_click=lambda: None, desc="back")))
    assert 'NAF="true"' in plain
    assert "NAF" not in named
    assert "\n" not in plain


def test_a_slider_is_focusable_not_clickable_but_handles_taps() -> None:
    scene = scene_of(w.Slider(width=w.MATCH, height=40))
    (node,) = parse_tree(u2_xml(scene)).nodes
    assert (node.cls, node.clickable, node.focusable) == ("android.widget.SeekBar", False, True)
    assert hit_test.clickable_at(scene, Point(50, 20)) is not None


def test_an_empty_field_shows_its_hint_and_a_password_dots() -> None:
    (node,) = parse_tree(u2_xml(scene_of(w.TextField(width=w.MATCH, hint="search")))).nodes
    assert (node.text, node.hint, node.clickable) == ("search", "search", True)
    (node,) = parse_tree(u2_xml(scene_of(w.TextField(width=w.MATCH, text="abc", password=True)))).nodes
    assert (node.text, node.password) == ("•••", True)


_views = st.recursive(
    st.builds(
        w.Widget,
        width=st.sampled_from([w.MATCH, w.WRAP, 30.0]),
        height=st.sampled_from([w.MATCH, w.WRAP, 20.0]),
        weight=st.sampled_from([0, 1]),
        margin=st.sampled_from([w.Insets(), w.insets(3)]),
    )
    | st.builds(w.Text, text=st.text(max_size=20), id=st.sampled_from(["", "t"])),
    lambda inner: (
        st.builds(
            w.Row, children=st.lists(inner, max_size=4), wrap=st.booleans(), gap=st.sampled_from([0, 4])
        )
        | st.builds(w.Column, children=st.lists(inner, max_size=4), width=st.sampled_from([w.MATCH, w.WRAP]))
        | st.builds(
            w.Box, children=st.lists(inner, max_size=3), padding=st.sampled_from([w.Insets(), w.insets(5)])
        )
        | st.builds(
            w.ScrollView, children=st.lists(inner, max_size=4), height=st.sampled_from([w.MATCH, 60.0])
        )
    ),
    max_leaves=15,
)


@given(_views, st.sampled_from([160, 320, 420, 560]))
def test_visible_bounds_lie_within_the_parent_and_the_screen(view: w.Widget, density: int) -> None:
    root = laid(view, density=density)
    for node in root.walk():
        assert node.visible.is_empty or (SCREEN.encloses(node.visible) and node.bounds.encloses(node.visible))
        for child in node.children:
            assert child.visible.is_empty or node.visible.encloses(child.visible)


@given(_views)
def test_both_dumps_have_the_same_elements(view: w.Widget) -> None:
    scene = scene_of(view)
    one, other = parse_tree(u2_xml(scene)), parse_tree(uiautomator_xml(scene))
    assert [(n.cls, n.text, n.bounds) for n in one.nodes] == [(n.cls, n.text, n.bounds) for n in other.nodes]
