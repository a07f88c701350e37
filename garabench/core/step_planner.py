"""Turn a step of a reference solution into an action on the current screen.

Proofs, the screen crawler, the reference agents and the fake model server all follow solutions; this is the
one interpreter of their steps. It is a function of values: the caller observes, performs and waits.
"""

from __future__ import annotations

from garabench.core import action as act
from garabench.core import steps
from garabench.core.geometry import Direction, Size
from garabench.core.selector import Selector, find
from garabench.core.steps import SolutionStep
from garabench.core.tree import UiTree


def target_of(step: SolutionStep) -> Selector | None:
    """Return the selector of the element that a step acts on, or None if it acts on no element."""
    match step:
        case steps.TapStep():
            return step.tap
        case steps.DoubleTapStep():
            return step.double_tap
        case steps.LongPressStep():
            return step.long_press
        case steps.TypeStep():
            return step.type.into
        case steps.WaitForStep():
            return step.wait_for
        case steps.ScrollStep():
            return step.scroll.inside
        case _:
            return None


def plan_step(step: SolutionStep, tree: UiTree, screen: Size) -> act.Action | None:
    """Return the action for a step on a screen.

    Args:
        step: The step.
        tree: The UI tree; if a selector matches several elements, the first one is used.
        screen: Size of the screen in device pixels, for swipes.

    Returns:
        The action; None if the element is not on the screen, or if the step needs no action (``wait_for``).
    """
    selector = target_of(step)
    found = find(tree, selector) if selector is not None else ()
    if selector is not None and not found:
        return None
    at = found[0].bounds.center if found else None
    match step:
        case steps.TapStep() if at:
            return act.Tap(x=at.x, y=at.y)
        case steps.DoubleTapStep() if at:
            return act.DoubleTap(x=at.x, y=at.y)
        case steps.LongPressStep() if at:
            return act.LongPress(x=at.x, y=at.y)
        case steps.TypeStep():
            spec = step.type
            place = (at.x, at.y) if at else None
            return act.Type(text=spec.text, clear=spec.clear, submit=spec.submit, at=place)
        case steps.ScrollStep():
            x, y = (at.x, at.y) if at else (None, None)
            return act.Scroll(direction=step.scroll.direction, x=x, y=y, amount=step.scroll.amount)
        case steps.SwipeStep():
            return _swipe(step.swipe, screen)
        case steps.KeyStep():
            return act.Key(name=step.key)
        case steps.BackStep():
            return act.Back()
        case steps.HomeStep():
            return act.Home()
        case steps.OpenAppStep():
            return act.OpenApp(package=step.open_app)
        case steps.AnswerStep():
            return act.Done(answer=step.answer)
        case steps.GiveUpStep():
            return act.GiveUp(reason=step.give_up)
        case _:
            return None


def _swipe(direction: Direction, screen: Size) -> act.Swipe:
    x, y = screen.width // 2, screen.height // 2
    dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[direction]
    rx, ry = round(screen.width * 0.35), round(screen.height * 0.25)
    return act.Swipe(x1=x - dx * rx, y1=y - dy * ry, x2=x + dx * rx, y2=y + dy * ry)
