"""The accessibility tree of the screen: nodes with parents, indexes and flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from garabench.core.geometry import Rect
from garabench.virtual.ui.dump import tree_windows, visible_children
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene
from garabench.virtual.ui.widgets import CheckBox, RadioButton, Text, TextField

_FLAGS: Mapping[str, Callable[[PlacedNode], bool]] = {
    "checkable": lambda placed: placed.widget.checkable,
    "checked": lambda placed: placed.widget.checked,
    "clickable": lambda placed: placed.clickable,
    "longClickable": lambda placed: placed.long_clickable,
    "scrollable": lambda placed: placed.scrollable,
    "enabled": lambda placed: placed.enabled,
    "focusable": lambda placed: placed.focusable,
    "focused": lambda placed: placed.focused,
    "selected": lambda placed: placed.widget.selected,
}


class AxNode:
    """A node, as AccessibilityNodeInfo presents it; compares by identity.

    Attributes:
        placed: The placed node behind it.
        window: Its window.
        index: Its ``index`` in the UI tree.
        parent: Its parent; None for a window's root.
    """

    __slots__ = ("children", "index", "parent", "placed", "window")

    def __init__(self, placed: PlacedNode, window: PlacedWindow, index: int, parent: AxNode | None) -> None:
        self.placed = placed
        self.window = window
        self.index = index
        self.parent = parent
        self.children: tuple[AxNode, ...] = tuple(
            AxNode(child, window, index, self) for index, child in enumerate(visible_children(placed))
        )

    @property
    def text(self) -> str:
        """Its text."""
        return self.placed.text

    @property
    def desc(self) -> str:
        """Content description."""
        return self.placed.desc

    @property
    def cls(self) -> str:
        """Class name."""
        return self.placed.cls

    @property
    def package(self) -> str:
        """Package of the app it belongs to."""
        return self.placed.package

    @property
    def resource_id(self) -> str:
        """Full resource id, or empty."""
        return self.placed.resource_id

    @property
    def visible(self) -> Rect:
        """Its visible bounds."""
        return self.placed.visible

    @property
    def shown(self) -> bool:
        """``isVisibleToUser``."""
        return not self.placed.visible.is_empty

    @property
    def holds_text(self) -> bool:
        """Whether its class has text, so that an empty text is ``""`` and not null."""
        return isinstance(self.placed.widget, Text | TextField | CheckBox | RadioButton) or bool(
            self.placed.text
        )

    def flag(self, name: str) -> bool:
        """Return a boolean attribute by its name in selectors."""
        return _FLAGS[name](self.placed)

    def walk(self) -> Iterator[AxNode]:
        """Yield this node and its visible descendants, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


class AxScreen:
    """All windows of a scene, with lazily built roots."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._roots: dict[int, AxNode] = {}

    def active_root(self) -> AxNode | None:
        """``getRootInActiveWindow``."""
        focus = self.scene.focus
        return None if focus is None else self._root(focus)

    def roots(self) -> list[AxNode]:
        """Return the roots of all accessible windows: the active one first, then from the top."""
        focus = self.scene.focus
        others = [window for window in tree_windows(self.scene) if window is not focus]
        windows = ([focus] if focus is not None else []) + others
        return [self._root(window) for window in windows]

    def _root(self, window: PlacedWindow) -> AxNode:
        root = self._roots.get(id(window))
        if root is None:
            root = self._roots[id(window)] = AxNode(window.root, window, 0, None)
        return root
