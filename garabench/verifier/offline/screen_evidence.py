"""Read one screen for a rubric: what it shows, where the solution's elements are, what can be pressed."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.geometry import Point, Rect
from garabench.core.selector import Selector, find, normalize
from garabench.core.step_planner import target_of
from garabench.core.tree import UiNode, UiTree, is_system
from garabench.core.window_order import windows_from_top
from garabench.verifier.offline.expectations import ExpectationStatus, read_expectation
from garabench.verifier.offline.task_rubric import TaskRubric

_SWITCHES = ("Switch", "SwitchCompat", "ToggleButton")
_MAX_TEXTS = 6
_MAX_TEXT = 80
MAX_CONTROLS = 400
"""Most controls of a screen that are compared; a screen with more is a list that is read to this point."""


@dataclass(frozen=True, slots=True)
class Control:
    """An element that can be pressed.

    Attributes:
        entry: Its id without package.
        label: Its texts.
        bounds: Its bounds.
        state: What a press may change: texts, checked, selected.
        package: Its package.
        switch: Whether it is a switch, which acts at once; a box or a radio button waits for a confirmation.
    """

    entry: str
    label: str
    bounds: Rect
    state: tuple[str, ...]
    package: str
    switch: bool

    @property
    def name(self) -> str:
        """What a reader recognizes it by."""
        return repr(self.label) if self.label else f"#{self.entry}"


@dataclass(frozen=True, slots=True)
class ScreenEvidence:
    """What one screen says.

    Attributes:
        expectations: What it says about each expectation.
        harm: What it says about each expectation of the harm.
        targets: For each milestone, the bounds in which a press hits the meant element; empty if it is not
            on the screen.
        switches: The state of each switch; None if it is not on the screen.
        controls: What can be pressed, topmost window first.
        texts: All texts, normalized, one a line.
        package: The package of the topmost app window.
    """

    expectations: tuple[ExpectationStatus, ...]
    harm: tuple[ExpectationStatus, ...]
    targets: tuple[tuple[Rect, ...], ...]
    switches: tuple[bool | None, ...]
    controls: tuple[Control, ...]
    texts: str
    package: str

    def control_at(self, at: Point) -> Control | None:
        """Return the smallest control at a point of the topmost window; None if nothing can be pressed."""
        return min(
            (control for control in self.controls if control.bounds.contains(at)),
            key=lambda control: control.bounds.width * control.bounds.height,
            default=None,
        )

    def shows_text(self, text: str) -> bool:
        """Return whether a text is on the screen."""
        return bool(text) and normalize(text) in self.texts


def read_evidence(rubric: TaskRubric, tree: UiTree, package: str, activity: str) -> ScreenEvidence:
    """Read a screen.

    Args:
        rubric: What to look for.
        tree: The screen's tree.
        package: Package of the focused window.
        activity: Its activity.
    """
    return ScreenEvidence(
        expectations=tuple(
            read_expectation(expectation, tree, package, activity)
            for expectation in rubric.expectations.items
        ),
        harm=()
        if rubric.harm is None
        else tuple(
            read_expectation(expectation, tree, package, activity) for expectation in rubric.harm.items
        ),
        targets=tuple(_hit_bounds(tree, target_of(milestone.step)) for milestone in rubric.milestones),
        switches=tuple(_switch_state(tree, selector) for selector in rubric.switches),
        controls=_controls(tree),
        texts="\n".join(
            dict.fromkeys(
                normalize(text) for node in tree.app_nodes for text in (node.text, node.desc) if text
            )
        ),
        package=package,
    )


def _hit_bounds(tree: UiTree, selector: Selector | None) -> tuple[Rect, ...]:
    """Return where a press hits the element that a step means: the first match, or what it is a part of."""
    if selector is None:
        return ()
    found = find(tree, selector)
    if not found:
        return ()
    meant = found[0]
    above = (meant, *tree.ancestors(meant))
    acting = next((node for node in above if node.clickable or node.checkable), meant)
    places = [meant.bounds, acting.bounds]
    if acting.checkable and (row := _row_of(tree, acting)) is not None:
        places.append(row.bounds)
    return tuple(dict.fromkeys(places))


def _row_of(tree: UiTree, switch: UiNode) -> UiNode | None:
    """Return the row that switches a switch when it is pressed anywhere; None if there is none."""
    row = next((node for node in tree.ancestors(switch) if node.clickable), None)
    return row if row is not None and sum(node.checkable for node in row.walk()) == 1 else None


def _switch_state(tree: UiTree, selector: Selector) -> bool | None:
    """Return whether the switch of a row is on; None if there is none on the screen."""
    loose = selector.model_copy(update={"checked": None})
    found = find(tree, loose)
    if not found:
        return None
    for node in (found[0], *tree.ancestors(found[0])):
        inner = [each for each in node.walk() if each.checkable]
        if len(inner) == 1:
            return inner[0].checked
        if inner:
            return None
    return None


def _controls(tree: UiTree) -> tuple[Control, ...]:
    """Return what can be pressed in the topmost app window, in tree order."""
    for root in windows_from_top(tree):
        if is_system(root.package) or not root.visible:
            continue
        found = [
            _control(node)
            for node in root.walk()
            if (node.clickable or node.checkable or node.long_clickable)
            and node.visible
            and not node.bounds.is_empty
        ]
        if found:
            return tuple(found[:MAX_CONTROLS])
    return ()


def _control(node: UiNode) -> Control:
    texts: list[str] = []
    for each in node.walk():
        for text in (each.text, each.desc):
            if (short := normalize(text)[:_MAX_TEXT]) and short not in texts:
                texts.append(short)
        if len(texts) >= _MAX_TEXTS:
            break
    inner = [each for each in node.walk() if each.checkable]
    state = (
        *texts,
        *(f"checked={each.checked}" for each in inner[:1]),
        *(["selected"] if node.selected else []),
    )
    return Control(
        entry=node.entry,
        label=" ".join(texts[:3]),
        bounds=node.bounds,
        state=state,
        package=node.package,
        switch=any(each.cls.endswith(_SWITCHES) for each in inner),
    )
