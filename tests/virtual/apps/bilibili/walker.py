"""Walks Bilibili's screens by selectors, over the widgets alone: a back stack without a phone.

Quick, and independent of layout: it proves that the tasks' words fit the app. Whether a finger reaches what
they name is proven over the phone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from garabench.core.goal import Goal
from garabench.core.observation import Focus
from garabench.core.selector import Selector, find
from garabench.core.steps import (
    AnswerStep,
    BackStep,
    LongPressStep,
    ScrollStep,
    SolutionStep,
    TapStep,
    TypeStep,
    WaitForStep,
)
from garabench.core.tree import UiNode, UiTree
from garabench.core.verdict import Verdict, evaluate
from garabench.virtual.apps.bilibili.app import APP
from garabench.virtual.apps.framework import Activity, Intent
from garabench.virtual.ui.widgets import Container, ListView, TextField, View
from tests.virtual.apps.fake import FakeContext

MILLISECONDS_TO_SETTLE = 1_000


@dataclass(frozen=True)
class WalkFacts:
    """A screen as goals and rules ask about it."""

    tree: UiTree
    focus: Focus | None
    answer: str | None = None

    def setting(self, namespace: str, key: str) -> str | None:
        return None

    def package_state(self, package: str, state: str) -> bool | None:
        return None

    def content(self, uri: str) -> str | None:
        return None


class _StackContext(FakeContext):
    """Opening and finishing change the walker's stack."""

    walker: Walker

    def open(self, activity: str, **extras: Any) -> None:
        self.walker.push(activity, extras)

    def finish(self) -> None:
        self.walker.stack.pop()


class Walker:
    """The app from its first screen, in the state it has after installation."""

    def __init__(self) -> None:
        self.ctx = _StackContext(APP)
        self.ctx.walker = self
        self.stack: list[tuple[str, Activity]] = []
        self.answer: str | None = None
        self._widgets: dict[int, tuple[View, ...]] = {}
        self.push(APP.launcher, {})

    def push(self, name: str, extras: dict[str, Any]) -> None:
        activity = APP.activities[name](self.ctx, Intent(package=APP.package, activity=name, extras=extras))
        self.stack.append((name, activity))
        activity.on_create()
        activity.on_resume()

    @property
    def top(self) -> Activity:
        return self.stack[-1][1]

    def facts(self) -> WalkFacts:
        """The present screen; a dialog comes after the page, as a window of its own."""
        self._widgets = {}
        roots = [self._node(self.top.build(), ())]
        dialog = self.top.dialog()
        if dialog is not None:
            roots.append(self._node(dialog, ()))
        return WalkFacts(UiTree(tuple(roots)), Focus(APP.package, self.stack[-1][0]), self.answer)

    def holds(self, goal: Goal) -> Verdict:
        return evaluate(goal.condition, self.facts())

    def do(self, step: SolutionStep) -> None:
        """Perform one step and let the screen settle."""
        match step:
            case TapStep():
                self._tap(step.tap)
            case LongPressStep():
                chain = self._chain(step.long_press)
                handler = next(view.on_long_click for view in chain if view.on_long_click)
                handler()
            case TypeStep():
                field = self._chain(step.type.into or Selector(cls="EditText"))[0]
                assert isinstance(field, TextField)
                assert field.on_change is not None
                field.on_change(step.type.text)
                if step.type.submit:
                    field = self._chain(step.type.into or Selector(cls="EditText"))[0]
                    assert isinstance(field, TextField)
                    assert field.on_submit is not None
                    field.on_submit()
            case BackStep():
                self._back()
            case AnswerStep():
                self.answer = step.answer
            case ScrollStep():
                if step.scroll.until is not None:
                    self._chain(step.scroll.until)
            case WaitForStep():
                self._chain(step.wait_for)
            case _:
                raise AssertionError(f"the walker knows no {type(step).__name__}")
        self.ctx.pass_ms(MILLISECONDS_TO_SETTLE)

    def _back(self) -> None:
        if self.top.dialog() is not None:
            self.top.on_dismiss_dialog()
        elif not self.top.on_back():
            self.stack.pop()

    def _tap(self, selector: Selector) -> None:
        chain = self._chain(selector)
        assert chain[0].enabled, f"{selector.describe()} is disabled"
        handler = next((view.on_click for view in chain if view.on_click), None)
        assert handler is not None, f"nothing happens on {selector.describe()}"
        handler()

    def _chain(self, selector: Selector) -> tuple[View, ...]:
        """The widget that a selector means first, then those around it."""
        found = find(self.facts().tree, selector)
        assert found, f"nothing is {selector.describe()}"
        return self._widgets[id(found[0])]

    def _node(self, view: View, around: tuple[View, ...]) -> UiNode:
        chain = (view, *around)
        below: list[View] = []
        if isinstance(view, Container):
            below = list(view.children)
        elif isinstance(view, ListView):
            below = [*view.header, *(view.build(item, place) for place, item in enumerate(view.items))]
        children = tuple(self._node(child, chain) for child in below if child.important and child.visible)
        name = view.id if ":" in view.id or not view.id else f"{APP.package}:id/{view.id}"
        node = UiNode(
            text=getattr(view, "text", "") or getattr(view, "hint", ""),
            resource_id=name,
            cls=view.cls,
            package=APP.package,
            desc=view.desc,
            checkable=view.checkable,
            checked=view.checked,
            clickable=view.on_click is not None,
            enabled=view.enabled,
            selected=view.selected,
            children=children,
        )
        self._widgets[id(node)] = chain
        return node
