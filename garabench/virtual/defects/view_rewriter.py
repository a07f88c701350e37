"""Rewrite a view as a defective app would build it.

A defect's target is often an unclickable part of a control, such as the title in a card. Kinds that change
what a press does apply to the nearest widget around it that handles presses, as Android dispatches a touch,
and to what is around that if it has the same handler: a row and its switch are one control.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from garabench.core.patterns import occurs
from garabench.virtual.defects.defect import HANDLER_KINDS, Defect, DefectKind, Target
from garabench.virtual.ui import widgets as w

_MAX_FILTERED = 400
"""Lists with more items are not filtered: each item would be built to see what it shows."""


class HandlerBreaker(Protocol):
    """Wraps handlers according to a defect; the switchboard does."""

    def press(self, defect: Defect, handler: w.Handler) -> w.Handler:
        """Return what a press does instead of calling the handler."""
        ...

    def lang(self, package: str) -> str:
        """Return an app's language."""
        ...


def rewrite(view: w.Widget, defects: Sequence[Defect], breaker: HandlerBreaker) -> w.Widget:
    """Return a view with defects.

    Args:
        view: The view as the app builds it.
        defects: The defects that are on and concern the screen; each has a target unless it replaces the
            whole view.
        breaker: Wraps handlers.
    """
    for defect in defects:
        if defect.at is None:
            view = loading_view()
        else:
            view = _Rewriter(defect, defect.at, breaker, _last_handler(view, defect.at)).rewritten(view)
    return view


def loading_view() -> w.Widget:
    """Build a page that is still loading."""
    return w.Column(
        width=w.MATCH,
        height=w.MATCH,
        justify=w.Align.CENTER,
        align=w.Align.CENTER,
        background="#FFFFFF",
        children=(w.ProgressBar(id="loading", circular=True, width=36, height=36),),
    )


def is_target(widget: w.Widget, target: Target) -> bool:
    """Return whether a widget is a target."""
    if target.id and widget.id != target.id:
        return False
    if target.text and not occurs(target.text, _text(widget)):
        return False
    if target.desc and not occurs(target.desc, widget.desc):
        return False
    return not target.has or any(occurs(target.has, shown) for shown in _shown(widget))


def _text(widget: w.Widget) -> str:
    return str(getattr(widget, "text", ""))


def _shown(widget: w.Widget) -> Iterator[str]:
    """Yield the texts and descriptions of a widget and of those in it."""
    for each in _walk(widget):
        yield from filter(None, (_text(each), each.desc))


