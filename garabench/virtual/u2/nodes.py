"""The screen as accessibility sees it: the nodes of a window with parents, indexes and flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from garabench.core.geometry import Rect
from garabench.virtual.ui.dump import seen_children, tree_windows
from garabench.virtual.ui.scene import LaidNode, LaidWindow, Scene
from garabench.virtual.ui.widgets import CheckBox, Radio, Text, TextField

_FLAGS: Mapping[str, Callable[[LaidNode], bool]] = {
    "checkable": lambda laid: laid.widget.checkable,
    "checked": lambda laid: laid.widget.checked,
    "clickable": lambda laid: laid.clickable,
    "longClickable": lambda laid: laid.long_clickable,
    "scrollable": lambda laid: laid.scrollable,
    "enabled": lambda laid: laid.enabled,
    "focusable": lambda laid: laid.focusable,
    "focused": lambda laid: laid.focused,
    "selected": lambda laid: laid.widget.selected,
}


class AxNode:
    """A node as AccessibilityNodeInfo shows it; equal to itself only.

    Attributes:
        laid: What it was made from.
        window: Its window.
        index: Place among its siblings, as the tree tells it.
        parent: None for a window's root.
    """

    __slots__ = ("children", "index", "laid", "parent", "window")

    def __init__(self, laid: LaidNode, window: LaidWindow, index: int, parent: AxNode | None) -> None:
        self.laid = laid
        self.window = window
        self.index = index
        self.parent = parent
        self.children: tuple[AxNode, ...] = tuple(
            AxNode(child, window, place, self) for place, child in enumerate(seen_children(laid))
        )

    @property
    def text(self) -> str:
        """What it says."""
        return self.laid.text

    @property
    def desc(self) -> str:
        """Content description."""
        return self.laid.desc

    @property
    def cls(self) -> str:
        """Class name."""
        return self.laid.cls

    @property
    def package(self) -> str:
        """Package of the app it belongs to."""
        return self.laid.package

    @property
    def resource_id(self) -> str:
        """Full resource id, or empty."""
        return self.laid.resource_id

    @property
    def visible(self) -> Rect:
        """The part that is on the screen."""
        return self.laid.visible

    @property
    def shown(self) -> bool:
        """``isVisibleToUser``."""
        return not self.laid.visible.is_empty

    @property
    def holds_text(self) -> bool:
        """Whether its class shows text, so that an empty text is ``""`` and not null."""
        return isinstance(self.laid.widget, Text | TextField | CheckBox | Radio) or bool(self.laid.text)

    def flag(self, name: str) -> bool:
        """A boolean attribute by its selector name."""
        return _FLAGS[name](self.laid)

    def walk(self) -> Iterator[AxNode]:
        """This node and all that can be seen below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


class AxScreen:
    """All windows of a scene; roots are made when they are asked for."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._roots: dict[int, AxNode] = {}

    def active_root(self) -> AxNode | None:
        """``getRootInActiveWindow``."""
        focus = self.scene.focus
        return None if focus is None else self._root(focus)

    def roots(self) -> list[AxNode]:
        """The roots of all windows that accessibility reports: the active one first, then from the top."""
        focus = self.scene.focus
        others = [window for window in tree_windows(self.scene) if window is not focus]
        windows = ([focus] if focus is not None else []) + others
        return [self._root(window) for window in windows]

    def _root(self, window: LaidWindow) -> AxNode:
        root = self._roots.get(id(window))
        if root is None:
            root = self._roots[id(window)] = AxNode(window.root, window, 0, None)
        return root
