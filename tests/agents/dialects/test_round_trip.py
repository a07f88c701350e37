"""Each dialect parses what it writes: the same action, with coordinates within the rounding of its grid."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.agents.dialects.catalog import DIALECTS
from garabench.agents.dialects.coordinates import ScreenView, Unit
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.reply import ParsedReply, UnparsedReply
from garabench.core import action as act
from garabench.core.action import Action
from garabench.core.geometry import Size
from tests.agents.dialects.views import APPS, elements, view_of
from tests.cases import every_case

SIZES = st.sampled_from([Size(720, 1280), Size(1080, 2400), Size(2400, 1080)]) | st.builds(
    Size, st.integers(120, 4000), st.integers(120, 4000)
)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=40) | st.sampled_from(
    [
        "稻香",
        "it's",
        'say "x"',
        "a\\b",
        "{1}",
        "f(x)=1, y",
        "</tool_call>",
        "Action: tap(1)",
        "a\nb",
        "a\n",
        "a\\n",
        "’“”",
        "1",
    ]
)
DIRECTIONS = st.sampled_from(["up", "down", "left", "right"])


@st.composite
def actions(draw: st.DrawFn, size: Size) -> Action:
    def x() -> int:
        return draw(st.integers(0, size.width - 1))

    def y() -> int:
        return draw(st.integers(0, size.height - 1))

    match draw(st.integers(0, 11)):
        case 0:
            return act.Tap(x=x(), y=y())
        case 1:
            return act.DoubleTap(x=x(), y=y())
        case 2:
            return act.LongPress(x=x(), y=y())
        case 3:
            return act.Swipe(x1=x(), y1=y(), x2=x(), y2=y())
        case 4:
            return act.Drag(x1=x(), y1=y(), x2=x(), y2=y())
        case 5:
            return act.Scroll(direction=draw(DIRECTIONS), x=x(), y=y())
        case 6:
            return act.Type(text=draw(WORDS), submit=draw(st.booleans()))
        case 7:
            return act.Type(text=draw(WORDS), clear=draw(st.booleans()), at=(x(), y()))
        case 8:
            return act.OpenApp(package=draw(st.sampled_from(sorted(APPS.values()))))
        case 9:
            return draw(
                st.sampled_from([act.Back(), act.Home(), act.Recents(), act.Key(name="enter"), act.Clear()])
            )
        case 10:
            return act.Done(answer=draw(WORDS))
        case _:
            return act.Wait(seconds=draw(st.sampled_from([1.0, 2.0, 5.0, 0.5])))


def places(action: Action) -> list[tuple[int, int]]:
    """Return the points of an action, each as x and y."""
    values = action.model_dump()
    found = [(values["x"], values["y"])] if values.get("x") is not None else []
    found += [(values[f"x{n}"], values[f"y{n}"]) for n in (1, 2) if f"x{n}" in values]
    return found + ([tuple(values["at"])] if values.get("at") else [])


def rest(action: Action) -> dict[str, object]:
    values = action.model_dump()
    return {
        k: v for k, v in values.items() if k not in ("x", "y", "x1", "y1", "x2", "y2", "at", "ms", "amount")
    }


def tolerance(dialect: Dialect, view: ScreenView) -> tuple[int, int]:
    """Return half a step of the model's coordinates on the screen, plus one pixel for rounding."""
    rule = dialect.coordinates
    sides = {
        Unit.GRID: (rule.span, rule.span),
        Unit.IMAGE: (view.image.width, view.image.height),
        Unit.SCREEN: (view.screen.width, view.screen.height),
    }[rule.unit]
    return (
        1 + math.floor(view.screen.width / sides[0] / 2),
        1 + math.floor(view.screen.height / sides[1] / 2),
    )


@pytest.mark.parametrize("name", DIALECTS)
@given(data=st.data(), size=SIZES)
def test_a_rendered_action_is_parsed_back(name: str, data: st.DataObject, size: Size) -> None:
    dialect = DIALECTS[name]
    view = view_of(dialect, size, numbered=False)
    action = data.draw(actions(size))
    text = dialect.render(action, view, "why it is so")
    if text is None:
        return
    reply = dialect.parse(text, view)
    if isinstance(action, act.Scroll) and isinstance(reply, UnparsedReply):
        # a dialect without a scroll swipes, which no finger can from the very edge
        assert "at the edge" in reply.reason, (text, reply)
        assert dialect.name in ("agentcpm-gui", "glm-4.5v")
        return
    assert isinstance(reply, ParsedReply), (text, reply)
    got = reply.action
    if isinstance(action, act.Scroll) and isinstance(got, act.Swipe):
        # a dialect without a scroll swipes: the finger goes the other way
        (x1, y1), (x2, y2) = places(got)
        way = {"down": y1 - y2, "up": y2 - y1, "right": x1 - x2, "left": x2 - x1}[action.direction]
        assert way > 0
        return
    assert rest(got) == rest(action), text
    wide, high = tolerance(dialect, view)
    for (x, y), (other_x, other_y) in zip(places(action), places(got), strict=True):
        assert abs(x - other_x) <= wide and abs(y - other_y) <= high, text


@pytest.mark.parametrize("name", ["m3a", "appagent"])
def test_numbered_elements_are_tapped_at_their_center(name: str) -> None:
    dialect = DIALECTS[name]
    size = Size(1080, 2400)
    view = view_of(dialect, size)
    for rect in elements(size):
        action = act.Tap(x=rect.center.x, y=rect.center.y)
        text = dialect.render(action, view)
        assert text is not None
        assert dialect.parse(text, view) == ParsedReply(action, dialect.parse(text, view).thought)  # type: ignore[union-attr]


@every_case("name", DIALECTS)
def test_every_dialect_has_the_basic_actions(name: str) -> None:
    """Each dialect can tap, type and go back; those of vendors' tools end the task with plain text."""
    dialect = DIALECTS[name]
    view = view_of(dialect)
    spot = elements(view.screen)[5].center
    wanted = [act.Tap(x=spot.x, y=spot.y), act.Back()]
    if name != "gemini-computer-use":  # which taps on the field in the same action
        wanted.append(act.Type(text="x", clear=name == "autoglm-phone"))
    assert all(dialect.render(action, view) for action in wanted)
    assert dialect.system(view).strip()


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
def test_appagent_swipes_from_an_element(direction: str) -> None:
    dialect = DIALECTS["appagent"]
    size = Size(1080, 2400)
    view = view_of(dialect, size)
    message = dialect.parse(f'Action: swipe(2, "{direction}", "long")', view)
    assert isinstance(message, ParsedReply)
    text = dialect.render(message.action, view)
    assert text is not None and f'swipe(2, "{direction}", "' in text
    again = dialect.parse(text, view)
    assert isinstance(again, ParsedReply) and again.action == message.action
    off = message.action.model_copy(update={"x2": message.action.model_dump()["x2"] + 7})
    assert dialect.render(off, view) is None