def _walk(widget: w.Widget) -> Iterator[w.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _walk(child)
    if isinstance(widget, w.ListView):
        for child in widget.header:
            yield from _walk(child)


def _handles(widget: w.Widget) -> bool:
    return widget.on_click is not None or widget.on_long_click is not None


def _last_handler(view: w.Widget, target: Target) -> w.Handler | None:
    """Return the press handler of the last target in a view, those in the rows of lists excepted."""
    found: list[w.Handler] = []

    def collect(widget: w.Widget) -> bool:
        within = widget.header if isinstance(widget, w.ListView) else getattr(widget, "children", ())
        waits = [collect(child) for child in within]
        pending = any(waits) or is_target(widget, target)
        if pending and widget.on_click is not None:
            found.append(widget.on_click)
            return False
        return pending

    collect(view)
    return found[-1] if found else None


@dataclass(slots=True)
class _Rewriter:
    """Rewrites a view for one defect."""

    defect: Defect
    target: Target
    breaker: HandlerBreaker
    last: w.Handler | None

    def rewritten(self, view: w.Widget) -> w.Widget:
        return self._visit(view)[0]

    def _visit(self, widget: w.Widget) -> tuple[w.Widget, bool]:
        """Return the new widget, and whether a target in it still waits for a widget that handles presses."""
        pending, original = False, widget
        if isinstance(widget, w.Container) and widget.children:
            widget, pending = self._visit_children(widget)
        elif isinstance(widget, w.ListView):
            widget = self._visit_list(widget)
        hit = is_target(widget, self.target)
        if self.defect.kind in HANDLER_KINDS:
            if (hit or pending or self._shares_handler(original)) and _handles(widget):
                return self._break(widget), False
            if hit and self.defect.kind is DefectKind.DISABLED:
                return replace(widget, enabled=False), True
            return widget, hit or pending
        return (self._change(widget) if hit else widget), False

    def _visit_children(self, widget: w.Container) -> tuple[w.Container, bool]:
        children, pending, same = [], False, True
        for child in widget.children:
            if self.defect.kind is DefectKind.MISSING and is_target(child, self.target):
                same = False
                continue
            new, waits = self._visit(child)
            children.append(new)
            pending |= waits
            same &= new is child
        return (widget if same else replace(widget, children=tuple(children))), pending

    def _shares_handler(self, widget: w.Widget) -> bool:
        """Return whether a widget calls the handler of a target in it."""
        handler = widget.on_click
        return handler is not None and any(
            each.on_click == handler and is_target(each, self.target)
            for each in _walk(widget)
            if each is not widget
        )

    def _visit_list(self, widget: w.ListView) -> w.ListView:
        header = tuple(self._visit(child)[0] for child in widget.header)
        items, build = widget.items, widget.build
        numbered: Sequence[tuple[Any, int]] = ()
        if self.defect.kind is DefectKind.MISSING and len(items) <= _MAX_FILTERED:
            numbered = [(item, at) for at, item in enumerate(items) if not self._contains(build(item, at))]
            items = [item for item, _ in numbered]

        def rebuild(item: Any, at: int) -> w.Widget:
            built = build(item, numbered[at][1] if numbered else at)
            last = self.last
            if self.defect.kind is DefectKind.WRONG_ITEM and items:
                last = _last_handler(build(items[-1], len(items) - 1), self.target)
            return _Rewriter(self.defect, self.target, self.breaker, last).rewritten(built)

        return replace(widget, header=header, items=items, build=rebuild)

    def _contains(self, widget: w.Widget) -> bool:
        return any(is_target(each, self.target) for each in _walk(widget))

    def _break(self, widget: w.Widget) -> w.Widget:
        kind = self.defect.kind
        if kind is DefectKind.DISABLED:
            return replace(widget, enabled=False)
        if kind is DefectKind.WRONG_ITEM:
            return widget if self.last is None else replace(widget, on_click=self.last)
        click, hold = widget.on_click, widget.on_long_click
        return replace(
            widget,
            on_click=None if click is None else self.breaker.press(self.defect, click),
            on_long_click=None if hold is None else self.breaker.press(self.defect, hold),
        )

    def _change(self, widget: w.Widget) -> w.Widget:
        defect = self.defect
        match defect.kind:
            case DefectKind.HIDDEN | DefectKind.MISSING:
                return replace(widget, visible=False)
            case DefectKind.ENDLESS:
                return replace(
                    loading_view(),
                    id=widget.id,
                    width=widget.width,
                    height=widget.height,
                    weight=widget.weight,
                )
            case DefectKind.LABEL:
                return self._labelled(widget)
            case DefectKind.SHOWS:
                return replace(widget, **dict(defect.attributes))
            case DefectKind.MUTE_FIELD if isinstance(widget, w.TextField):
                return replace(widget, on_change=lambda text: None)
            case DefectKind.CUT_TEXT if isinstance(widget, w.TextField) and widget.on_change is not None:
                change = widget.on_change
                return replace(widget, on_change=lambda text: change(text[: defect.length]))
            case DefectKind.SUBMIT_DEAD if isinstance(widget, w.TextField):
                return replace(widget, on_submit=lambda: None)
        return widget

    def _labelled(self, widget: w.Widget) -> w.Widget:
        text = self.defect.text[self.breaker.lang(self.defect.app)]
        if isinstance(widget, w.Text | w.CheckBox | w.RadioButton):
            return replace(widget, text=text, desc=text if widget.desc else "")
        return replace(widget, desc=text)
