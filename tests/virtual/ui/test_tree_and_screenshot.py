"""Tree and screenshot agree: removing a node changes the screenshot within its bounds only."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops

from garabench.core.geometry import Rect
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui import widgets as w
from garabench.virtual.ui.dump import tree_windows, u2_xml
from garabench.virtual.ui.render import draw_screen
from garabench.virtual.ui.scene import PlacedNode, Scene, WindowKind, px
from tests.bundled import bundled_suite
from tests.virtual.apps.driver import Driver

PROFILE = "android-30:720x1280"
APPS = {app.package: app for app in installed_apps()}
SUITE = bundled_suite()
LONGEST = {
    app: max((item for item in SUITE.tasks.values() if item.app == app), key=lambda i: len(i.task.solution))
    for app in sorted({item.app for item in SUITE.tasks.values()})
}

Path = tuple[int, ...]
"""Index of the window in the scene, then of each child from the root down."""


def paths(scene: Scene) -> Iterator[tuple[Path, PlacedNode]]:
    """Yield every node, in painting order."""

    def below(node: PlacedNode, path: Path) -> Iterator[tuple[Path, PlacedNode]]:
        yield path, node
        for place, child in enumerate(node.children):
            yield from below(child, (*path, place))

    for place, window in enumerate(scene.windows):
        yield from below(window.root, (place,))


def without(scene: Scene, path: Path) -> Scene:
    """Return the scene with one node hidden."""

    def cut(node: PlacedNode, rest: Path) -> PlacedNode:
        if not rest:
            return dataclasses.replace(node, widget=dataclasses.replace(node.widget, opacity=0))
        children = list(node.children)
        children[rest[0]] = cut(children[rest[0]], rest[1:])
        return dataclasses.replace(node, children=tuple(children))

    windows = list(scene.windows)
    windows[path[0]] = dataclasses.replace(windows[path[0]], root=cut(windows[path[0]].root, path[1:]))
    return dataclasses.replace(scene, windows=tuple(windows))


def shows_something(node: PlacedNode) -> bool:
    """Return whether a node must be visible by itself."""
    if node.children or node.visible.is_empty or min(node.visible.width, node.visible.height) < 8:
        return False
    if not node.widget.important:
        return False  # decoration is not in the tree
    if node.visible.height * 2 < node.bounds.height or node.visible.width * 2 < node.bounds.width:
        return False  # so little is visible that it may contain no stroke
    widget = node.widget
    if isinstance(widget, w.Text | w.TextField):
        return bool(node.text.strip())
    return isinstance(widget, w.Icon | w.ImageView | w.Toggle | w.CheckBox | w.RadioButton | w.Slider)


def room(node: PlacedNode) -> Rect:
    """Return the area that a node may paint: its bounds, and the shadow of an elevated one."""
    more = 3 * px(node.widget.elevation, node.density) if node.widget.elevation else 0
    seen = node.visible
    return Rect(seen.left - more, seen.top - more, seen.right + more, seen.bottom + more)


def covered(scene: Scene, path: Path, node: PlacedNode) -> bool:
    """Return whether something painted later covers a node: a sheet over its page, or the keyboard.

    Android's trees list covered nodes, too.
    """
    keyboards = {place for place, window in enumerate(scene.windows) if window.kind is WindowKind.IME}
    later = [
        n for p, n in paths(scene) if p > path and p[: len(path)] != path and p[0] in {path[0], *keyboards}
    ]
    return any(not node.visible.intersect(n.visible).is_empty for n in later)


def check(scene: Scene, every: int = 1, offset: int = 0) -> int:
    """Compare nodes of a screen with its picture, and return how many were compared.

    Args:
        scene: the screen
        every: compare each ``every``-th node only, since each costs a picture
        offset: the first of these
    """
    full = draw_screen(scene)
    listed = {id(window) for window in tree_windows(scene)}
    visible = [
        (path, node)
        for path, node in paths(scene)
        if id(scene.windows[path[0]]) in listed and shows_something(node)
    ]
    compared = visible[offset % every :: every]
    for path, node in compared:
        changed = ImageChops.difference(full, draw_screen(without(scene, path))).getbbox()
        name = f"{node.cls} {node.resource_id} {node.text or node.desc!r} at {node.visible}"
        if changed is None:
            assert covered(scene, path, node), f"{name} is in the tree but not in the screenshot"
        else:
            assert room(node).encloses(Rect(*changed)), f"{name} is painted at {changed}"
    return len(compared)


@pytest.mark.parametrize("app", LONGEST)
def test_nodes_of_suite_apps_are_painted_where_the_tree_says(app: str) -> None:
    driver = Driver(PROFILE, APPS[app])
    checked = check(driver.phone.scene())
    for place, step in enumerate(LONGEST[app].task.solution):
        driver.do(step)
        checked += check(driver.phone.scene(), every=3, offset=place)
    assert checked > 40


@pytest.mark.parametrize("package", sorted(APPS.keys() - LONGEST.keys()))
def test_nodes_of_system_apps_are_painted_where_the_tree_says(package: str) -> None:
    phone = Phone(Profile.parse(PROFILE), apps=installed_apps())
    phone.activities.start(Intent(package=package, activity=APPS[package].launcher))
    phone.clock.advance(1000)
    assert check(phone.scene()) > 3


@pytest.mark.parametrize("package", ["tv.danmaku.bili", "com.jingdong.app.mall"])
def test_shade_and_recents_are_painted_where_the_tree_says(package: str) -> None:
    phone = Phone(Profile.parse(PROFILE), apps=installed_apps())
    phone.activities.start(Intent(package=package, activity=APPS[package].launcher))
    phone.clock.advance(1500)
    app_tree = u2_xml(phone.scene())
    assert f'package="{package}"' in app_tree
    for show in (phone.windows.open_shade, phone.windows.open_recents):
        show()
        assert check(phone.scene()) > 3
        assert f'package="{package}"' not in u2_xml(phone.scene())
        phone.windows.close_overlay()
        assert u2_xml(phone.scene()) == app_tree


def test_a_secure_window_is_black_but_has_a_tree() -> None:
    phone = Phone(Profile.parse(PROFILE), apps=installed_apps())
    scene = phone.scene()
    secure = dataclasses.replace(
        scene, windows=tuple(dataclasses.replace(window, secure=True) for window in scene.windows)
    )
    assert draw_screen(secure).getbbox() is None
    assert isinstance(draw_screen(scene), Image.Image) and draw_screen(scene).getbbox() is not None
